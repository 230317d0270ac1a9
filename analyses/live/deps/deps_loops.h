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

/* The present, as an access has it. */
struct cab_deps_now
{
  uint64_t time;
  unsigned level;             /* of the innermost loop in progress */
  uint64_t n, iteration;      /* how many iterations of it have begun, and when the last one did */
};

/* Return the time at which iteration K of FRAME, from 1, began; it is among the last ones. */
static inline uint64_t
cab_deps_start (const struct cab_deps_frame *frame, uint64_t k)
{
  return k <= frame->even ? frame->begin + k : frame->start[k % CAB_DEPS_PAST];
}

static inline struct cab_deps_now
cab_deps_now (const struct cab_deps_state *s)
{
  struct cab_deps_now now = { .time = s->time, .level = cab_deps_levels (s) };
  if (now.level)
    {
      const struct cab_deps_frame *frame = &s->frame[now.level - 1];
      now.n = frame->n;
      now.iteration = cab_deps_start (frame, frame->n);
    }
  return now;
}

/* Return the position of TIME, which is in none of the executions in progress that contain NOW's
   innermost one, or in one of these. */
struct cab_deps_position cab_deps_position_outside (const struct cab_deps_state *s,
						    const struct cab_deps_now *now, uint64_t time);

/* Return the position of TIME. */
static inline struct cab_deps_position
cab_deps_position_of (const struct cab_deps_state *s, const struct cab_deps_now *now, uint64_t time)
{
  return now->level && time >= s->frame[now->level - 1].begin
	 ? (struct cab_deps_position) { now->level, time < now->iteration }
	 : cab_deps_position_outside (s, now, time);
}

/* Return true if an access at TIME is at the same position as one that happens NOW. */
static inline bool
cab_deps_is_now (const struct cab_deps_now *now, uint64_t time)
{
  return !now->level || time >= now->iteration;
}

/* Return how many iterations of the loop at LEVEL have begun since TIME, which is in its present
   execution; CAB_DEPS_PAST: that many or more. */
unsigned cab_deps_distance (const struct cab_deps_state *s, const struct cab_deps_now *now,
			    unsigned level, uint64_t time);
/* Apply a row of FORM of LOOP.  Return false if there is no room; then nothing has been counted. */
bool cab_deps_mark (struct cab_arena *arena, unsigned form, uint32_t loop);
/* Return the node of LOOP in PARENT, making it if need be; 0 if there is no room.  May move the
   arena. */
uint32_t cab_deps_node_in (struct cab_arena *arena, uint32_t parent, uint32_t loop);
/* Make the table of nodes with node 0, if need be.  Return false if there is no room. */
bool cab_deps_root (struct cab_arena *arena);

#endif
