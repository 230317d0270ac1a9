/* layout_heap.c - see layout_heap.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_heap.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include <libiberty/splay-tree.h>
#include "analyses/layout/layout_pieces.h"

#define CHUNK 16
#define HEADER 8
#define LEAST 32
#define LARGE (UINT64_C (128) << 10)
#define PAGE 4096
#define REGION (UINT64_C (1) << 44)   /* addresses, for each heap */

/* Released chunks of one size. */
struct bin
{
  uint64_t bytes;
  uint64_t *free;
  size_t n, room;
};

struct heap
{
  uint64_t top, large_top;
  uint64_t header, least, chunk;
  struct bin *bins;
  size_t n_bins;
};

enum { SAME, OTHER, COLD, BESIDE, N_HEAPS };

/* The number of entries that remember where the block of an address was last found, by line of
   memory.  Released blocks have no bytes, and are kept for reuse.  So each entry is a block, and
   the right one if the address is in it, unless blocks lie in blocks. */
#define NEAR 262144u
#define LINE 64u

/* Addresses [from, to) that are in no block. */
struct gap
{
  uint64_t from, to;
};
#define GAPS 4u

struct cab_heap_model
{
  splay_tree blocks;                  /* by start */
  bool with_arrays;
  bool is_nested;                     /* there were blocks in blocks, so nothing is remembered */
  struct cab_heap_block *near[NEAR];
  struct gap gap[GAPS];
  unsigned next_gap;
  struct cab_heap_block *released;    /* by `next' */
  struct heap heap[N_HEAPS];
};

static int
free_one (splay_tree_node node, void *data)
{
  struct cab_heap_block *block = (struct cab_heap_block *) node->value;
  (void) data;
  free (block->arrays);
  free (block);
  return 0;
}

struct cab_heap_model *
cab_heap_model_new (bool with_arrays)
{
  struct cab_heap_model *heaps = XCNEW (struct cab_heap_model);
  heaps->with_arrays = with_arrays;
  heaps->blocks = splay_tree_new (splay_tree_compare_pointers, NULL, NULL);
  for (unsigned i = 0; i < N_HEAPS; i++)
    heaps->heap[i] = (struct heap) { .top = (2 * i + 1) * REGION << 8,
				     .large_top = (2 * i + 2) * REGION << 8,
				     .header = i == COLD ? 0 : HEADER,
				     .least = i == COLD ? 8 : LEAST,
				     .chunk = i == COLD ? 8 : CHUNK };
  return heaps;
}

void
cab_heap_model_free (struct cab_heap_model *heaps)
{
  splay_tree_foreach (heaps->blocks, free_one, NULL);
  splay_tree_delete (heaps->blocks);
  for (struct cab_heap_block *block = heaps->released, *next; block; block = next)
    {
      next = block->next;
      free (block);
    }
  for (unsigned i = 0; i < N_HEAPS; i++)
    {
      for (size_t k = 0; k < heaps->heap[i].n_bins; k++)
	free (heaps->heap[i].bins[k].free);
      free (heaps->heap[i].bins);
    }
  free (heaps);
}

static uint64_t
taken (const struct heap *heap, uint64_t bytes)
{
  uint64_t all = (bytes + heap->header + heap->chunk - 1) / heap->chunk * heap->chunk;
  return all < heap->least ? heap->least : all;
}

static struct bin *
bin_of (struct heap *heap, uint64_t bytes)
{
  for (size_t i = 0; i < heap->n_bins; i++)
    if (heap->bins[i].bytes == bytes)
      return &heap->bins[i];
  heap->bins = XRESIZEVEC (struct bin, heap->bins, heap->n_bins + 1);
  heap->bins[heap->n_bins] = (struct bin) { .bytes = bytes };
  return &heap->bins[heap->n_bins++];
}

static uint64_t
take (struct heap *heap, uint64_t bytes)
{
  uint64_t all = taken (heap, bytes), at;
  if (bytes >= LARGE)
    {
      at = heap->large_top + CHUNK;
      heap->large_top += (bytes + CHUNK + PAGE - 1) / PAGE * PAGE;
      return at;
    }
  struct bin *bin = bin_of (heap, all);
  if (bin->n)
    return bin->free[--bin->n];
  at = heap->top + 2 * heap->header;
  heap->top += all;
  return at;
}

static void
give_back (struct heap *heap, uint64_t at, uint64_t bytes)
{
  if (!at || bytes >= LARGE)
    return;
  struct bin *bin = bin_of (heap, taken (heap, bytes));
  if (bin->n == bin->room)
    bin->free = XRESIZEVEC (uint64_t, bin->free, bin->room = 2 * bin->room + 16);
  bin->free[bin->n++] = at;
}

uint64_t
cab_heap_block_instances (const struct cab_heap_block *block)
{
  return (block->bytes - block->lead) / block->layout->structure->bytes;
}

/* Return the size of BLOCK as proposed. */
static uint64_t
other_bytes (const struct cab_heap_block *block)
{
  const struct cab_layout *l = block->layout;
  uint64_t n = l ? cab_heap_block_instances (block) : 0,
	   rest = l ? block->bytes - n * l->structure->bytes : 0;
  return n && l->plan.kind != CAB_LAYOUT_KEEP ? n * l->plan.bytes + rest : block->bytes;
}

static uint64_t
cold_bytes (const struct cab_heap_block *block)
{
  const struct cab_layout *l = block->layout;
  return l && l->plan.kind == CAB_LAYOUT_SPLIT
	 ? cab_heap_block_instances (block) * l->plan.cold_bytes
	 : 0;
}

