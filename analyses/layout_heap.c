/* layout_heap.c - see layout_heap.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout_heap.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include <libiberty/splay-tree.h>

#define CHUNK 16
#define HEADER 8
#define LEAST 32
#define LARGE (UINT64_C (128) << 10)
#define PAGE 4096
#define REGION (UINT64_C (1) << 44)   /* of addresses, for each heap */

/* Chunks of one size that were given back. */
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

enum { SAME, OTHER, COLD, N_HEAPS };

struct cab_heap_model
{
  splay_tree blocks;                  /* by start */
  struct cab_heap_block *last;        /* found */
  struct heap heap[N_HEAPS];
};

static void
free_block (splay_tree_value value)
{
  free ((void *) value);
}

struct cab_heap_model *
cab_heap_model_new (void)
{
  struct cab_heap_model *heaps = XCNEW (struct cab_heap_model);
  heaps->blocks = splay_tree_new (splay_tree_compare_pointers, NULL, free_block);
  for (unsigned i = 0; i < N_HEAPS; i++)
    heaps->heap[i] = (struct heap) {
      .top = (2 * i + 1) * REGION << 8, .large_top = (2 * i + 2) * REGION << 8, .header = i == COLD ? 0 : HEADER,
      .least = i == COLD ? 8 : LEAST, .chunk = i == COLD ? 8 : CHUNK
    };
  return heaps;
}

void
cab_heap_model_free (struct cab_heap_model *heaps)
{
  splay_tree_delete (heaps->blocks);
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

/* The bytes that BLOCK has as proposed. */
static uint64_t
other_bytes (const struct cab_heap_block *block)
{
  const struct cab_layout *l = block->layout;
  uint64_t n = l ? block->bytes / l->structure->bytes : 0, rest = l ? block->bytes % l->structure->bytes : 0;
  return n && l->plan.kind != CAB_LAYOUT_KEEP ? n * l->plan.bytes + rest : block->bytes;
}

static uint64_t
cold_bytes (const struct cab_heap_block *block)
{
  const struct cab_layout *l = block->layout;
  return l && l->plan.kind == CAB_LAYOUT_SPLIT ? block->bytes / l->structure->bytes * l->plan.cold_bytes : 0;
}

static void
place_other (struct cab_heap_model *heaps, struct cab_heap_block *block)
{
  block->other = take (&heaps->heap[OTHER], other_bytes (block));
  block->cold = cold_bytes (block) ? take (&heaps->heap[COLD], cold_bytes (block)) : 0;
}

static void
give_back_other (struct cab_heap_model *heaps, const struct cab_heap_block *block)
{
  give_back (&heaps->heap[OTHER], block->other, other_bytes (block));
  give_back (&heaps->heap[COLD], block->cold, cold_bytes (block));
}

void
cab_heap_model_release (struct cab_heap_model *heaps, uint64_t start)
{
  splay_tree_node node = splay_tree_lookup (heaps->blocks, start);
  if (!node)
    return;
  const struct cab_heap_block *block = (const struct cab_heap_block *) node->value;
  give_back (&heaps->heap[SAME], block->same, block->bytes);
  give_back_other (heaps, block);
  heaps->last = NULL;
  splay_tree_remove (heaps->blocks, start);
}

void
cab_heap_model_allocate (struct cab_heap_model *heaps, uint64_t start, uint64_t bytes, const struct cab_layout *layout)
{
  struct cab_heap_block *block = XCNEW (struct cab_heap_block);
  cab_heap_model_release (heaps, start);
  *block = (struct cab_heap_block) { .start = start, .bytes = bytes, .layout = layout, .asked = layout != NULL };
  block->same = take (&heaps->heap[SAME], bytes);
  place_other (heaps, block);
  splay_tree_insert (heaps->blocks, start, (splay_tree_value) block);
}

struct cab_heap_block *
cab_heap_model_find (struct cab_heap_model *heaps, uint64_t address)
{
  struct cab_heap_block *block = heaps->last;
  if (block && address - block->start < block->bytes)
    return block;
  splay_tree_node node = splay_tree_lookup (heaps->blocks, address);
  node = node ? node : splay_tree_predecessor (heaps->blocks, address);
  block = node ? (struct cab_heap_block *) node->value : NULL;
  if (!block || address - block->start >= block->bytes)
    return NULL;
  heaps->last = block;
  return block;
}

void
cab_heap_model_type (struct cab_heap_model *heaps, struct cab_heap_block *block, const struct cab_layout *layout)
{
  give_back_other (heaps, block);
  block->layout = layout;
  block->asked = true;
  place_other (heaps, block);
}
