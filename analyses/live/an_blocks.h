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

/* The sums of one key.  A key is 1 + the number of the allocation, with the node of its context <<
   32 above it.  Key 1 has the accesses that hit no block. */
struct cab_blocks_sums
{
  uint64_t events;                   /* allocations and releases of this key */
  uint64_t blocks, bytes;            /* that it allocated */
  uint64_t live;                     /* bytes of the blocks that were made while the state was fed,
					less those of the blocks that ended then, modulo 2^64: those
					that are live, if the state had all events of its ring */
  uint64_t before;                   /* what to add to `live' for the bytes that are live: it comes
					from other states of the ring.  Not merged */
  uint64_t peak;                     /* the most that was live at once while the state was fed */
  uint64_t released;                 /* those blocks that the program released */
  uint64_t reads, writes, updates;   /* accesses to those blocks; an update is one access that reads
					and writes */
  uint64_t all_live, all_before, all_peak;   /* in a row of node 0: live, before and peak of the
						allocation in all its contexts; else 0 */
};
/* A row: a key and its sums. */
struct cab_blocks_row
{
  uint64_t key;
  struct cab_blocks_sums sums;
};
/* Return the number of the allocation of ROW. */
static inline uint32_t
cab_blocks_number (const struct cab_blocks_row *row)
{
  return row->key - 1;
}
/* Return the key of the allocation of KEY in node 0. */
static inline uint64_t
cab_blocks_alone (uint64_t key)
{
  return (uint64_t) (uint32_t) (key - 1) + 1;
}
/* Return the node of the context of ROW. */
static inline uint32_t
cab_blocks_node (const struct cab_blocks_row *row)
{
  return (row->key - 1) >> 32;
}
/* Store to ROW the next row after *CURSOR (0 at first).  Return false at the end. */
bool cab_blocks_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_blocks_row *row);
/* Add FROM to INTO.  Both are states of one ring for different sets of regions, or sums of such
   states: as `merge', but the greater of two peaks is the peak, since the states were not fed at
   the same time.  Return 0 or a negative number. */
int cab_blocks_unite (struct cab_arena *into, const struct cab_arena *from, struct cab_diag *diag);
/* Merge into INTO only where threads had blocks according to FROM, and nothing that is counted. */
void cab_blocks_merge_homes (struct cab_arena *into, const struct cab_arena *from,
			     const struct cab_idmap *map);
/* Store to ROW the next row after *CURSOR (0 at first) of what threads did outside of blocks of
   their own, and of where they had some (foreign_access.h).  Return false at the end. */
struct cab_foreign_access;
bool cab_blocks_foreign (const struct cab_arena *arena, uint64_t *cursor,
			 struct cab_foreign_access *row);

#endif
