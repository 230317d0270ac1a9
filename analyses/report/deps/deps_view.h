/* deps_view.h - dependences by loop of the source, out of the state of the analysis `deps'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      copies of a loop, and its executions in all contexts, are one loop.
 * Ownership:  texts are the model's; the rest belongs to the view until cab_deps_view_fini.
 */
#ifndef CAB_DEPS_VIEW_H
#define CAB_DEPS_VIEW_H

#include "analyses/live/deps/an_deps.h"
#include "analyses/profile/model.h"

/* Dependences of one kind between two accesses of the code that a loop carries. */
struct cab_deps_pair
{
  uint32_t loop;              /* index */
  enum cab_deps_kind kind;
  uint32_t from, to;          /* numbers of the earlier access and of the later one */
  bool exposed;               /* WAR: some of what was read had not been written in the same
				 iteration before */
  const char *variable;       /* what is written */
  uint64_t count;
  unsigned least, most;       /* distances */
  uint64_t at[CAB_DEPS_FAR + 1];   /* by distance */
};

/* What a loop does with a variable: by the name that what writes it has in the source. */
struct cab_deps_variable
{
  uint32_t loop;
  const char *name;
  bool raw, exposed, reused;  /* carried: RAW; WAR that is exposed; other WAR, or WAW */
  bool first, last;           /* a value from before the loop is read in it; one that was written in
				 it is read after it */
  unsigned least;             /* distance of RAW if there is any, else of the others */
  uint64_t count;             /* of what is carried */
};

struct cab_deps_loop
{
  const struct cab_function *function;   /* whose code it is in, in one of its copies */
  const struct cab_access_loop *place;
  const char *file;
  uint64_t executions, iterations, accesses;   /* accesses: with those of loops within */
  uint64_t within, before;    /* RAW within an iteration, and of what was written before the loop */
  uint64_t carried[3];        /* by kind */
  unsigned least, most;       /* distances of RAW that it carries; 0: none */
};

/* A read of what the same iteration of a loop has written. */
struct cab_deps_own
{
  uint32_t loop, to;          /* index; number of the access */
};

struct cab_deps_view
{
  struct cab_model *model;
  struct cab_deps_loop *loops;
  uint32_t n_loops;
  struct cab_deps_pair *pairs;
  uint32_t n_pairs, room_pairs;
  struct cab_deps_variable *variables;
  uint32_t n_variables, room_variables;
  struct cab_deps_own *own;
  uint32_t n_own;
  uint64_t accesses;          /* of the whole run */
  /* The rest is of deps_view.c alone. */
  struct cab_deps_place *places;
  uint32_t n_places;
  uint32_t *loop_of;          /* by place: index of its loop; UINT32_MAX: none */
  unsigned *level;            /* by place */
};

/* Make VIEW of the state of MODEL, which must have one. */
void cab_deps_view_make (struct cab_deps_view *view, struct cab_model *model);
void cab_deps_view_fini (struct cab_deps_view *view);
/* Return the name of what access NUMBER is to; "?" if it is not known. */
const char *cab_deps_name (const struct cab_deps_view *view, uint32_t number);
/* Return the line of access NUMBER; 0 if it is not known. */
uint32_t cab_deps_line (const struct cab_deps_view *view, uint32_t number);

#endif
