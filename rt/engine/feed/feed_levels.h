/* feed_levels.h - feeds accesses with the level in which they hit.
 *
 * Model:      the analysis `levels' gets a batch first.  It keeps the levels of the batch until the
 *             next one, and the analyses that want levels get the same rows with that column.
 * Threads:    as feed.h.
 * Errors:     without room for the caches, analyses that want levels get no events.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_LEVELS_H
#define CAB_RT_FEED_LEVELS_H

#include "rt/engine/feed/feed.h"

/* Feed BATCH, of accesses of the ring FEED->ring, to all analyses that want levels.  FEED->levels
   is set. */
void cab_feed_levels (struct cab_feed *feed, const struct cab_batch *batch);

#endif
