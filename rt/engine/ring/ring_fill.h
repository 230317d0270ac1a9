/* ring_fill.h - how far a chunk of the chunk ring is to be filled: a chunk is to take the producer
 * some 50 us.
 *
 * Source:     docs/design.md, "How long chunks are".
 * Model:      pure.
 * Units:      words, and ns.
 * Threads:    any.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_FILL_H
#define CAB_RT_RING_FILL_H

#include <stdint.h>

#define CAB_FILL_LEAST 4096u     /* words */
#define CAB_FILL_FIRST 16384u    /* for so many the pages are there with the ring: rt/base/part.c */
#define CAB_FILL_FAST_NS 30000u  /* a chunk that took less is too short: to go on in another one
				    takes some 1 us */
#define CAB_FILL_SLOW_NS 100000u /* one that took more is longer than it need be: the ring's lines
				    displace the program's in the caches */

/* How far the first chunk is filled, of chunks of SLOTS words. */
static inline uint32_t
cab_fill_first (uint32_t slots)
{
  return slots < CAB_FILL_FIRST ? slots : CAB_FILL_FIRST;
}

/* ... and the next one, behind one of FILL words that took the producer TOOK_NS.  What is no longer
   than the least is not shortened. */
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
