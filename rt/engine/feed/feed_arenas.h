/* feed_arenas.h - where the states of a ring's analyses lie: areas of the part.
 *
 * Threads:    as feed.h; the runtime's lock is taken where an arena is made or grows.
 * Errors:     where there is no room, the runtime reports it once.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_ARENAS_H
#define CAB_RT_FEED_ARENAS_H

#include "rt/base/rt.h"
#include "rt/engine/feed/feed.h"

/* Return the row in the part that describes the arena of S, which is open. */
static inline struct cab_part_arena *
cab_feed_row (const struct cab_feed_state *s)
{
  return &cab_rt.part.header->arenas[s->index];
}

/* Make sure that the arena of S is open, and that its row records whose events it holds.  Return 0
   if there is no room. */
int cab_feed_ready (struct cab_feed_state *s, uint32_t ring, uint32_t thread);
/* Publish how much of the arena is used.  Stores with release. */
void cab_feed_publish (struct cab_feed_state *s);

#endif
