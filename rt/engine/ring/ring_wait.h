/* ring_wait.h - a producer waits for room in its ring; for the designs.
 *
 * Threads:    cab_ring_wait: the ring's producer, at the same time as its consumer; cab_ring_moved:
 *             the consumer, under the ring's lock.
 * Progress:   cab_ring_wait blocks until the consumer moves; cab_ring_moved does not block.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_WAIT_H
#define CAB_RT_RING_WAIT_H

#include "rt/engine/ring/ring.h"

/* Wait until HAS_ROOM, which loads the consumer's position with acquire.  Return false
   if the producer is blind (filters.h) and nobody makes room. */
bool cab_ring_wait (struct cab_ring *ring, int (*has_room) (const struct cab_ring *ring));
/* Wake the producer after tail has moved.  Issues an acquire-release read-modify-write
   of `waiting', which pairs with that of a producer about to sleep. */
void cab_ring_moved (struct cab_ring *ring);

#endif
