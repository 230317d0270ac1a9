/* layout_arrays_text.c - structures of arrays as text.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_arrays_text.h"
#include <ctype.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout_nested_text.h"
#include "analyses/layout/layout_pieces.h"
#include "analyses/layout/layout_text.h"
#include "analyses/base/table.h"

#define MOST_NAMES 3

/* Replace what cannot be in an identifier of C in NAME by underscores. */
static char *
identifier (char *name)
{
  for (char *p = name; *p; p++)
    if (!isalnum ((unsigned char) *p))
      *p = '_';
  return name;
}

const struct cab_member *
cab_layout_array_alone (const struct cab_layout *l, const struct cab_layout_array *array)
{
  const struct cab_layout_unit *unit = &l->units[l->arrays.order[array->first]];
  const struct cab_member *m = &l->structure->members[unit->first];
  return array->n == 1 && unit->n == 1 && !m->bit_field && cab_member_is_named (m) ? m : NULL;
}

/* Return the first members of ARRAY, joined, and the number of others. */
static char *
joined (const struct cab_layout *l, const struct cab_layout_array *array)
{
  uint32_t n = 0;
  char *name = NULL;
  for (uint32_t k = array->first; k < array->first + array->n; k++)
    for (uint32_t i = 0; i < l->units[l->arrays.order[k]].n; i++, n++)
      {
	const struct cab_member *m = &l->structure->members[l->units[l->arrays.order[k]].first + i];
	char *own = cab_member_is_named (m) ? xstrdup (m->name) : xasprintf ("at_%u", m->offset);
	if (n < MOST_NAMES)
	  name = name ? reconcat (name, name, "_", own, NULL) : xstrdup (own);
	free (own);
      }
  char *whole = n > MOST_NAMES ? xasprintf ("%s_and_%u_more", name, n - MOST_NAMES)
			       : xstrdup (name);
  free (name);
  return identifier (whole);
}

/* Return true if NAME is that of a member, or one of the first N NAMES. */
static bool
is_taken (const struct cab_layout *l, char **names, uint32_t n, const char *name)
{
  for (uint32_t i = 0; i < l->structure->n_members; i++)
    if (!strcmp (l->structure->members[i].name, name))
      return true;
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp (names[i], name))
      return true;
  return false;
}

char *
cab_layout_array_name (const struct cab_layout *l, uint32_t array)
{
  char **names = XNEWVEC (char *, array + 1), *name;
  for (uint32_t i = 0; i <= array; i++)
    {
      const struct cab_member *m = cab_layout_array_alone (l, &l->arrays.items[i]);
      names[i] = m ? xstrdup (m->name) : joined (l, &l->arrays.items[i]);
      while (!m && is_taken (l, names, i, names[i]))
	names[i] = reconcat (names[i], names[i], "_", NULL);
    }
  name = names[array];
  for (uint32_t i = 0; i < array; i++)
    free (names[i]);
  free (names);
  return name;
}

/* Return true if the word of LENGTH at AT in TEXT is what is declared, and not a type. */
static bool
is_declared (const char *text, const char *at, size_t length)
{
  static const char *const tags[] = { "struct ", "union ", "enum ", "::" };
  const char *behind = at + length + strspn (at + length, " ");
  if (at == text || isalnum ((unsigned char) at[-1]) || at[-1] == '_' || !strchr ("[)", *behind))
    return false;
  for (size_t i = 0; i < ARRAY_SIZE (tags); i++)
    if ((size_t) (at - text) >= strlen (tags[i])
	&& !strncmp (at - strlen (tags[i]), tags[i], strlen (tags[i])))
      return false;
  return true;
}

/* Return where in DECLARATION its NAME is, outside of braces, or null. */
static const char *
find_name (const char *declaration, const char *name)
{
  size_t length = strlen (name);
  unsigned depth = 0;
  for (const char *at = declaration; length && *at; at++)
    {
      depth += (*at == '{') - (*at == '}');
      if (!depth && !strncmp (at, name, length) && is_declared (declaration, at, length))
	return at;
    }
  return NULL;
}

char *
cab_layout_pointer_to (const char *declaration, const char *name)
{
  const char *at = find_name (declaration, name), *end = at ? at + strlen (name) : NULL;
  return !at ? NULL
	     : xasprintf ("%.*s%s%s%s%s", (int) (at - declaration), declaration, *end ? "(*" : "*",
			  name, *end ? ")" : "", end);
}