/* Place BLOCK in the heap with arrays, if there is one: as arrays, or unchanged. */
static void
place_beside (struct cab_heap_model *heaps, struct cab_heap_block *block)
{
  const struct cab_layout *l = block->layout;
  uint64_t n = l ? cab_heap_block_instances (block) : 0;
  struct heap *heap = &heaps->heap[BESIDE];
  block->beside = 0;
  block->arrays = NULL;
  if (!heaps->with_arrays)
    return;
  block->becomes = n ? cab_layout_becomes (l, n) : NULL;
  if (!block->becomes)
    {
      block->beside = take (heap, block->bytes);
      return;
    }
  block->arrays = XNEWVEC (uint64_t, block->becomes->n);
  for (uint32_t i = 0; i < block->becomes->n; i++)
    block->arrays[i] = take (heap, n * block->becomes->items[i].bytes);
}

static void
give_back_beside (struct cab_heap_model *heaps, struct cab_heap_block *block)
{
  struct heap *heap = &heaps->heap[BESIDE];
  give_back (heap, block->beside, block->bytes);
  for (uint32_t i = 0; block->arrays && i < block->becomes->n; i++)
    give_back (heap, block->arrays[i],
	       cab_heap_block_instances (block) * block->becomes->items[i].bytes);
  free (block->arrays);
  block->arrays = NULL;
}

static void
place_other (struct cab_heap_model *heaps, struct cab_heap_block *block)
{
  block->other = take (&heaps->heap[OTHER], other_bytes (block));
  block->cold = cold_bytes (block) ? take (&heaps->heap[COLD], cold_bytes (block)) : 0;
  place_beside (heaps, block);
}

static void
give_back_other (struct cab_heap_model *heaps, struct cab_heap_block *block)
{
  give_back (&heaps->heap[OTHER], block->other, other_bytes (block));
  give_back (&heaps->heap[COLD], block->cold, cold_bytes (block));
  give_back_beside (heaps, block);
}

void
cab_heap_model_release (struct cab_heap_model *heaps, uint64_t start)
{
  splay_tree_node node = splay_tree_lookup (heaps->blocks, start);
  if (!node)
    return;
  struct cab_heap_block *block = (struct cab_heap_block *) node->value;
  give_back (&heaps->heap[SAME], block->same, block->bytes);
  give_back_other (heaps, block);
  splay_tree_remove (heaps->blocks, start);
  block->bytes = 0;
  block->next = heaps->released;
  heaps->released = block;
}

static struct cab_heap_block *
value_of (splay_tree_node node)
{
  return node ? (struct cab_heap_block *) node->value : NULL;
}

/* Forget what was remembered of [START, START + BYTES), where a block begins to exist. */
static void
forget (struct cab_heap_model *heaps, uint64_t start, uint64_t bytes)
{
  const struct cab_heap_block *before = value_of (splay_tree_predecessor (heaps->blocks, start));
  const struct cab_heap_block *behind = value_of (splay_tree_successor (heaps->blocks, start));
  heaps->is_nested |= (before && start - before->start < before->bytes)
		   || (behind && behind->start - start < bytes);
  for (unsigned i = 0; i < GAPS; i++)
    if (start < heaps->gap[i].to
	&& (start >= heaps->gap[i].from || heaps->gap[i].from - start < bytes))
      heaps->gap[i] = (struct gap) { 0, 0 };
}

void
cab_heap_model_allocate (struct cab_heap_model *heaps, uint64_t start, uint64_t bytes,
			 const struct cab_layout *layout)
{
  cab_heap_model_release (heaps, start);
  struct cab_heap_block *block = heaps->released ? heaps->released : XNEW (struct cab_heap_block);
  if (heaps->released)
    heaps->released = block->next;
  *block = (struct cab_heap_block) {
    .start = start,
    .bytes = bytes,
    .layout = layout,
    .asked = layout && bytes % layout->structure->bytes == 0
  };
  block->same = take (&heaps->heap[SAME], bytes);
  place_other (heaps, block);
  forget (heaps, start, bytes);
  splay_tree_insert (heaps->blocks, start, (splay_tree_value) block);
}

/* Remember that ADDRESS and its neighbours up to the blocks around are in no block. */
static void
remember_gap (struct cab_heap_model *heaps, const struct cab_heap_block *before, uint64_t address)
{
  const struct cab_heap_block *behind = value_of (splay_tree_successor (heaps->blocks, address));
  heaps->gap[heaps->next_gap++ % GAPS] = (struct gap) { before ? before->start + before->bytes : 0,
							behind ? behind->start : UINT64_MAX };
}

struct cab_heap_block *
cab_heap_model_find (struct cab_heap_model *heaps, uint64_t address)
{
  struct cab_heap_block **near = &heaps->near[address / LINE % NEAR], *block = *near;
  if (block && address - block->start < block->bytes && !heaps->is_nested)
    return block;
  for (unsigned i = 0; i < GAPS && !heaps->is_nested; i++)
    if (address >= heaps->gap[i].from && address < heaps->gap[i].to)
      return NULL;
  splay_tree_node node = splay_tree_lookup (heaps->blocks, address);
  block = value_of (node ? node : splay_tree_predecessor (heaps->blocks, address));
  if (block && address - block->start < block->bytes)
    return *near = block;
  remember_gap (heaps, block, address);
  return NULL;
}

void
cab_heap_model_type (struct cab_heap_model *heaps, struct cab_heap_block *block,
		     const struct cab_layout *layout, uint32_t lead)
{
  give_back_other (heaps, block);
  block->layout = layout;
  block->lead = lead;
  block->asked = true;
  place_other (heaps, block);
}
