/* dwarf_fields.c - see dwarf_fields.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/dwarf_fields.h"
#include <stdio.h>
#include <string.h>
#include "analyses/binary/dwarf_walk.h"

#define MOST_STEPS 32           /* limit of members, arrays and qualifiers that are followed */
#define MOST_TEXT 512

struct search
{
  struct cab_dwarf_byte *bytes;
  uint32_t n;
};

/* The text of a field, as far as it is known. */
struct field
{
  char text[MOST_TEXT];
  size_t length;
};

static void field_in (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t offset, int steps,
		      struct field *field);

static void
put (struct field *field, const char *before, const char *name)
{
  int n = snprintf (field->text + field->length, sizeof field->text - field->length, "%s%s",
		    before, name);
  field->length += n;
  if (field->length >= sizeof field->text)
    field->length = sizeof field->text - 1;
}

/* Return the size of DIE's type in bytes, 0 if it is unknown. */
static uint64_t
size_of (struct cab_dwarf *dwarf, Dwarf_Die die, int steps)
{
  Dwarf_Unsigned size = 0;
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  Dwarf_Die type = steps ? cab_dwarf_type (dwarf, die) : NULL;
  if (!type)
    return 0;
  dwarf_tag (type, &tag, &error);
  if (dwarf_bytesize (type, &size, &error) != DW_DLV_OK)
    size = tag == DW_TAG_array_type ? 0 : size_of (dwarf, type, steps - 1);
  dwarf_dealloc_die (type);
  return size;
}

/* Return true if MEMBER, a member or base, holds the byte at OFFSET, and set *START to where it
   begins.  One without a size, as an array is, reaches to the next member.  A static member is
   elsewhere. */
static bool
holds (struct cab_dwarf *dwarf, Dwarf_Die member, uint64_t offset, uint64_t *start)
{
  Dwarf_Bool external = false;
  Dwarf_Error error;
  if (dwarf_hasattr (member, DW_AT_external, &external, &error) == DW_DLV_OK && external)
    return false;
  *start = cab_dwarf_number (dwarf, member, DW_AT_data_member_location);
  uint64_t size = size_of (dwarf, member, MOST_STEPS);
  return offset >= *start && (!size || offset - *start < size);
}

/* Return the member or base of the structure TYPE that holds the byte at OFFSET, which the caller
   frees, or null; set *START to where it begins. */
static Dwarf_Die
member_at (struct cab_dwarf *dwarf, Dwarf_Die type, uint64_t offset, uint64_t *start)
{
  Dwarf_Die child, next, found = NULL;
  Dwarf_Error error;
  if (dwarf_child (type, &child, &error) != DW_DLV_OK)
    return NULL;
  for (bool more = true; more; child = next)
    {
      Dwarf_Half tag = 0;
      uint64_t at;
      dwarf_tag (child, &tag, &error);
      bool better = (tag == DW_TAG_member || tag == DW_TAG_inheritance)
		 && holds (dwarf, child, offset, &at) && (!found || at > *start);
      more = dwarf_siblingof_b (dwarf->dbg, child, true, &next, &error) == DW_DLV_OK;
      if (better)
	{
	  if (found)
	    dwarf_dealloc_die (found);
	  found = child;
	  *start = at;
	}
      else
	dwarf_dealloc_die (child);
    }
  return found;
}

static void
in_structure (struct cab_dwarf *dwarf, Dwarf_Die type, uint64_t offset, int steps,
	      struct field *field)
{
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  char *name;
  uint64_t start = 0;
  Dwarf_Die member = member_at (dwarf, type, offset, &start);
  if (!member)
    return;
  dwarf_tag (member, &tag, &error);
  if (tag == DW_TAG_member && dwarf_diename (member, &name, &error) == DW_DLV_OK)
    put (field, ".", name);
  field_in (dwarf, member, offset - start, steps, field);
  dwarf_dealloc_die (member);
}

/* Add to FIELD what the byte at OFFSET of something of DIE's type belongs to. */
static void
field_in (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t offset, int steps, struct field *field)
{
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  Dwarf_Die type = steps ? cab_dwarf_type (dwarf, die) : NULL;
  if (!type)
    return;
  dwarf_tag (type, &tag, &error);
  uint64_t size = tag == DW_TAG_array_type ? size_of (dwarf, type, steps) : 0;
  if (tag == DW_TAG_array_type)
    put (field, "[]", "");
  if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type)
    in_structure (dwarf, type, offset, steps - 1, field);
  else if (tag == DW_TAG_array_type && size)
    field_in (dwarf, type, offset % size, steps - 1, field);
  else if (tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type
	   || tag == DW_TAG_atomic_type)
    field_in (dwarf, type, offset, steps - 1, field);
  dwarf_dealloc_die (type);
}

static void
take_variable (void *host, struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Die typed,
	       uint64_t address)
{
  struct search *s = host;
  uint32_t low = 0, high = s->n;
  (void) die;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (s->bytes[middle].variable < address)
	low = middle + 1;
      else
	high = middle;
    }
  for (; low < s->n && s->bytes[low].variable == address; low++)
    {
      struct field field = { "", 0 };
      field_in (dwarf, typed, s->bytes[low].offset, MOST_STEPS, &field);
      if (field.length)
	s->bytes[low].field = cab_names_copy (dwarf->names, field.text, field.length);
    }
}

void
cab_dwarf_fields (const char *path, struct cab_dwarf_byte *bytes, uint32_t n,
		  struct cab_names *names)
{
  struct search s = { bytes, n };
  for (uint32_t i = 0; i < n; i++)
    bytes[i].field = "";
  if (n)
    cab_dwarf_each_variable (path, names, take_variable, &s);
}
