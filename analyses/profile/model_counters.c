/* model_counters.c - counters of a part, added to the functions and regions of the model.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/model_adding.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_paths.h"
#include "analyses/profile/value_cells.h"

/* Add N to counter AT of FUNCTION. */
static void
add_counter (struct cab_function *function, uint32_t at, uint64_t n)
{
  if (at == CAB_COUNTER_ENTRIES)
    function->entries += n;
  else if (at == CAB_COUNTER_ARRIVALS)
    function->arrivals += n;
  else if (at - CAB_COUNTER_PATHS < function->n_paths)
    function->paths[at - CAB_COUNTER_PATHS] += n;
}

/* Add the value N of counter AT, one of the pairs of abi.h, of a process that records one piece in
   EVERY. */
static void
add_piece (struct cab_function *function, uint32_t at, uint64_t n, uint64_t every)
{
  if (at % 2)
    {
      function->recorded += n;
      function->pieces += n * every;
    }
  else
    function->pieces -= n;
}

void
cab_adding_prepare_counters (struct cab_adding *a, const struct cab_finish *finish)
{
  unsigned known
    = CAB_ROW_PATHS_COUNT | (cab_finish_chose (finish, "paths") ? CAB_ROW_PATHS_TRACE : 0);
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      if (f->flags & known && !function->paths && function->n_paths)
	function->paths = XCNEWVEC (uint64_t, function->n_paths);
      if (function->paths && !function->cells && function->record && function->record->n_cells)
	function->cells
	  = XCNEWVEC (uint64_t, (size_t) function->record->n_cells * CAB_CELL_WORDS);
      if (f->flags & CAB_ROW_ENTRIES)
	function->entries_known = true;
      a->model->has_paths |= function->paths != NULL;
    }
}

/* Add the cells of F, a function with a record of as many counters, from the N words at
   COUNTERS. */
static void
add_cells (struct cab_function *function, const struct cab_part_function *f,
	   const uint64_t *counters, uint64_t n)
{
  uint64_t n_words = (uint64_t) function->record->n_cells * CAB_CELL_WORDS,
	   end = f->count_offset / 8 + f->n_counters;
  if (f->n_counters < n_words || end > n)
    return;
  for (uint64_t k = 0; k < n_words; k += CAB_CELL_WORDS)
    cab_value_cell_add (function->cells + k, counters + end - n_words + k);
}

static void
add_counters (struct cab_adding *a, const uint64_t *counters, uint64_t n)
{
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      uint64_t first = f->count_offset / 8;
      for (uint32_t at = 0; at < f->n_counters && first + at < n; at++)
	if (f->flags & CAB_ROW_SAMPLED)
	  add_piece (function, at, counters[first + at], a->part->header->ledger.sample);
	else if (counters[first + at] && (at < CAB_COUNTER_PATHS || function->paths))
	  add_counter (function, at, counters[first + at]);
      if (function->cells)
	add_cells (function, f, counters, n);
    }
}

/* Return the region NAME of the model, added if it is new. */
static struct cab_model_region *
region_of (struct cab_model *model, const char *name)
{
  for (uint32_t i = 0; i < model->n_regions; i++)
    if (!strcmp (model->regions[i].name, name))
      return &model->regions[i];
  model->regions = XRESIZEVEC (struct cab_model_region, model->regions, model->n_regions + 1);
  model->regions[model->n_regions]
    = (struct cab_model_region) { .name = cab_names_copy (&model->names, name, strlen (name)) };
  return &model->regions[model->n_regions++];
}

/* Add the paths in COUNTERS to REGION. */
static void
sum_region (const struct cab_adding *a, struct cab_model_region *region, const uint64_t *counters,
	    uint64_t n)
{
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      uint64_t n_paths = a->model->functions[a->fn[i + 1] - 1]->n_paths;
      for (uint32_t at = CAB_COUNTER_PATHS;
	   at < f->n_counters && at - CAB_COUNTER_PATHS < n_paths
	   && f->count_offset / 8 + at < n && !(f->flags & CAB_ROW_SAMPLED);
	   at++)
	region->paths += counters[f->count_offset / 8 + at];
    }
}

void
cab_adding_add_regions (struct cab_adding *a)
{
  struct cab_diag diag;
  uint32_t n;
  struct cab_part_region *rows = cab_part_regions (a->part, &n, &diag);
  if (!rows && n)
    cab_model_problem (a->model, "%s", diag.text);
  for (uint32_t i = 0; rows && i < n; i++)
    {
      uint64_t bytes;
      uint64_t *counters = cab_part_region_counts (a->part, i, &rows[i], &bytes, &diag);
      struct cab_model_region *region
	= region_of (a->model, cab_part_string (a->part, rows[i].name));
      region->n_begun += rows[i].n_begun;
      region->n_open += rows[i].state >> 1 != 0;
      if (counters)
	sum_region (a, region, counters, bytes / 8);
      else
	cab_model_problem (a->model, "%s", diag.text);
      if (counters && a->model->region && !strcmp (region->name, a->model->region))
	add_counters (a, counters, bytes / 8);
      free (counters);
    }
  free (rows);
}

void
cab_adding_add_areas (struct cab_adding *a)
{
  struct cab_diag diag;
  uint32_t cursor = 0;
  for (int64_t owner; (owner = cab_part_next_owner (a->part, CAB_EXT_COUNTS, &cursor)) >= 0;)
    {
      uint64_t bytes;
      uint64_t *counters = cab_part_counts (a->part, owner, &bytes, &diag);
      if (counters)
	add_counters (a, counters, bytes / 8);
      else if (bytes)
	cab_model_problem (a->model, "%s", diag.text);
      free (counters);
    }
}

void
cab_adding_add_paths (struct cab_adding *a, const struct cab_arena *arena)
{
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      for (uint32_t at = CAB_COUNTER_PATHS; function->paths && at < f->n_counters; at++)
	add_counter (function, at, cab_paths_counter (arena, f->count_offset / 8 + at));
    }
}
