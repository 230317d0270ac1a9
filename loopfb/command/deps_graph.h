/* deps_graph.h - the dependences of one loop as a graph.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      nodes are variables on lines of the source, edges are dependences that the loop
 *             carries, from the earlier access to the later one.
 */
#ifndef CAB_DEPS_GRAPH_H
#define CAB_DEPS_GRAPH_H

#include <stdio.h>
#include "analyses/report/deps/deps_facts.h"

enum cab_deps_graph_form { CAB_DEPS_DOT, CAB_DEPS_SVG };

/* Write the graph of LOOP to TO. */
void cab_deps_graph (const struct cab_deps_facts *facts, uint32_t loop,
		     enum cab_deps_graph_form form, FILE *to);
/* Return the loop at PLACE, FILE:LINE, where the file's trailing part will do; UINT32_MAX if there
   is none, or several. */
uint32_t cab_deps_graph_find (const struct cab_deps_view *view, const char *place);

#endif
