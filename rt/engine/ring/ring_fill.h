/* ring_fill.h - how far a chunk of the chunk ring is filled: a chunk should take the producer some
 * 50 us.
 *
 * Source:     docs/rings.md, "How long chunks are".
 * Model:      pure.
 * Units:      words, and ns.
 * Threads:    any.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_FILL_H
#define CAB_RT_RING_FILL_H

#include <stdint.h>

#define CAB_FILL_LEAST 4096u     /* words; no chunk is filled less */
#define CAB_FILL_FIRST 16384u    /* words whose pages are in memory with the ring: rt/base/part.c */
#define CAB_FILL_FAST_NS 30000u  /* a chunk that took less is too short: entering the next one costs
				    some 1 us */
#define CAB_FILL_SLOW_NS 100000u /* a chunk that took more is needlessly long: the ring's lines
				    displace the program's in the caches */

/* Return how far the first chunk is filled, for chunks of SLOTS words. */
static inline uint32_t
cab_fill_first (uint32_t slots)
{
  return slots < CAB_FILL_FIRST ? slots : CAB_FILL_FIRST;
}

/* Return how far the next chunk is filled, after one of FILL words that took the producer TOOK_NS.
   A fill at or below the least is not shortened. */
static inline uint32_t
cab_fill_next (uint32_t fill, uint32_t slots, uint64_t took_ns)
{
  if (took_ns > CAB_FILL_SLOW_NS && fill > CAB_FILL_LEAST)
    return fill / 2 > CAB_FILL_LEAST ? fill / 2 : CAB_FILL_LEAST;
  if (took_ns < CAB_FILL_FAST_NS)
    return fill < slots - fill ? 2 * fill : slots;
  return fill;
}

#endif
