/* tiled.h - accesses that come in rounds, some of which `cache' counts without looking them up
 * (analyses/live/cache/cache_rounds.h).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_TILED_H
#define CAB_TEST_TILED_H

#include "analyses/live/cache/cache_rounds.h"
#include "testsuite/unit/analysis_events.h"

/* So many accesses BEFORE, rounds of so many, of which some are FED, as many as the caches want at
   most, and then others come AGAIN; then as many accesses of one more as are AHEAD, and others
   BEHIND. */
struct tiles
{
  size_t before, round, fed, again, ahead, behind;
};

struct events make_tiles (const struct tiles *t);
/* Where the accesses that are ahead begin. */
size_t tiles_ahead (const struct tiles *t);
/* E, which is of T, to `cache': the rounds that are fed, of which ROUND is the last; it is to be
   freed: free (round.words).  Where fewer do, they are `fed', and the others come `again'. */
struct cab_cache_round feed_tiles (struct cab_arena *arena, const struct events *e,
				   struct tiles *t);
/* ... those that come again, and what is ahead, which is left as words. */
void repeat_tiles (struct cab_arena *arena, const struct cab_cache_round *round,
		   const struct tiles *t);
/* As whoever reads a state does: what is ahead in it is fed. */
void feed_ahead (struct cab_arena *arena, const struct events *e);

#endif
