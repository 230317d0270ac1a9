/* walk.c - map a path's number to the edges that it takes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/walk.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>

uint64_t
cab_walk_start_end (const struct cab_record *record, uint32_t s)
{
  return s + 1 < record->n_starts ? record->starts[s + 1].base : record->n_paths;
}

/* Return the start line of PATH: the one with the largest base that is not above it. */
static const struct cab_start *
start_of (const struct cab_record *record, uint64_t path)
{
  uint32_t low = 0, high = record->n_starts;
  while (high - low > 1)
    {
      uint32_t middle = low + (high - low) / 2;
      if (record->starts[middle].base <= path)
	low = middle;
      else
	high = middle;
    }
  return &record->starts[low];
}

/* Return the edge that a path with the remainder V takes out of BLOCK.  Of equal values it is the
   last: an edge from which no path's end is reached (control always ends after it without a count)
   adds nothing to the value of the next edge. */
static const struct cab_edge *
step (const struct cab_block *block, uint64_t v)
{
  const struct cab_edge *best = NULL;
  for (uint32_t i = 0; i < block->n_edges; i++)
    {
      const struct cab_edge *e = &block->edges[i];
      if (!(e->flags & (CAB_EDGE_ABNORMAL | CAB_EDGE_NO_COUNT)) && e->value <= v
	  && (!best || e->value >= best->value))
	best = e;
    }
  return best;
}

int
cab_walk_path (struct cab_walk *walk, const struct cab_record *record, uint64_t path)
{
  if (path >= record->n_paths || !record->n_starts)
    return -1;
  const struct cab_start *start = start_of (record, path);
  const struct cab_edge *e;
  uint64_t v = path - start->base;
  walk->start = start->block;
  walk->n_edges = 0;
  for (uint32_t block = start->block; walk->n_edges <= record->n_blocks; block = e->dst)
    {
      if (!(e = step (&record->blocks[block], v)))
	return -1;
      if (walk->n_edges == walk->room)
	walk->edges = XRESIZEVEC (const struct cab_edge *, walk->edges, walk->room += 64);
      walk->edges[walk->n_edges++] = e;
      v -= e->value;
      if (e->flags & CAB_EDGE_CUT || e->dst == CAB_BLOCK_EXIT)
	return v ? -1 : 0;
    }
  return -1;
}

void
cab_walk_fini (struct cab_walk *walk)
{
  free (walk->edges);
  *walk = (struct cab_walk) { 0 };
}

bool
cab_walk_returns (const struct cab_walk *walk)
{
  const struct cab_edge *last = walk->edges[walk->n_edges - 1];
  return last->dst == CAB_BLOCK_EXIT && !(last->flags & CAB_EDGE_FAKE);
}
