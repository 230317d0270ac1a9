/* an_blocks.h - blocks of memory, and accesses to them: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_BLOCKS_H
#define CAB_AN_BLOCKS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_blocks;

/* The next row behind *CURSOR (0 at first); false at the end.  Key: 1 + the number of the
   allocation, its context's node << 32 above; key 1 has the accesses that hit no block. */
struct cab_blocks_sums
{
  uint64_t events;                   /* of allocations and releases of this key */
  uint64_t blocks, bytes;            /* that it allocated; */
  uint64_t live, peak;               /* bytes of them that live, and the most that ever did at
					once */
  uint64_t released;                 /* blocks of them that the program released */
  uint64_t reads, writes, updates;   /* accesses to them; updates: one access that reads and
					writes */
  uint64_t all_live, all_peak;       /* of node 0: as live and peak, of the allocation in all its
					contexts; else 0 */
};
struct cab_blocks_row
{
  uint64_t key;
  struct cab_blocks_sums sums;
};
static inline uint32_t
cab_blocks_number (const struct cab_blocks_row *row)
{
  return row->key - 1;
}
/* KEY of the same allocation, of node 0. */
static inline uint64_t
cab_blocks_alone (uint64_t key)
{
  return (uint64_t) (uint32_t) (key - 1) + 1;
}
static inline uint32_t
cab_blocks_node (const struct cab_blocks_row *row)
{
  return (row->key - 1) >> 32;
}
bool cab_blocks_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_blocks_row *row);
/* What threads did outside of blocks of their own, and where they had some: strangers.h. */
struct cab_stranger;
bool cab_blocks_stranger (const struct cab_arena *arena, uint64_t *cursor,
			  struct cab_stranger *row);

#endif
