/* gcda_flow.c - the counters of a function, from its paths.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/gcda/gcda.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/flow.h"

/* A function's counts, and what is needed to complete paths. */
struct completion
{
  const struct cab_record *r;
  struct cab_flow *flow;
  bool *returning;                 /* per edge */
  uint64_t *in;                    /* per block: arrivals.  A path that was not finished has not
				      entered the block that it began in, but the path before it
				      has. */
  const struct cab_edge **from;    /* per block: the edge by which a search reached it, or null */
  uint32_t *queue;
};

/* Return true if activations may end in BLOCK without an edge that has a count. */
static bool
may_end (const struct completion *c, const struct cab_block *block)
{
  for (uint32_t i = 0; i < block->n_edges; i++)
    {
      uint32_t index = cab_flow_index (c->r, &block->edges[i]);
      uint32_t flags = block->edges[i].flags;
      if (c->flow->edge[index] == CAB_FLOW_UNKNOWN
	  || ((flags & CAB_EDGE_FAKE) && !c->returning[index]))
	return true;
    }
  return !block->n_edges;
}

/* Return how many activations were in block B, or in a call at its end that must return, when their
   process ended. */
static uint64_t
under_way (const struct completion *c, uint32_t b)
{
  const struct cab_block *block = &c->r->blocks[b];
  uint64_t out = 0;
  for (uint32_t i = 0; i < block->n_edges; i++)
    {
      uint32_t index = cab_flow_index (c->r, &block->edges[i]);
      if (c->returning[index])
	c->flow->edge[index] = 0;
      if (c->flow->edge[index] == CAB_FLOW_UNKNOWN)
	return 0;
      out += c->flow->edge[index];
    }
  return c->in[b] > out && !may_end (c, block) ? c->in[b] - out : 0;
}

/* Search the shortest way from block B to where an activation may end.  Return that block, with
   c->from of each block on the way; or B if there is none. */
static uint32_t
search (struct completion *c, uint32_t b)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->r->n_blocks; i++)
    c->from[i] = NULL;
  c->queue[n++] = b;
  for (uint32_t next = 0; next < n; next++)
    {
      const struct cab_block *block = &c->r->blocks[c->queue[next]];
      if (c->queue[next] == CAB_BLOCK_EXIT || (next && may_end (c, block)))
	return c->queue[next];
      for (uint32_t i = 0; i < block->n_edges; i++)
	{
	  const struct cab_edge *e = &block->edges[i];
	  if (c->from[e->dst] || e->dst == b || e->flags & (CAB_EDGE_FAKE | CAB_EDGE_NO_COUNT))
	    continue;
	  c->from[e->dst] = e;
	  c->queue[n++] = e->dst;
	}
    }
  return b;
}

static void
complete (struct completion *c, uint32_t b)
{
  uint64_t n = under_way (c, b);
  if (!n)
    return;
  for (uint32_t at = search (c, b); at != b; at = c->from[at]->src)
    {
      c->flow->edge[cab_flow_index (c->r, c->from[at])] += n;
      c->in[at] += n;
    }
}

static void
count_arrivals (struct completion *c)
{
  const struct cab_record *r = c->r;
  for (uint32_t i = 0; i < r->n_edges; i++)
    if (c->flow->edge[i] != CAB_FLOW_UNKNOWN)
      c->in[r->edges[i].dst] += c->flow->edge[i];
  for (uint32_t b = 0; b < r->n_blocks; b++)
    if (c->in[b] < c->flow->block[b])
      c->in[b] = c->flow->block[b];
}

/* Complete the paths that were under way in FLOW, and set BLOCKS, which are zeros, to how often
   each block was executed. */
static void
complete_all (const struct cab_record *r, struct cab_flow *flow, uint64_t *blocks)
{
  struct completion c = { r, flow, XCNEWVEC (bool, r->n_edges + 1), blocks,
			  XCNEWVEC (const struct cab_edge *, r->n_blocks + 1),
			  XCNEWVEC (uint32_t, r->n_blocks + 1) };
  for (uint32_t i = 0; i < r->n_returning; i++)
    c.returning[r->returning[i]] = true;
  count_arrivals (&c);
  for (uint32_t b = CAB_BLOCK_EXIT + 1; b < r->n_blocks; b++)
    complete (&c, b);
  free (c.returning);
  free (c.from);
  free (c.queue);
}

bool
cab_gcda_counters (const struct cab_function *function, uint64_t *counts, uint64_t *blocks)
{
  const struct cab_record *r = function->record;
  struct cab_flow flow;
  bool known = true;
  cab_flow_init (&flow, function);
  complete_all (r, &flow, blocks);
  for (uint32_t i = 0; i < r->gcov.n_counters; i++)
    {
      counts[i] = flow.edge[r->counters[i]];
      known &= counts[i] != CAB_FLOW_UNKNOWN;
    }
  cab_flow_fini (&flow);
  return known;
}
