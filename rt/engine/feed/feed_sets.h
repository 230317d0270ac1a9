/* feed_sets.h - the states of a ring's analyses, one of each for each set of regions.
 *
 * Model:      a feed has the states of the set that its thread is in; those of the other sets are
 *             laid aside.  When the set changes, the ring is empty, and what belongs to the thread
 *             (its stack, its caches) is carried from one state to the other (`carry' of an
 *             analysis), so that all states of a ring together have counted what one would have.
 *             An analysis without `carry' has a single state, and prevents the tree from being
 *             split if it wants the tree's nodes.  If one of them keeps nodes, those of all trees
 *             of the ring have common numbers (cab_context_number_as).
 * Threads:    as feed.h.
 * Errors:     -ENOMEM where there is no memory to lay states aside; nothing has changed.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_SETS_H
#define CAB_RT_FEED_SETS_H

#include "rt/engine/feed/feed.h"

/* Allocate room for one more set, so that the next switch cannot fail.  Return 0 or -ENOMEM. */
int cab_feed_sets_prepare (struct cab_feed *feed);
/* Give each state its set: FEED has begun with its analyses. */
void cab_feed_sets_begin (struct cab_feed *feed);
/* Let FEED, of ring RING, take events of THREAD in SET, another set than before, from now on.
   cab_feed_sets_prepare has succeeded. */
void cab_feed_switch (struct cab_feed *feed, uint32_t ring, uint32_t thread, uint32_t set);
/* Return how many events state I of FEED's sets other than its own has had. */
uint64_t cab_feed_sets_had (const struct cab_feed *feed, uint32_t i);
/* Give back the addresses that states reserve and do not use.  Under the ring's lock and the
   runtime's. */
void cab_feed_sets_spare_addresses (struct cab_feed *feed);
/* In a forked child, give back the addresses of all states. */
void cab_feed_sets_close (struct cab_feed *feed);

#endif
