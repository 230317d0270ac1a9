/* an_join.h - accesses with all that is known about each: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      accesses, bytes.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_JOIN_H
#define CAB_AN_JOIN_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_join;

/* Accesses that are alike in all of this. */
struct cab_join_row
{
  uint32_t number, node;              /* of the access, 0: of functions whose record is not
					 available; its context */
  bool has_block;                     /* they were in a block of this allocation, made in this
					 context: */
  uint32_t allocation, allocation_node;
  uint32_t thread, process;           /* index of the thread in its process; 1 + the number of the
					 process; 0: of a state that was not merged */
  unsigned level;                     /* CAB_LEVEL_NONE: not known */
  bool has_path;                      /* they were made on this path of the function: */
  uint32_t path_fn;
  uint64_t path;
  bool not_held;                      /* they were too many to wait for their path's end */
  bool writes;                        /* else they read, or did both */
  uint64_t bytes;                     /* of each */
  uint64_t n;
};
/* Store the next row after *CURSOR (0 at first), in no order, in *ROW.  Return false at the end. */
bool cab_join_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_join_row *row);

#endif
