/* dwarf_variables.c - see dwarf_variables.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/dwarf_variables.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/binary/dwarf_walk.h"

#define MOST_STEPS 8            /* limit of pointers, arrays and qualifiers that are followed */

struct search
{
  struct cab_dwarf_variable *found;
  uint32_t n, room;
};

/* Return the type's name, or a text of what it is made of; "" unknown. */
static const char *
type_text (struct cab_dwarf *dwarf, Dwarf_Die die, int steps)
{
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  char *name;
  const char *text = "";
  Dwarf_Die type = steps ? cab_dwarf_type (dwarf, die) : NULL;
  if (!type)
    return steps == MOST_STEPS || !steps ? "" : "void";
  dwarf_tag (type, &tag, &error);
  if (dwarf_diename (type, &name, &error) == DW_DLV_OK)
    text = cab_names_copy (dwarf->names, name, strlen (name));
  else if (tag == DW_TAG_pointer_type || tag == DW_TAG_array_type)
    text = cab_names_format (dwarf->names, "%s%s", type_text (dwarf, type, steps - 1),
			     tag == DW_TAG_array_type ? "[]" : " *");
  else if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type
	   || tag == DW_TAG_atomic_type)
    text = type_text (dwarf, type, steps - 1);
  dwarf_dealloc_die (type);
  return text;
}

/* Return the structure that DIE's type is, or is an array of, as dwarf_variables.h defines it.  One
   that only a typedef names is called TYPEDEFED. */
static const char *
structure_of (struct cab_dwarf *dwarf, Dwarf_Die die, const char *typedefed, int steps)
{
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  char *name = NULL;
  const char *text = "", *place, *file;
  uint32_t line;
  Dwarf_Die type = steps ? cab_dwarf_type (dwarf, die) : NULL;
  if (!type)
    return "";
  dwarf_tag (type, &tag, &error);
  if (dwarf_diename (type, &name, &error) == DW_DLV_OK)
    name = cab_names_copy (dwarf->names, name, strlen (name));
  else
    name = NULL;
  if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
    {
      cab_dwarf_function (dwarf, type, &place, &file, &line);
      text = name ? name : typedefed;
      if (!text)
	text = cab_names_format (dwarf->names, "{%s:%u}", lbasename (file), line);
    }
  else if (tag == DW_TAG_typedef || tag == DW_TAG_array_type || tag == DW_TAG_const_type
	   || tag == DW_TAG_volatile_type)
    text = structure_of (dwarf, type, tag == DW_TAG_typedef ? name : typedefed, steps - 1);
  dwarf_dealloc_die (type);
  return text;
}

static void
add_variable (void *host, struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Die typed,
	      uint64_t address)
{
  struct search *s = host;
  struct cab_dwarf_variable v = { .address = address };
  const char *name;
  cab_dwarf_function (dwarf, die, &name, &v.file, &v.line);
  v.type = type_text (dwarf, typed, MOST_STEPS);
  v.structure = structure_of (dwarf, typed, NULL, MOST_STEPS);
  if (s->n == s->room)
    s->found = XRESIZEVEC (struct cab_dwarf_variable, s->found, s->room = 2 * s->room + 64);
  s->found[s->n++] = v;
}

static int
by_address (const void *a, const void *b)
{
  const struct cab_dwarf_variable *x = a, *y = b;
  return (x->address > y->address) - (x->address < y->address);
}

struct cab_dwarf_variable *
cab_dwarf_variables (const char *path, struct cab_names *names, uint32_t *n)
{
  struct search s = { NULL, 0, 0 };
  cab_dwarf_each_variable (path, names, add_variable, &s);
  if (s.n)
    qsort (s.found, s.n, sizeof *s.found, by_address);
  *n = s.n;
  return s.found;
}

const struct cab_dwarf_variable *
cab_dwarf_variable_at (const struct cab_dwarf_variable *variables, uint32_t n, uint64_t address)
{
  for (uint32_t low = 0, high = n; low < high;)
    {
      uint32_t middle = low + (high - low) / 2;
      if (variables[middle].address == address)
	return &variables[middle];
      if (variables[middle].address < address)
	low = middle + 1;
      else
	high = middle;
    }
  return NULL;
}
