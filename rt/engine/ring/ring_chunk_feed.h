/* ring_chunk_feed.h - the consumer of the chunk ring: see the calls' namesakes in struct
 * cab_ring_design.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_CHUNK_FEED_H
#define CAB_RT_RING_CHUNK_FEED_H

#include "rt/engine/ring/ring.h"

/* Return nonzero if a chunk has been published.  Without the lock; loads `head' with acquire. */
int cab_chunk_ready (const struct cab_ring *r);
/* Feed the published chunks, by sections where that pays.  Stores `tail' with release. */
int cab_chunk_drain (struct cab_ring *r);
/* Feed unpublished words by sections, where that pays. */
int cab_chunk_peek (struct cab_ring *r);
/* Feed what the producer has written so far, to all analyses. */
void cab_chunk_written (struct cab_ring *r);

#endif
