/* tiled.h - accesses that come in rounds, some of which `cache' counts without looking them up
 * (analyses/live/cache/cache_rounds.h).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_TILED_H
#define CAB_TEST_TILED_H

#include "analyses/live/cache/cache_rounds.h"
#include "testsuite/unit/analysis_events.h"

/* The numbers of accesses BEFORE, in each round, of rounds that are FED, as many as the caches want
   at most, and that then come AGAIN; then of the accesses of one more round that are AHEAD, and of
   those BEHIND. */
struct tiles
{
  size_t before, round, fed, again, ahead, behind;
};

struct events make_tiles (const struct tiles *t);
/* Return where the accesses that are ahead begin. */
size_t tiles_ahead (const struct tiles *t);
/* Feed E, which is of T, to `cache': the rounds that are fed, of which ROUND is the last; the
   caller frees it: free (round.words). Where fewer suffice they are `fed', and the others come
   `again'. */
struct cab_section_round feed_tiles (struct cab_arena *arena, const struct events *e,
				   struct tiles *t);
/* Repeat the rounds that come again, and what is ahead, which is left as words. */
void repeat_tiles (struct cab_arena *arena, const struct cab_section_round *round,
		   const struct tiles *t);
/* Do what any reader of a state does: feed what is ahead in it. */
void feed_ahead (struct cab_arena *arena, const struct events *e);

#endif
