/* flow.h - how often a function's blocks and edges were executed, from its paths.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each path adds to its start block, its edges and the blocks that they enter; a cut
 *             edge enters nothing, since the next path starts there.  The edge to the exit at a
 *             call that ends its path counts the calls that did not return.  A path that was not
 *             finished is left out (cab_model_unfinished returns how many).
 * Shapes:     block[record->n_blocks]; edge[record->n_edges], as record->edges.
 * Ownership:  the arrays are the caller's, until cab_flow_fini.
 */
#ifndef CAB_FLOW_H
#define CAB_FLOW_H

#include "analyses/profile/model.h"

#define CAB_FLOW_UNKNOWN UINT64_MAX   /* an edge that no path crosses and whose count nothing else
					 reveals */

struct cab_flow
{
  uint64_t *block, *edge;
  uint64_t *outside;     /* per block: arrivals by no edge with a count (abnormal edges) */
};

/* An edge with a count, as gcov has them: where paths are cut at calls, the empty block that was
   inserted into each edge after such a call is left out, and the edge leads to that block's
   successor. */
struct cab_arc
{
  uint32_t src, dst;
  uint64_t count;
};

/* Count the blocks and edges of FUNCTION, which must have a record. */
void cab_flow_init (struct cab_flow *flow, const struct cab_function *function);
void cab_flow_fini (struct cab_flow *flow);

/* Return which blocks the plugin has made on edges after calls (free): empty, with one edge out.
   The compiler's own graph, and gcov's, has none of them. */
bool *cab_flow_made (const struct cab_record *r);

/* Return the arcs, *N of them (free), sorted by source, then by the rank of the destination. */
struct cab_arc *cab_flow_arcs (const struct cab_flow *flow, const struct cab_record *record,
			       uint32_t *n);

/* Return the index of EDGE in record->edges. */
static inline uint32_t
cab_flow_index (const struct cab_record *record, const struct cab_edge *edge)
{
  return edge - record->edges;
}

#endif
