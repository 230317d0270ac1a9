/* dwarf_walk.c - see dwarf_walk.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/dwarf_walk.h"
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 64

struct walk
{
  struct cab_dwarf dwarf;
  cab_dwarf_take *take;
  void *host;
};

Dwarf_Die
cab_dwarf_type (struct cab_dwarf *dwarf, Dwarf_Die die)
{
  Dwarf_Off offset;
  Dwarf_Error error;
  Dwarf_Die type;
  if (cab_dwarf_type_offset (die, &offset, &error) != DW_DLV_OK
      || dwarf_offdie_b (dwarf->dbg, offset, true, &type, &error) != DW_DLV_OK)
    return NULL;
  return type;
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

static void
take_variable (struct walk *w, Dwarf_Die die)
{
  uint64_t address;
  if (!address_of (die, &address))
    return;
  /* A static member has its type where it is declared. */
  Dwarf_Die declared = cab_dwarf_follow (&w->dwarf, die, DW_AT_specification);
  w->take (w->host, &w->dwarf, die, declared ? declared : die, address);
  if (declared)
    dwarf_dealloc_die (declared);
}

static void
walk_children (struct walk *w, Dwarf_Die die, int depth)
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
	take_variable (w, child);
      else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace
	       || tag == DW_TAG_module)
	walk_children (w, child, depth + 1);
      more = dwarf_siblingof_b (w->dwarf.dbg, child, true, &next, &error) == DW_DLV_OK;
      dwarf_dealloc_die (child);
    }
}

void
cab_dwarf_each_variable (const char *path, struct cab_names *names, cab_dwarf_take *take,
			 void *host)
{
  struct walk w = { .dwarf.names = names, .take = take, .host = host };
  Dwarf_Error error = NULL;
  Dwarf_Die unit;
  int opened = cab_dwarf_open (path, &w.dwarf.dbg, &error);
  if (opened == DW_DLV_OK)
    {
      while (cab_dwarf_next_unit (&w.dwarf))
	if (dwarf_siblingof_b (w.dwarf.dbg, NULL, true, &unit, &error) == DW_DLV_OK)
	  {
	    walk_children (&w, unit, 0);
	    dwarf_dealloc_die (unit);
	  }
      cab_dwarf_close (w.dwarf.dbg);
    }
  else if (opened == DW_DLV_ERROR)
    dwarf_dealloc_error (NULL, error);
  free (w.dwarf.units);
}
