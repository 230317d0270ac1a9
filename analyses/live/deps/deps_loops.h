/* deps_loops.h - the stack of loops, and where an earlier time lies among them; see deps_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_DEPS_LOOPS_H
#define CAB_DEPS_LOOPS_H

#include "analyses/live/deps/deps_state.h"

/* Where an earlier time lies, as seen from now: LEVEL is that of the innermost loop in progress,
   from 1, whose present execution had begun by then; 0: none had.  CARRIED: it was in an earlier
   iteration of that loop than the present one. */
struct cab_deps_position
{
  unsigned level;
  bool carried;
};

/* Return the position of TIME. */
struct cab_deps_position cab_deps_position_of (const struct cab_deps_state *s, uint64_t time);
/* Return how many iterations of the loop at LEVEL have begun since TIME, which is in its present
   execution; CAB_DEPS_PAST: that many or more. */
unsigned cab_deps_distance (const struct cab_deps_state *s, unsigned level, uint64_t time);
/* Apply a row of FORM of LOOP.  Return false if there is no room; then nothing has been counted. */
bool cab_deps_mark (struct cab_arena *arena, unsigned form, uint32_t loop);
/* Return the node of LOOP in PARENT, making it if need be; 0 if there is no room.  May move the
   arena. */
uint32_t cab_deps_node_in (struct cab_arena *arena, uint32_t parent, uint32_t loop);
/* Make the table of nodes with node 0, if need be.  Return false if there is no room. */
bool cab_deps_root (struct cab_arena *arena);

#endif
