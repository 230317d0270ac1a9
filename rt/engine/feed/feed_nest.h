/* feed_nest.h - a nest's loop whose iterations are all alike: its caches are simulated for some of
 * them, and the others are counted (analyses/live/cache/cache_rounds.h).
 *
 * Model:      the decoder pauses at the ends of such iterations (analyses/wire/expand.h).  Of
 *             nested loops the outermost is taken, once its first iteration is over.  Iterations
 *             are grouped into rounds of enough accesses.
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
  uint32_t op;                   /* the operation that ends the loop; 0: none yet */
  bool is_over;                  /* nothing more is to be done for this loop */
  uint32_t rounds;               /* rounds that have ended */
  uint64_t first, last;          /* iterations: the first round began after FIRST; LAST ended last;
				    UINT64_MAX: the one before 0 */
  uint64_t each;                 /* iterations in a round; 0: not known yet */
  uint64_t began;                /* accesses accounted for when the event began */
  uint64_t accesses, budget;     /* ACCESSES when the loop was first seen, or, like the expansion's
				    BUDGET, when the last round that is fed began */
};

/* Handle a pause of the decoder of FEED, which is being fed by sections. */
void cab_feed_nest_pause (struct cab_feed *feed);

#endif
