/* blocks.h - an ordered map of live blocks, to find the block of memory that an address is in.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     treaps, Seidel and Aragon (Algorithmica 1996), with the greatest end of each subtree,
 *             as interval trees have it.
 * Model:      A block is [start, start + bytes), and a start belongs to one block.  Blocks may lie
 *             in others (a pool in a block of malloc's): an address belongs to the one that begins
 *             last.  Time is the order of the calls: memory that is released and allocated again is
 *             another block.
 * Costs:      O(log n) words for each call, expected; an address in a range that cab_blocks_find
 *             returned needs no further call.
 * Threads:    as the arena: one at a time.
 * Errors:     Changes go through undo.h: what fails is rolled back.  The state may come from a
 *             file: indices are checked, and depth is bounded.
 */
#ifndef CAB_BLOCKS_H
#define CAB_BLOCKS_H

#include "analyses/live/undo.h"

/* The map, part of a state.  All zero is a map without blocks.  Nodes are indices in the table,
   from 1; 0 = none. */
struct cab_blocks
{
  uint64_t nodes;    /* table of struct cab_live_block */
  uint64_t n_nodes;  /* the greatest index ever used */
  uint64_t root;
  uint64_t free;     /* first of the nodes to use again, linked by `left` */
};

/* One node of the map. */
struct cab_live_block
{
  uint64_t start, end;   /* end of an empty block: start + 1 */
  uint64_t bytes, site;  /* as the caller gave them */
  uint64_t top;          /* the greatest end in this subtree */
  uint64_t left, right;
  uint64_t reserved;
};

/* Every address in [low, high) has the answer SITE, as long as the map does not change; 0: no
   block. */
struct cab_blocks_range
{
  uint64_t low, high, site;
};

/* Return the block that ADDRESS is in, by its site and a range around ADDRESS with the same answer.
   In each function AT is the offset of the struct cab_blocks in the arena. */
struct cab_blocks_range cab_blocks_find (const struct cab_arena *arena, uint64_t at,
					 uint64_t address);
/* Make room for one more block, if need be; call it before a change begins.  May move the arena.
   Return false if there is no room. */
bool cab_blocks_reserve (struct cab_arena *arena, uint64_t at);
/* Add a block within CHANGE.  No other block may be in its way. */
void cab_blocks_add (struct cab_change *change, uint64_t at, uint64_t start, uint64_t bytes,
		     uint64_t site);
/* Remove the block that begins at START within CHANGE, and copy it to BLOCK.  Return false if there
   is none. */
bool cab_blocks_remove (struct cab_change *change, uint64_t at, uint64_t start,
			struct cab_live_block *block);
/* Remove within CHANGE the blocks that cannot live beside a block of [START, END), or, if INSIDE,
   those that begin in it.  GONE, if not null, is called with each.  Each turn takes a block from a
   sound map; with any other map the change fails. */
void cab_blocks_clear (struct cab_change *change, uint64_t at, uint64_t start, uint64_t end,
		       bool inside,
		       void (*gone) (struct cab_change *change,
				     const struct cab_live_block *block));
/* Apply within CHANGE row I of BATCH, which is an allocation, a release, or both: blocks that end
   go with those that begin in them, and a new one belongs to SITE.  Return true if there is a new
   one. */
bool cab_blocks_apply (struct cab_change *change, uint64_t at, const struct cab_batch *batch,
		       uint32_t i, uint64_t site);
/* Return true if each entry of the log of UNDO is a word of the map at AT, or one that OWN allows
   to change. */
bool cab_blocks_may_undo (const struct cab_arena *arena, const struct cab_undo *undo, uint64_t at,
			  bool (*own) (const struct cab_arena *arena, uint64_t offset));
/* A state of the analysis NAME, of BYTES bytes, that has a log of changes at offset UNDO and a map
   at offset BLOCKS; OWN as for cab_blocks_may_undo. */
struct cab_blocks_host
{
  const char *name;
  size_t bytes;
  uint64_t undo, blocks;
  bool (*own) (const struct cab_arena *arena, uint64_t offset);
  const struct cab_state_table *more;   /* N_MORE tables beside these and the one of rows, at most
					   CAB_BLOCKS_MORE, which lie within the arena */
  unsigned n_more;
};
#define CAB_BLOCKS_MORE 2u
/* Check the state of HOST that has, beside these, a hash table ROWS of elements of BYTES bytes,
   with N in use.  Return 0, or -1 with words in DIAG. */
int cab_blocks_check (const struct cab_arena *arena, const struct cab_blocks_host *host,
		      uint64_t rows, uint64_t n, size_t bytes, struct cab_diag *diag);
/* Forget all blocks.  No change may be under way.  If this is cut off, the map is sound, and this
   is to be called again. */
void cab_blocks_empty (struct cab_arena *arena, uint64_t at);
/* Make the map at AT what that of FROM is, in which no change is under way; none is under way in
   ARENA either.  Without room the map is empty.  If this is cut off, the map is sound. */
void cab_blocks_carry (struct cab_arena *arena, const struct cab_arena *from, uint64_t at);
/* Return true if the map at AT, which may come from a file, has a table within the arena that holds
   all its nodes. */
bool cab_blocks_ok (const struct cab_arena *arena, uint64_t at);

/* Return the end of a block of BYTES bytes at START.  An empty block takes one byte; an end that
   would wrap around is UINT64_MAX. */
static inline uint64_t
cab_block_end (uint64_t start, uint64_t bytes)
{
  uint64_t end = start + (bytes ? bytes : 1);
  return end < start ? UINT64_MAX : end;
}

#endif
