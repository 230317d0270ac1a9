/* blocks.h - which block of memory is an address in?  An ordered map of live blocks.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     treaps, Seidel and Aragon (Algorithmica 1996), with the greatest end of each subtree,
 *             as interval trees have it.
 * Model:      a block is [start, start + bytes), and a start belongs to one block.  Blocks may lie
 *             in others (a pool in a block of malloc's): an address belongs to the one that begins
 *             last.  Time is the order of the calls: memory that is released and allocated again is
 *             another block.
 * Costs:      O(log n) words for each call, expected; an address found in a range that
 *             cab_blocks_find gave is found without a call.
 * Threads:    as the arena: one at a time.
 * Errors:     changes go through undo.h: what fails is taken back.  The state may come from a file:
 *             indices are checked, and depth is bounded.
 */
#ifndef CAB_BLOCKS_H
#define CAB_BLOCKS_H

#include "analyses/live/undo.h"

/* Part of a state; all zero: no block.  Offsets of a table, and indices in it, from 1. */
struct cab_blocks
{
  uint64_t nodes;    /* table of struct cab_block */
  uint64_t n_nodes;  /* indices that were ever used */
  uint64_t root;
  uint64_t free;     /* nodes to use again, by `left` */
};

struct cab_block
{
  uint64_t start, end;   /* end: of an empty block start + 1 */
  uint64_t bytes, site;  /* as it was allocated */
  uint64_t top;          /* the greatest end in this subtree */
  uint64_t left, right;
  uint64_t reserved;
};

/* For every address in [low, high) the answer is SITE, while the map does not change; 0: no
   block. */
struct cab_blocks_range
{
  uint64_t low, high, site;
};

/* AT: offset of the struct cab_blocks in the arena. */
struct cab_blocks_range cab_blocks_find (const struct cab_arena *arena, uint64_t at,
					 uint64_t address);
/* Is there room for a block more?  Made if need be: before a change begins. */
bool cab_blocks_reserve (struct cab_arena *arena, uint64_t at);
/* Within a change.  Add a block, where nothing is in the way. */
void cab_blocks_add (struct cab_change *change, uint64_t at, uint64_t start, uint64_t bytes,
		     uint64_t site);
/* The block that begins at START goes; false: there is none.  It is copied to BLOCK. */
bool cab_blocks_remove (struct cab_change *change, uint64_t at, uint64_t start,
			struct cab_block *block);
/* A block that cannot live beside one of [START, END): it begins in it, or ends in it.  False:
   there is none. */
bool cab_blocks_in_the_way (const struct cab_arena *arena, uint64_t at, uint64_t start,
			    uint64_t end, uint64_t *other);
/* Remove what cannot live beside a block of [START, END), or, INSIDE, what begins there; GONE, if
   not null, is told of each.  In a sound state each turn takes a block from the map; in another one
   the change fails. */
void cab_blocks_clear (struct cab_change *change, uint64_t at, uint64_t start, uint64_t end,
		       bool inside,
		       void (*gone) (struct cab_change *change, const struct cab_block *block));
/* The first block that begins in [START, END). */
bool cab_blocks_first (const struct cab_arena *arena, uint64_t at, uint64_t start, uint64_t end,
		       uint64_t *first);
/* Does a change of the map alter the word at OFFSET? */
bool cab_blocks_alters (const struct cab_arena *arena, uint64_t at, uint64_t offset);
/* Does the log of UNDO say of nothing but words of the map at AT, and those that OWN says may
   change? */
bool cab_blocks_may_undo (const struct cab_arena *arena, const struct cab_undo *undo, uint64_t at,
			  bool (*own) (const struct cab_arena *arena, uint64_t offset));
/* Forget all blocks; no change is under way.  If it is cut off the map is sound, and it is to be
   called again. */
void cab_blocks_empty (struct cab_arena *arena, uint64_t at);
/* Is it sound, in a state that comes from a file? */
bool cab_blocks_ok (const struct cab_arena *arena, uint64_t at);

static inline uint64_t
cab_block_end (uint64_t start, uint64_t bytes)
{
  uint64_t end = start + (bytes ? bytes : 1);
  return end < start ? UINT64_MAX : end;
}

#endif
