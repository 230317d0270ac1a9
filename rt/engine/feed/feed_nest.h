/* feed_nest.h - a nest's loop that does the same in each iteration: its caches are simulated for
 * some of them, and the others are counted (analyses/live/cache/cache_rounds.h).
 *
 * Model:      the decoder pauses at the ends of such iterations (analyses/wire/expand.h).  Of loops
 *             in each other the outermost is taken, once its first iteration is over.  Iterations
 *             are gathered in rounds of enough accesses.
 * Threads:    as the feed.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_NEST_H
#define CAB_RT_FEED_NEST_H

#include <stdbool.h>
#include <stdint.h>

struct cab_feed;

struct cab_feed_nest
{
  uint32_t op;                   /* the end of the loop; 0: none yet */
  bool is_over;                  /* nothing more is to be done for it */
  uint32_t rounds;               /* that are over */
  uint64_t first, last;          /* iterations: behind which the first round began, that was over
				    last; UINT64_MAX: the one before 0 */
  uint64_t each;                 /* iterations of a round; 0: not known yet */
  uint64_t began;                /* accesses when the event began */
  uint64_t accesses, budget;     /* when the loop was first seen, or the last round that is fed
				    began */
};

/* The decoder of FEED, which cuts sections, has paused. */
void cab_feed_nest_pause (struct cab_feed *feed);

#endif
