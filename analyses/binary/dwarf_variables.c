/* dwarf_variables.c - see dwarf_variables.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/dwarf_variables.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/binary/dwarf_die.h"

#define MOST_DEPTH 64
#define MOST_STEPS 8            /* limit of pointers, arrays and qualifiers that are followed */

struct search
{
  struct cab_dwarf dwarf;
  struct cab_dwarf_variable *found;
  uint32_t n, room;
};

static Dwarf_Die
type_of (struct search *s, Dwarf_Die die)
{
  Dwarf_Off offset;
  Dwarf_Error error;
  Dwarf_Die type;
  if (cab_dwarf_type_offset (die, &offset, &error) != DW_DLV_OK
      || dwarf_offdie_b (s->dwarf.dbg, offset, true, &type, &error) != DW_DLV_OK)
    return NULL;
  return type;
}

/* Return the type's name, or a text of what it is made of; "" unknown. */
static const char *
type_text (struct search *s, Dwarf_Die die, int steps)
{
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  char *name;
  const char *text = "";
  Dwarf_Die type = steps ? type_of (s, die) : NULL;
  if (!type)
    return steps == MOST_STEPS || !steps ? "" : "void";
  dwarf_tag (type, &tag, &error);
  if (dwarf_diename (type, &name, &error) == DW_DLV_OK)
    text = cab_names_copy (s->dwarf.names, name, strlen (name));
  else if (tag == DW_TAG_pointer_type || tag == DW_TAG_array_type)
    text = cab_names_format (s->dwarf.names, "%s%s", type_text (s, type, steps - 1),
			     tag == DW_TAG_array_type ? "[]" : " *");
  else if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type
	   || tag == DW_TAG_atomic_type)
    text = type_text (s, type, steps - 1);
  dwarf_dealloc_die (type);
  return text;
}

/* Return the structure that DIE's type is, or is an array of, as dwarf_variables.h defines it.  One
   that only a typedef names is called TYPEDEFED. */
static const char *
structure_of (struct search *s, Dwarf_Die die, const char *typedefed, int steps)
{
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  char *name = NULL;
  const char *text = "", *place, *file;
  uint32_t line;
  Dwarf_Die type = steps ? type_of (s, die) : NULL;
  if (!type)
    return "";
  dwarf_tag (type, &tag, &error);
  if (dwarf_diename (type, &name, &error) == DW_DLV_OK)
    name = cab_names_copy (s->dwarf.names, name, strlen (name));
  else
    name = NULL;
  if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
    {
      cab_dwarf_function (&s->dwarf, type, &place, &file, &line);
      text = name ? name : typedefed;
      if (!text)
	text = cab_names_format (s->dwarf.names, "{%s:%u}", lbasename (file), line);
    }
  else if (tag == DW_TAG_typedef || tag == DW_TAG_array_type || tag == DW_TAG_const_type
	   || tag == DW_TAG_volatile_type)
    text = structure_of (s, type, tag == DW_TAG_typedef ? name : typedefed, steps - 1);
  dwarf_dealloc_die (type);
  return text;
}

/* Set ADDRESS to that of DIE's variable.  Return false if it is not one constant address. */
static bool
address_of (Dwarf_Die die, uint64_t *address)
{
  Dwarf_Attribute attribute;
  Dwarf_Unsigned length = 0;
  Dwarf_Ptr bytes = NULL;
  Dwarf_Error error;
  if (dwarf_attr (die, DW_AT_location, &attribute, &error) != DW_DLV_OK)
    return false;
  bool good = dwarf_formexprloc (attribute, &length, &bytes, &error) == DW_DLV_OK
	   && length == 1 + sizeof *address && *(const unsigned char *) bytes == DW_OP_addr;
  if (good)
    memcpy (address, (const char *) bytes + 1, sizeof *address);
  dwarf_dealloc_attribute (attribute);
  return good;
}

/* Return the DIE that DIE's specification refers to, or null.  A static member has its type
   there. */
static Dwarf_Die
specification_of (struct search *s, Dwarf_Die die)
{
  Dwarf_Attribute attribute;
  Dwarf_Off offset;
  Dwarf_Error error;
  Dwarf_Die target = NULL;
  if (dwarf_attr (die, DW_AT_specification, &attribute, &error) != DW_DLV_OK)
    return NULL;
  if (dwarf_global_formref (attribute, &offset, &error) != DW_DLV_OK
      || dwarf_offdie_b (s->dwarf.dbg, offset, true, &target, &error) != DW_DLV_OK)
    target = NULL;
  dwarf_dealloc_attribute (attribute);
  return target;
}

static void
add_variable (struct search *s, Dwarf_Die die)
{
  struct cab_dwarf_variable v;
  const char *name;
  if (!address_of (die, &v.address))
    return;
  cab_dwarf_function (&s->dwarf, die, &name, &v.file, &v.line);
  Dwarf_Die declared = specification_of (s, die);
  v.type = type_text (s, declared ? declared : die, MOST_STEPS);
  v.structure = structure_of (s, declared ? declared : die, NULL, MOST_STEPS);
  if (declared)
    dwarf_dealloc_die (declared);
  if (s->n == s->room)
    s->found = XRESIZEVEC (struct cab_dwarf_variable, s->found, s->room = 2 * s->room + 64);
  s->found[s->n++] = v;
}

static void
walk_children (struct search *s, Dwarf_Die die, int depth)
{
  Dwarf_Die child, next;
  Dwarf_Error error;
  if (depth > MOST_DEPTH || dwarf_child (die, &child, &error) != DW_DLV_OK)
    return;
  for (bool more = true; more; child = next)
    {
      Dwarf_Half tag = 0;
      dwarf_tag (child, &tag, &error);
      if (tag == DW_TAG_variable || tag == DW_TAG_common_block)
	add_variable (s, child);
      else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace
	       || tag == DW_TAG_module)
	walk_children (s, child, depth + 1);
      more = dwarf_siblingof_b (s->dwarf.dbg, child, true, &next, &error) == DW_DLV_OK;
      dwarf_dealloc_die (child);
    }
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
  struct search s = { .dwarf.names = names };
  Dwarf_Error error = NULL;
  Dwarf_Die unit;
  int opened = cab_dwarf_open (path, &s.dwarf.dbg, &error);
  if (opened == DW_DLV_OK)
    {
      while (cab_dwarf_next_unit (&s.dwarf))
	if (dwarf_siblingof_b (s.dwarf.dbg, NULL, true, &unit, &error) == DW_DLV_OK)
	  {
	    walk_children (&s, unit, 0);
	    dwarf_dealloc_die (unit);
	  }
      cab_dwarf_close (s.dwarf.dbg);
    }
  else if (opened == DW_DLV_ERROR)
    dwarf_dealloc_error (NULL, error);
  free (s.dwarf.units);
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
