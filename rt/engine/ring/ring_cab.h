/* ring_cab.h - what the CAB ring and FastForward share: the producer, and how events are fed.
 *
 * Threads:    see the calls' namesakes in struct cab_ring_design.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_CAB_H
#define CAB_RT_RING_CAB_H

#include "rt/engine/ring/ring.h"

/* The producer's calls of struct cab_ring_design.  One that waits does so until two chunks are
   free. */
void cab_ring_cab_begin (struct cab_ring *ring, struct cab_ctx *ctx);
int cab_ring_cab_put (struct cab_ring *ring, struct cab_ctx *ctx, const uint64_t *event);
void cab_ring_cab_end (struct cab_ring *ring);

/* Feed the N slots from the tail on, which do not go round the end of the ring, move the tail to
   NEXT, an odd number of chunks after it, and clear the slots.  Under the consumer lock.  Stores
   the tail, each slot and `freed', in this order, with release. */
void cab_ring_cab_feed (struct cab_ring *ring, uint64_t n, uint64_t next);

#endif