char *
cab_layout_array_of (const char *declaration, const char *name, const char *dimensions)
{
  const char *at = find_name (declaration, name), *end = at ? at + strlen (name) : NULL;
  return !at ? NULL
	     : xasprintf ("%.*s%s%s", (int) (end - declaration), declaration, dimensions, end);
}

static void
put_array (const struct cab_layout *l, uint32_t i, FILE *to)
{
  const struct cab_layout_arrays *arrays = &l->arrays;
  const struct cab_layout_array *array = &arrays->items[i];
  const struct cab_member *m = cab_layout_array_alone (l, array);
  char text[32], *pointer = m ? cab_layout_pointer_to (m->declaration, m->name) : NULL,
		 *name = cab_layout_array_name (l, i);
  if (m && cab_layout_is_nested (l, arrays, arrays->order[array->first]))
    {
      char *declarator = xasprintf ("*%s", name);
      cab_layout_put_nested (l, arrays, arrays->order[array->first], declarator, 2, to);
      free (declarator);
    }
  else if (pointer)
    fprintf (to, "  %s;  /* bytes: %u, accesses: %s */\n", pointer, array->bytes,
	     cab_layout_accesses (&l->units[arrays->order[array->first]], text));
  else
    {
      fprintf (to, "  struct  /* bytes: %u */\n  {\n", array->bytes);
      for (uint32_t k = array->first; k < array->first + array->n; k++)
	cab_layout_put_members (l, arrays->order[k], arrays->offset[arrays->order[k]], "    ", to);
      fprintf (to, "  } *%s;\n", name);
    }
  free (pointer);
  free (name);
}

/* Write what becomes of a[i].MEMBER, for the first array that has one member, and for the first
   that has several. */
static void
put_rules (const struct cab_layout *l, FILE *to)
{
  bool said[2] = { false, false };
  fputs ("/* Element i of each array is of the structure that was number i", to);
  for (uint32_t i = 0; i < l->arrays.n; i++)
    {
      const struct cab_layout_array *array = &l->arrays.items[i];
      const struct cab_member *m = &l->structure
				      ->members[l->units[l->arrays.order[array->first]].first];
      char *pointer = cab_layout_array_alone (l, array)
		      ? cab_layout_pointer_to (m->declaration, m->name)
		      : NULL,
	   *name = cab_layout_array_name (l, i);
      if (cab_member_is_named (m) && !said[pointer != NULL])
	{
	  fprintf (to, "%s a[i].%s is now a.%s[i]", said[0] || said[1] ? "," : ":", m->name, name);
	  if (!pointer)
	    fprintf (to, ".%s", m->name);
	  said[pointer != NULL] = true;
	}
      free (pointer);
      free (name);
    }
  fputs (".\n   What pointed to a structure is its number. */\n", to);
}

void
cab_layout_declare_arrays (const struct cab_layout *layout, FILE *to)
{
  if (!layout->arrays.n)
    return;
  char *name = identifier (cab_layout_made_of (layout->structure, "arrays"));
  fprintf (to, "struct %s\n{\n", name);
  for (uint32_t i = 0; i < layout->arrays.n; i++)
    put_array (layout, i, to);
  fputs ("};\n", to);
  put_rules (layout, to);
  cab_layout_declare_holders (layout, to);
  free (name);
}

char *
cab_layout_arrays_words (const struct cab_layout *layout)
{
  const struct cab_layout_arrays *arrays = &layout->arrays;
  if (!arrays->n)
    return xasprintf ("no: %s", arrays->why);
  char *bytes = NULL;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < arrays->n && i < 8; i++)
    {
      char *one = xasprintf ("%s%u", i ? " + " : "", arrays->items[i].bytes);
      bytes = bytes ? reconcat (bytes, bytes, one, NULL) : xstrdup (one);
      free (one);
    }
  for (uint32_t i = 0; i < arrays->n; i++)
    sum += arrays->items[i].bytes;
  char *words = xasprintf ("%u arrays, %s%s = %u bytes for each element instead of %u", arrays->n,
			   bytes, arrays->n > 8 ? " + ..." : "", sum, layout->structure->bytes);
  free (bytes);
  return words;
}
