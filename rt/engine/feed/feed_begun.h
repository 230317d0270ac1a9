/* feed_begun.h - go on with an event that some states have had in part (placement=direct).
 *
 * Model:      as for a reader of a killed process: a state takes back the step that was cut off,
 *             and then says how many events it has had; it gets the others.
 * Threads:    under the ring's consumer lock.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_BEGUN_H
#define CAB_RT_FEED_BEGUN_H

#include "rt/engine/feed/feed.h"

/* Feed the event of N words at WORDS to all states of FEED that have not had it.  The account's
   totals are those of all events before it.  The event itself is not accounted for. */
void cab_feed_begun (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words,
		     size_t n);

#endif
