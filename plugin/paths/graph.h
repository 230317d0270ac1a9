/* graph.h - prepare the control-flow graph for path numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_GRAPH_H
#define CABPROF_PATHS_GRAPH_H

#include "plugin/paths/body.h"

/* Split the edges that need it, and note in body->cut where paths end within a block.  This is
   called before anything else looks at the graph. */
extern void cab_graph_prepare (struct cab_body *body);

/* Give each jump out of BB that stands on a line of its own a block of its own, or its line would
   have no count. */
extern void cab_graph_split_jumps (basic_block bb);

#endif
