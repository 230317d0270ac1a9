/* model_adding.h - what adds one process to a profile in memory: the steps of model_part.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a part numbers functions, call sites and accesses as its process met them; the model
 *             numbers those of all processes.  model_maps.c maps the one to the other, and counters
 *             (model_counters.c) and states of analyses (model_arenas.c) are added under the
 *             model's numbers.
 * Errors:     are added to the model's problems.
 */
#ifndef CAB_MODEL_ADDING_H
#define CAB_MODEL_ADDING_H

#include "analyses/profile/finish/finish.h"
#include "analyses/profile/model.h"
#include "analyses/profile/part_control.h"

/* The nodes of one ring's tree. */
struct cab_ring_nodes
{
  uint32_t ring, set, n;
  uint32_t *node;              /* by node of the ring's tree: its node in the model's tree */
};

/* What the functions that add a part share. */
struct cab_adding
{
  struct cab_model *model;
  struct cab_part *part;
  uint32_t process;
  uint32_t n_fn, n_site;       /* lengths of the maps */
  uint32_t *fn, *site;         /* map the part's numbers to the model's (functions: index + 1) */
  uint32_t n_access, *access;
  bool has_methods, has_calls;
  struct cab_part_set *sets;   /* the sets of regions */
  uint32_t n_sets;
  uint32_t n_rings;            /* number of rings with a tree */
  struct cab_ring_nodes *rings;
};

/* Add the functions of the part to the model, and map the part's numbers to the model's
   (model_maps.c). */
void cab_adding_number (struct cab_adding *a);
/* Return the maps as analyses take them; map.node is the caller's. */
struct cab_idmap cab_adding_maps (const struct cab_adding *a);

/* Allocate the counters of paths.  Paths that were traced are known only if the process analysed
   them (model_counters.c, as the next three). */
void cab_adding_prepare_counters (struct cab_adding *a, const struct cab_finish *finish);
/* Add the regions of the process.  The counters of the chosen region become the model's. */
void cab_adding_add_regions (struct cab_adding *a);
/* Add the areas of counters. */
void cab_adding_add_areas (struct cab_adding *a);
/* Add paths that went through rings.  The arena has the layout of the counters. */
void cab_adding_add_paths (struct cab_adding *a, const struct cab_arena *arena);

/* Add what the analyses counted by region.  Calls are taken from one of the analyses that count
   them, and so are accesses (model_arenas.c, as the next). */
void cab_adding_sum_events (struct cab_adding *a, const struct cab_finish *finish);
/* Add the states of the analyses. */
void cab_adding_add_arenas (struct cab_adding *a, const struct cab_finish *finish);

#endif
