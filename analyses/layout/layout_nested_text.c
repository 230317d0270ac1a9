/* layout_nested_text.c - structures of arrays in structures as text.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_nested_text.h"
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout_arrays_text.h"
#include "analyses/layout/layout_pieces.h"
#include "analyses/layout/layout_text.h"

/* Return the dimensions of member M, an array of N elements: "[2][3]" as declared, else "[6]". */
static char *
dimensions (const struct cab_member *m, uint32_t n)
{
  char *marked = cab_layout_array_of (m->declaration, m->name, "\n");
  const char *behind = marked ? strchr (marked, '\n') + 1 : "";
  char *text = *behind == '[' ? xstrdup (behind) : xasprintf ("[%u]", n);
  free (marked);
  return text;
}

/* Write array number I of those that L becomes in another structure, with DIMENSIONS. */
static void
put_array (const struct cab_layout *l, uint32_t i, const char *dimensions, unsigned indent,
	   FILE *to)
{
  const struct cab_layout_array *array = &l->arrays.items[i];
  const struct cab_member *m = cab_layout_array_alone (l, array);
  uint32_t u = l->arrays.order[array->first];
  char *text = m ? cab_layout_array_of (m->declaration, m->name, dimensions) : NULL;
  char *name = cab_layout_array_name (l, i), *declarator = concat (name, dimensions, NULL);
  if (m && cab_layout_is_nested (l, &l->arrays, u))
    cab_layout_put_nested (l, &l->arrays, u, declarator, indent, to);
  else if (text)
    fprintf (to, "%*s%s;  /* bytes of each: %u */\n", (int) indent, "", text, array->bytes);
  else
    {
      char *inside = xasprintf ("%*s", (int) indent + 2, "");
      fprintf (to, "%*sstruct  /* bytes: %u */\n%*s{\n", (int) indent, "", array->bytes,
	       (int) indent, "");
      for (uint32_t k = array->first; k < array->first + array->n; k++)
	cab_layout_put_members (l, l->arrays.order[k], l->arrays.offset[l->arrays.order[k]], inside,
				to);
      fprintf (to, "%*s} %s;\n", (int) indent, "", declarator);
      free (inside);
    }
  free (declarator);
  free (name);
  free (text);
}

void
cab_layout_put_nested (const struct cab_layout *l, const struct cab_layout_arrays *arrays,
		       uint32_t u, const char *name, unsigned indent, FILE *to)
{
  const struct cab_layout *inner = arrays->within[u];
  const struct cab_member *m = &l->structure->members[l->units[u].first];
  char *inside = dimensions (m, l->units[u].bytes / inner->structure->bytes);
  fprintf (to, "%*sstruct  /* at %u, bytes: %u */\n%*s{\n", (int) indent, "", arrays->offset[u],
	   cab_layout_bytes_in (l, arrays, u), (int) indent, "");
  for (uint32_t i = 0; i < inner->arrays.n; i++)
    put_array (inner, i, inside, indent + 2, to);
  fprintf (to, "%*s} %s;\n", (int) indent, "", name);
  free (inside);
}

/* Write what becomes of an access through unit U of HOLDER, an array of Ls. */
static void
put_rule (const struct cab_layout *l, const struct cab_layout *holder, uint32_t u, FILE *to)
{
  const struct cab_layout_array *array = &l->arrays.items[0];
  const struct cab_member *m = &l->structure
				  ->members[l->units[l->arrays.order[array->first]].first];
  const char *unit = holder->structure->members[holder->units[u].first].name;
  char *name = cab_layout_array_name (l, 0);
  if (cab_member_is_named (m))
    fprintf (to, "/* a.%s[i].%s is now a.%s.%s[i]%s%s. */\n", unit, m->name, unit, name,
	     cab_layout_array_alone (l, array) ? "" : ".",
	     cab_layout_array_alone (l, array) ? "" : m->name);
  free (name);
}

static void
declare_holder (const struct cab_layout *l, const struct cab_layout *holder, FILE *to)
{
  const struct cab_layout_arrays *whole = &holder->whole;
  char *begin = cab_layout_opening (holder->structure),
       *end = cab_layout_closing (holder->structure);
  fprintf (to, "\n%s  /* bytes: %u */\n{\n", begin, whole->items[0].bytes);
  for (uint32_t u = 0; u < holder->n_units; u++)
    if (cab_layout_is_nested (holder, whole, u))
      cab_layout_put_nested (holder, whole, u,
			     holder->structure->members[holder->units[u].first].name, 2, to);
    else
      cab_layout_put_members (holder, u, whole->offset[u], "  ", to);
  fprintf (to, "%s\n", end);
  free (begin);
  free (end);
  for (uint32_t u = 0; u < holder->n_units; u++)
    if (cab_layout_is_nested (holder, whole, u) && whole->within[u]->structure == l->structure)
      put_rule (l, holder, u, to);
}

void
cab_layout_declare_holders (const struct cab_layout *layout, FILE *to)
{
  for (const struct cab_layout_holder *holder = layout->holders; holder; holder = holder->next)
    declare_holder (layout, holder->layout, to);
}
