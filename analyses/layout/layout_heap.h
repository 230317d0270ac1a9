/* layout_heap.h - a model of malloc: where blocks of memory are, and where they would be if they
 * had other sizes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each block that the program allocated has a twin in one or more other heaps.  A heap
 *             hands out chunks of 16 bytes, 8 of which are its own, the lowest address first.
 *             Released chunks are reused for requests of the same size, the last released first.  A
 *             block of 128 KiB or more has pages of its own.  Where structures become structures of
 *             arrays, each array is a block, one after another.  Parts that are not malloc's (the
 *             cold parts of a split) come from a pool without chunks, in the same way.  A block is
 *             identified by its first address; one that is allocated where another one begins
 *             replaces it.
 */
#ifndef CAB_LAYOUT_HEAP_H
#define CAB_LAYOUT_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include "analyses/layout/layout.h"

/* A block of the program, with its twins. */
struct cab_heap_block
{
  uint64_t start, bytes;
  const struct cab_layout *layout;   /* the structures that it consists of; null: not known */
  uint32_t lead;                     /* bytes before the first structure, such as the count that
					C++'s new[] keeps there */
  bool asked;                        /* the allocation named its structure, and the block is just
					large enough for some; or a first access was examined for
					what it is and where the first one begins */
  uint64_t same, other, cold;        /* addresses of the twins: unchanged, as proposed, and the cold
					part; 0: none */
  uint64_t beside;                   /* the unchanged twin in the heap with arrays; 0: the block
					becomes arrays */
  const struct cab_layout_arrays *becomes;   /* in that heap; null: nothing */
  uint64_t *arrays;                  /* the addresses of its becomes->n arrays */
  struct cab_heap_block *next;       /* in the list of released blocks */
};

struct cab_heap_model;
/* Return an empty model.  WITH_ARRAYS: blocks become arrays as in layout_nested.h. */
struct cab_heap_model *cab_heap_model_new (bool with_arrays);
/* Free HEAPS and all blocks. */
void cab_heap_model_free (struct cab_heap_model *heaps);

/* Record that a block of BYTES at START was allocated, for LAYOUTs or, if null, for unknown
   data. */
void cab_heap_model_allocate (struct cab_heap_model *heaps, uint64_t start, uint64_t bytes,
			      const struct cab_layout *layout);
/* Record that the block at START was released.  An unknown START is ignored. */
void cab_heap_model_release (struct cab_heap_model *heaps, uint64_t start);
/* Return the block that ADDRESS is in, or null. */
struct cab_heap_block *cab_heap_model_find (struct cab_heap_model *heaps, uint64_t address);
/* Record that BLOCK consists of LAYOUTs after LEAD bytes of something else. */
void cab_heap_model_type (struct cab_heap_model *heaps, struct cab_heap_block *block,
			  const struct cab_layout *layout, uint32_t lead);
/* Return how many structures BLOCK, which has a layout, has room for. */
uint64_t cab_heap_block_instances (const struct cab_heap_block *block);

#endif
