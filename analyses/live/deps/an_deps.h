/* an_deps.h - dependences through memory, by loop: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted, and that was resumed.
 * Units:      events; a dependence is counted once for each access, each line of 64 bytes that it
 *             touches, and each earlier access, in one iteration, that some of these bytes depend
 *             on.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_DEPS_H
#define CAB_AN_DEPS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_deps;

enum cab_deps_kind
{
  CAB_DEPS_RAW,      /* a read of what the last write stored */
  CAB_DEPS_WAR,      /* a write over what was read since the last write */
  CAB_DEPS_WAW       /* a write over the last write */
};

#define CAB_DEPS_FAR 256u   /* distances from here on are not told apart */

/* Dependences of one kind between two accesses of the code. */
struct cab_deps_row
{
  enum cab_deps_kind kind;
  uint32_t from, to;          /* the earlier access and the later one; from 0: of RAW, none that was
				 seen: what the memory held at first */
  uint32_t node;              /* where the later one happened: see struct cab_deps_place */
  uint32_t from_node;         /* where the earlier one happened; 0 for WAR, where it is not known */
  unsigned level;             /* the innermost loop around the later one, 1 being the outermost,
				 whose execution had begun when the earlier one happened; 0: none */
  bool carried;               /* it happened in an earlier iteration of that loop, not in the
				 same */
  unsigned distance;          /* carried: how many iterations before, at most CAB_DEPS_FAR */
  bool covered;               /* WAR that is carried: what was read had been written in the same
				 iteration of that loop */
  uint64_t count;
};

/* A place among loops: LOOP, entered while control was in that of PARENT.  Node 0 is outside all
   loops. */
struct cab_deps_place
{
  uint32_t node, parent, loop;   /* loop: its process-wide number */
  uint64_t executions, iterations, accesses;   /* accesses: made there, and in no loop within */
};

/* Store to ROW the next row after *CURSOR (0 at first), in no particular order.  Return false at
   the end. */
bool cab_deps_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_deps_row *row);
/* Store to PLACE the next one after *CURSOR (0 at first), parents before what they contain.  Return
   false at the end. */
bool cab_deps_next_place (const struct cab_arena *arena, uint64_t *cursor,
			  struct cab_deps_place *place);
/* Return how many executions of loops were nested too deeply to be told apart. */
uint64_t cab_deps_too_deep (const struct cab_arena *arena);
/* Return how many reads were forgotten for lack of room, so that WAR may be missing. */
uint64_t cab_deps_cut (const struct cab_arena *arena);

#endif
