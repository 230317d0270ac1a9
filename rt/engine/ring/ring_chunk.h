/* ring_chunk.h - what the halves of the chunk ring share: ring_chunk.c is the producer's,
 * ring_chunk_feed.c the consumer's.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_CHUNK_H
#define CAB_RT_RING_CHUNK_H

#include "rt/engine/ring/ring.h"

/* Return the first slot of chunk number CHUNK. */
static inline uint64_t *
cab_chunk_at (const struct cab_ring *r, uint64_t chunk)
{
  return r->slots + chunk % r->n_chunks * CAB_CHUNK_STRIDE (r);
}

/* Return true if the producer waits for a chunk, or soon will, or sends no more, so that the
   analysis is the bottleneck. */
static inline bool
cab_chunk_is_behind (const struct cab_ring *r)
{
  uint64_t head = __atomic_load_n (&r->header->head, __ATOMIC_RELAXED);
  uint64_t tail = __atomic_load_n (&r->header->tail, __ATOMIC_RELAXED);
  return 2 * (head - tail) > r->n_chunks || __atomic_load_n (&r->ending, __ATOMIC_RELAXED);
}

#endif
