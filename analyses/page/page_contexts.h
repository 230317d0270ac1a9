/* page_contexts.h - the calling-context tree with all that was counted by context, as JSON.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes:     { n, left_out, functions: [[name, file, line], ...], parent, function, line: [nodes],
 *             measures: [{ key, title, unit, total, self: [nodes], rest: [nodes] }, ...] }.  Node 0
 *             is the root, and its function is -1; a parent comes before its children.  `line' is
 *             that of the call.  `rest' is what nodes below have that were left out, so that
 *             inclusive = self + rest + that of the children.
 */
#ifndef CAB_PAGE_CONTEXTS_H
#define CAB_PAGE_CONTEXTS_H

#include <jansson.h>
#include "analyses/profile/model.h"

/* Return the tree of MODEL, with the LIMIT heaviest nodes; 0: all.  Return null in JSON if there is
   no tree. */
json_t *cab_page_contexts (struct cab_model *model, size_t limit);

#endif
