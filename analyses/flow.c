/* flow.c - how often were a function's blocks and edges executed?
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "flow.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/walk.h"

static void
add_path (struct cab_flow *flow, const struct cab_record *r, const struct cab_walk *walk, uint64_t n)
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

/* Behind a call that ends its path the next path starts: so often the edge to it was taken.  Other abnormal edges have no count of
   their own; what they brought is what no edge accounts for. */
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
	flow->outside[e->dst] -= flow->edge[i] < flow->outside[e->dst] ? flow->edge[i] : flow->outside[e->dst];
    }
  flow->outside[CAB_BLOCK_EXIT] = 0;
  free (n_in);
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
    settle (flow, r);
  cab_walk_fini (&walk);
}

void
cab_flow_fini (struct cab_flow *flow)
{
  free (flow->block);
  free (flow->outside);
  free (flow->edge);
}
