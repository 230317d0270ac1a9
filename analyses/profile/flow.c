/* flow.c - how often a function's blocks and edges were executed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/flow.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/walk.h"

static void
add_path (struct cab_flow *flow, const struct cab_record *r, const struct cab_walk *walk,
	  uint64_t n)
{
  flow->block[walk->start] += n;
  for (uint32_t i = 0; i < walk->n_edges; i++)
    {
      const struct cab_edge *e = walk->edges[i];
      flow->edge[cab_flow_index (r, e)] += n;
      if (!(e->flags & CAB_EDGE_CUT))
	flow->block[e->dst] += n;
    }
}

/* Set the counts of abnormal edges.  After a call that ends its path the next path starts, so the
   edge to the start of that path was taken as often as its block was executed.  Other abnormal
   edges have no count of their own; `outside' counts the arrivals that no edge accounts for. */
static void
settle (struct cab_flow *flow, const struct cab_record *r)
{
  uint32_t *n_in = XCNEWVEC (uint32_t, r->n_blocks);
  for (uint32_t i = 0; i < r->n_edges; i++)
    n_in[r->edges[i].dst]++;
  for (uint32_t b = 0; b < r->n_blocks; b++)
    flow->outside[b] = b == CAB_BLOCK_ENTRY ? 0 : flow->block[b];
  for (uint32_t i = 0; i < r->n_edges; i++)
    {
      const struct cab_edge *e = &r->edges[i];
      if (e->flags & CAB_EDGE_ABNORMAL)
	flow->edge[i] = n_in[e->dst] == 1 ? flow->block[e->dst] : CAB_FLOW_UNKNOWN;
      else if (e->flags & CAB_EDGE_NO_COUNT)
	flow->edge[i] = CAB_FLOW_UNKNOWN;
      if (flow->edge[i] != CAB_FLOW_UNKNOWN)
	flow->outside[e->dst] -= flow->edge[i] < flow->outside[e->dst] ? flow->edge[i]
								       : flow->outside[e->dst];
    }
  flow->outside[CAB_BLOCK_EXIT] = 0;
  free (n_in);
}

/* Reduce the edge to the exit at a call that ends its path, which has counted all calls so far, to
   the calls that did not return. */
static void
settle_calls (struct cab_flow *flow, const struct cab_record *r)
{
  for (uint32_t b = 0; b < r->n_blocks; b++)
    {
      const struct cab_block *block = &r->blocks[b];
      uint64_t back = 0, *fake = NULL;
      for (uint32_t i = 0; i < block->n_edges; i++)
	{
	  uint64_t *count = &flow->edge[cab_flow_index (r, &block->edges[i])];
	  if (block->edges[i].flags & CAB_EDGE_FAKE)
	    fake = count;
	  else if (*count != CAB_FLOW_UNKNOWN)
	    back += *count;
	}
      if (fake && *fake != CAB_FLOW_UNKNOWN)
	*fake -= back < *fake ? back : *fake;
    }
}

void
cab_flow_init (struct cab_flow *flow, const struct cab_function *function)
{
  const struct cab_record *r = function->record;
  struct cab_walk walk = { 0 };
  flow->block = XCNEWVEC (uint64_t, r->n_blocks + 1);
  flow->outside = XCNEWVEC (uint64_t, r->n_blocks + 1);
  flow->edge = XCNEWVEC (uint64_t, r->n_edges + 1);
  for (uint64_t p = 0; function->paths && p < function->n_paths; p++)
    if (function->paths[p] && cab_walk_path (&walk, r, p) == 0)
      add_path (flow, r, &walk, function->paths[p]);
  if (r->n_blocks > CAB_BLOCK_EXIT)
    {
      settle (flow, r);
      settle_calls (flow, r);
    }
  cab_walk_fini (&walk);
}

void
cab_flow_fini (struct cab_flow *flow)
{
  free (flow->block);
  free (flow->outside);
  free (flow->edge);
}

bool *
cab_flow_made (const struct cab_record *r)
{
  bool *made = XCNEWVEC (bool, r->n_blocks + 1);
  for (uint32_t i = 0; i < r->n_edges; i++)
    {
      const struct cab_edge *e = &r->edges[i];
      const struct cab_block *dst = &r->blocks[e->dst];
      made[e->dst] |= e->flags & CAB_EDGE_MADE && !dst->n_lines && dst->n_edges == 1
		   && dst->edges->dst != e->dst;
    }
  return made;
}

/* The record that by_ranks uses, since qsort passes no context. */
static const struct cab_record *ordered;

static int
by_ranks (const void *a, const void *b)
{
  const struct cab_arc *x = a, *y = b;
  uint32_t u = ordered->blocks[x->dst].rank, v = ordered->blocks[y->dst].rank;
  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  return u != v ? (u < v ? -1 : 1) : x->dst < y->dst ? -1 : x->dst > y->dst;
}

struct cab_arc *
cab_flow_arcs (const struct cab_flow *flow, const struct cab_record *r, uint32_t *n)
{
  struct cab_arc *arcs = XNEWVEC (struct cab_arc, r->n_edges + 1);
  bool *made = cab_flow_made (r);
  *n = 0;
  for (uint32_t i = 0; i < r->n_edges; i++)
    {
      const struct cab_edge *e = &r->edges[i];
      if (flow->edge[i] != CAB_FLOW_UNKNOWN && !made[e->src])
	arcs[(*n)++] = (struct cab_arc) { e->src,
					  made[e->dst] ? r->blocks[e->dst].edges->dst : e->dst,
					  flow->edge[i] };
    }
  ordered = r;
  qsort (arcs, *n, sizeof *arcs, by_ranks);
  free (made);
  return arcs;
}
