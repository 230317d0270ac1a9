/* chain.h - a calling context as a text: "callee < caller:line < its caller:line".
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a node of the tree of the analysis `tree', from the function that was entered last up
 *             to the thread's start; a line is that of the call.
 * Ownership:  texts live in NAMES.
 */
#ifndef CAB_CHAIN_H
#define CAB_CHAIN_H

#include <stdint.h>
#include "analyses/base/names.h"
#include "cabprof/analysis.h"

/* What the tree's numbers mean. `function' returns a function's name as displayed, or null if it is
   not known; `line' returns the line of a call site, or 0 if it is not known. */
struct cab_chain_names
{
  void *host;
  const char *(*function) (void *host, uint32_t callee);
  uint32_t (*line) (void *host, uint32_t site);
};

/* Return the calling context of NODE of TREE as a text, or "(outside)" if there is no such node. */
const char *cab_chain_text (struct cab_names *names, const struct cab_arena *tree, uint32_t node,
			    const struct cab_chain_names *known);

#endif
