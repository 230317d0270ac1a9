/* feed_bursts.h - feeds the bursts that a run reads which reads only some events.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      the words of bursts are decoded and gathered over many bursts, so that an analysis
 *             gets batches of a useful length, with the bursts that their rows belong to
 *             (analysis.h).  Events that no analysis takes are dropped and counted as ever.
 * Threads:    under the ring's consumer lock.
 * Errors:     as in feed.h.
 */
#ifndef CAB_RT_FEED_BURSTS_H
#define CAB_RT_FEED_BURSTS_H

#include "rt/engine/feed/feed.h"

/* Feed the N words at WORDS, burst NUMBER of ring RING, which stands for WEIGHT bursts.  WORDS need
   not stay.  Numbers grow. */
void cab_feed_burst (struct cab_feed *feed, uint32_t ring, uint32_t thread, uint64_t number,
		     uint32_t weight, const uint64_t *words, size_t n);
/* Feed what is still gathered.  Without this it may stay for any time. */
void cab_feed_bursts_end (struct cab_feed *feed, uint32_t ring, uint32_t thread);

#endif
