/* loops_lto.cc - how loop tables reach a link-time compilation.
   SPDX-License-Identifier: GPL-3.0-or-later

   A table is an attribute of its function, because attributes stay with it even
   where it was inlined elsewhere.  Two functions whose attributes differ are never folded into one;
   but of a list that is an attribute's value GCC compares only the values of its elements, not
   their purposes.  So the table is the purpose of an element, and the attribute does not change the
   code. */
#include "plugin/loops/loops_lto.h"

#define ATTRIBUTE "cabprof loops"   /* the blank keeps a source from naming it */

void
cab_loops_attach (const cab_source_loops *table, tree fndecl)
{
  struct obstack ob;
  gcc_obstack_init (&ob);
  for (const cab_source_loop &loop : table->loops)
    {
      char *line = xasprintf ("%d:%d %u %u %d %d:%d %d:%d %s\n", loop.place.line, loop.place.column,
			      loop.ordinal, loop.flags, loop.parent, loop.first.line,
			      loop.first.column, loop.last.line, loop.last.column,
			      loop.place.file ? remap_debug_filename (loop.place.file) : "?");
      obstack_grow (&ob, line, strlen (line));
      free (line);
    }
  tree text = build_string (obstack_object_size (&ob), (char *) obstack_base (&ob));
  obstack_free (&ob, NULL);
  tree list = tree_cons (text, integer_zero_node, NULL_TREE);
  DECL_ATTRIBUTES (fndecl) = tree_cons (get_identifier (ATTRIBUTE), list, DECL_ATTRIBUTES (fndecl));
}

/* Return the name that FNDECL had when its unit was compiled; the link may have made a local name
   unique. */
static char *
compiled_name (tree fndecl)
{
  char *name = xstrdup (
    targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl))));
  if (char *suffix = strstr (name, ".lto_priv."))
    *suffix = 0;
  return name;
}

/* Add the loop that LINE, up to END, describes to TABLE.  Return false if the line is mangled. */
static bool
add_loop (cab_source_loops *table, const char *line, const char *end)
{
  cab_source_loop loop = {};
  int n = 0;
  sscanf (line, "%d:%d %u %u %d %d:%d %d:%d %n", &loop.place.line, &loop.place.column,
	  &loop.ordinal, &loop.flags, &loop.parent, &loop.first.line, &loop.first.column,
	  &loop.last.line, &loop.last.column, &n);
  if (!n || line + n > end || loop.parent < -1 || loop.parent >= (int) table->loops.length ())
    return false;
  loop.place.file = xstrndup (line + n, end - line - n);
  loop.last_line = loop.last.line;
  loop.depth = loop.parent < 0 ? 1 : table->loops[loop.parent].depth + 1;
  loop.num = -1;
  table->loops.safe_push (loop);
  return true;
}

cab_source_loops *
cab_loops_attached (tree fndecl)
{
  tree attribute = lookup_attribute (ATTRIBUTE, DECL_ATTRIBUTES (fndecl));
  tree text = attribute && TREE_VALUE (attribute) ? TREE_PURPOSE (TREE_VALUE (attribute))
						  : NULL_TREE;
  if (!text || TREE_CODE (text) != STRING_CST)
    return NULL;
  cab_source_loops *table = XCNEW (cab_source_loops);
  table->uid = DECL_UID (fndecl);
  table->declared = DECL_SOURCE_LOCATION (fndecl);
  table->function = compiled_name (fndecl);
  table->name = xstrdup (table->function);
  const char *line = TREE_STRING_POINTER (text), *end = line + TREE_STRING_LENGTH (text);
  while (const char *next = (const char *) memchr (line, '\n', end - line))
    {
      if (!add_loop (table, line, next))
	break;
      line = next + 1;
    }
  return table;
}
