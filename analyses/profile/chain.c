/* chain.c - see chain.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/chain.h"
#include "analyses/live/an_tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define MOST_FRAMES 64   /* of a context, as a text; the rest is "..." */

/* Append NAME to TEXT, which has *LENGTH bytes. */
static void
put (char **text, size_t *length, const char *name)
{
  size_t n = strlen (name);
  *text = XRESIZEVEC (char, *text, *length + n + 1);
  memcpy (*text + *length, name, n + 1);
  *length += n;
}

const char *
cab_chain_text (struct cab_names *names, const struct cab_arena *tree, uint32_t node,
		const struct cab_chain_names *known)
{
  char *text = NULL;
  size_t length = 0, frames = 0;
  uint32_t line = 0;
  if (!node || node >= cab_tree_n (tree))
    return "(outside)";
  for (; node && frames < MOST_FRAMES; frames++)
    {
      const struct cab_tree_node *n = cab_tree_at (tree, node);
      const char *function = known->function (known->host, n->callee);
      char at[16];
      snprintf (at, sizeof at, line ? ":%u" : "", line);
      put (&text, &length, frames ? " < " : "");
      put (&text, &length, function ? function : "?");
      put (&text, &length, at);
      line = n->site ? known->line (known->host, n->site) : 0;
      node = n->parent;
    }
  if (node)
    put (&text, &length, " < ...");
  const char *copy = cab_names_copy (names, text, length);
  free (text);
  return copy;
}
