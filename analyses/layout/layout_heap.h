/* layout_heap.h - where blocks of memory are, and where they would be if they had other sizes: a
 * model of malloc.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each block that the program allocated has a twin in one or more other heaps.  A heap
 *             gives out chunks of 16 bytes, 8 of which are its own, the lowest address first; what
 *             was released is given out again, the last one first, for as many chunks.  From 128
 *             KiB on a block has pages of its own.  Where structures become structures of arrays,
 *             each array is a block, one behind the other.  Parts that are not malloc's (those of a
 *             split) are taken, likewise, from a pool without chunks. A block is known by its first
 *             address; one that is allocated where another one begins replaces it.
 * Ownership:  blocks belong to the map.
 */
#ifndef CAB_LAYOUT_HEAP_H
#define CAB_LAYOUT_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include "analyses/layout/layout.h"

struct cab_heap_block
{
  uint64_t start, bytes;
  const struct cab_layout *layout;   /* it consists of such structures; null: not known */
  uint32_t lead;                     /* bytes in front of the first one, such as the number of them
					that C++'s new[] keeps there */
  bool asked;                        /* whether an access told what it consists of */
  uint64_t same, other, cold;        /* twins: as it is, as proposed, and the part of its own; 0:
					none */
  uint64_t beside;                   /* ... and beside arrays, as it is; 0: it has become */
  const struct cab_layout_arrays *becomes;
  uint64_t *arrays;                  /* ... becomes->n of these */
  struct cab_heap_block *next;       /* of those that were released */
};

struct cab_heap_model;
/* WITH_ARRAYS: blocks become arrays as layout_nested.h has it. */
struct cab_heap_model *cab_heap_model_new (bool with_arrays);
void cab_heap_model_free (struct cab_heap_model *heaps);

void cab_heap_model_allocate (struct cab_heap_model *heaps, uint64_t start, uint64_t bytes,
			      const struct cab_layout *layout);
void cab_heap_model_release (struct cab_heap_model *heaps, uint64_t start);
/* The block that ADDRESS is in, or null. */
struct cab_heap_block *cab_heap_model_find (struct cab_heap_model *heaps, uint64_t address);
/* It turns out that BLOCK consists of LAYOUTs, behind LEAD bytes of something else. */
void cab_heap_model_type (struct cab_heap_model *heaps, struct cab_heap_block *block,
			  const struct cab_layout *layout, uint32_t lead);
/* How many structures BLOCK, which has a layout, has room for. */
uint64_t cab_heap_block_instances (const struct cab_heap_block *block);

#endif
