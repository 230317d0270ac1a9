/* ring_slots.h - the slots of CAB rings, of both modes: those of all chunks, and one for MAGIC.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_SLOTS_H
#define CAB_RT_RING_SLOTS_H

#include "rt/engine/ring/ring.h"

/* Return how many slots a ring has in memory. */
static inline size_t
cab_ring_slots (uint32_t n_chunks, uint32_t chunk_slots)
{
  return (size_t) n_chunks * chunk_slots + 1;
}

/* Return how many events R holds. */
static inline uint64_t
cab_ring_n_slots (const struct cab_ring *r)
{
  return (uint64_t) r->n_chunks * r->chunk_slots;
}

#endif
