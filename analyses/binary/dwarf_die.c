/* dwarf_die.c - libdwarf's DIEs: ranges, names, files.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/dwarf_die.h"
#include <string.h>
#include <libiberty/libiberty.h>

#define MOST_ORIGINS 8    /* limit of links from a concrete function to its declaration; sound files
			     have two or three */

static void
add_range (struct cab_dwarf_ranges *ranges, uint64_t start, uint64_t end)
{
  /* What the linker has dropped is at address 0. */
  if (!start || start >= end)
    return;
  if (ranges->n == ranges->room)
    ranges->range = xrealloc (ranges->range,
			      (ranges->room = 2 * ranges->room + 8) * sizeof *ranges->range);
  ranges->range[ranges->n].start = start;
  ranges->range[ranges->n++].end = end;
}

/* Add the range list of DWARF 5 at VALUE to RANGES. */
static void
add_list (Dwarf_Attribute attribute, Dwarf_Half form, Dwarf_Unsigned value,
	  struct cab_dwarf_ranges *ranges)
{
  Dwarf_Rnglists_Head head;
  Dwarf_Unsigned n, offset;
  Dwarf_Error error;
  if (dwarf_rnglists_get_rle_head (attribute, form, value, &head, &n, &offset, &error) != DW_DLV_OK)
    return;
  for (Dwarf_Unsigned i = 0; i < n; i++)
    {
      unsigned length, code;
      Dwarf_Unsigned raw1, raw2, start = 0, end = 0;
      Dwarf_Bool no_addresses = 0;
      if (dwarf_get_rnglists_entry_fields_a (head, i, &length, &code, &raw1, &raw2, &no_addresses,
					     &start, &end, &error)
	  != DW_DLV_OK)
	break;
      if (code != DW_RLE_end_of_list && code != DW_RLE_base_address && code != DW_RLE_base_addressx
	  && !no_addresses)
	add_range (ranges, start, end);
    }
  dwarf_dealloc_rnglists_head (head);
}

/* Add the range list of DWARF 2 to 4 at OFFSET to RANGES. */
static void
add_old_list (struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Off offset, uint64_t base,
	      struct cab_dwarf_ranges *ranges)
{
  Dwarf_Ranges *list;
  Dwarf_Signed n;
  Dwarf_Error error;
  if (cab_dwarf_read_ranges (dwarf->dbg, offset, die, &list, &n, &error) != DW_DLV_OK)
    return;
  for (Dwarf_Signed i = 0; i < n && list[i].dwr_type != DW_RANGES_END; i++)
    if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
      base = list[i].dwr_addr2;
    else
      add_range (ranges, base + list[i].dwr_addr1, base + list[i].dwr_addr2);
  cab_dwarf_free_ranges (dwarf->dbg, list, n);
}

static bool
attribute_of (Dwarf_Die die, Dwarf_Half name, Dwarf_Attribute *attribute)
{
  Dwarf_Error error;
  return dwarf_attr (die, name, attribute, &error) == DW_DLV_OK;
}

static void
add_lists (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t base, struct cab_dwarf_ranges *ranges)
{
  Dwarf_Attribute attribute;
  Dwarf_Half version = 0, size, form = 0;
  Dwarf_Unsigned value = 0;
  Dwarf_Off offset = 0;
  Dwarf_Error error;
  if (!attribute_of (die, DW_AT_ranges, &attribute))
    return;
  dwarf_get_version_of_die (die, &version, &size);
  dwarf_whatform (attribute, &form, &error);
  if (form == DW_FORM_rnglistx)
    dwarf_formudata (attribute, &value, &error);
  else if (dwarf_global_formref (attribute, &offset, &error) == DW_DLV_OK)
    value = offset;
  else
    dwarf_formudata (attribute, &value, &error);
  if (version >= 5)
    add_list (attribute, form, value, ranges);
  else
    add_old_list (dwarf, die, value, base, ranges);
  dwarf_dealloc_attribute (attribute);
}

void
cab_dwarf_ranges (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t base,
		  struct cab_dwarf_ranges *ranges)
{
  Dwarf_Addr low, high;
  Dwarf_Half form;
  enum Dwarf_Form_Class kind;
  Dwarf_Error error;
  if (dwarf_lowpc (die, &low, &error) == DW_DLV_OK
      && dwarf_highpc_b (die, &high, &form, &kind, &error) == DW_DLV_OK)
    add_range (ranges, low, kind == DW_FORM_CLASS_ADDRESS ? high : low + high);
  else
    add_lists (dwarf, die, base, ranges);
}

uint64_t
cab_dwarf_number (struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Half name)
{
  Dwarf_Attribute attribute;
  Dwarf_Unsigned value = 0;
  Dwarf_Signed number;
  Dwarf_Error error;
  (void) dwarf;
  if (!attribute_of (die, name, &attribute))
    return 0;
  if (dwarf_formudata (attribute, &value, &error) != DW_DLV_OK)
    value = dwarf_formsdata (attribute, &number, &error) == DW_DLV_OK && number > 0
	    ? (uint64_t) number
	    : 0;
  dwarf_dealloc_attribute (attribute);
  return value;
}

static const char *
text_of (struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Half name)
{
  Dwarf_Attribute attribute;
  char *text = NULL;
  Dwarf_Error error;
  const char *copy = NULL;
  if (!attribute_of (die, name, &attribute))
    return NULL;
  if (dwarf_formstring (attribute, &text, &error) == DW_DLV_OK)
    copy = cab_names_copy (dwarf->names, text, strlen (text));
  dwarf_dealloc_attribute (attribute);
  return copy;
}

Dwarf_Die
cab_dwarf_follow (struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Half name)
{
  Dwarf_Attribute attribute;
  Dwarf_Off offset;
  Dwarf_Error error;
  Dwarf_Die target = NULL;
  if (!attribute_of (die, name, &attribute))
    return NULL;
  if (dwarf_global_formref (attribute, &offset, &error) != DW_DLV_OK
      || dwarf_offdie_b (dwarf->dbg, offset, true, &target, &error) != DW_DLV_OK)
    target = NULL;
  dwarf_dealloc_attribute (attribute);
  return target;
}

static void
look_at (struct cab_dwarf *dwarf, Dwarf_Die die, const char **linkage, const char **plain,
	 const char **file, uint32_t *line)
{
  if (!*linkage)
    *linkage = text_of (dwarf, die, DW_AT_linkage_name);
  if (!*linkage)
    *linkage = text_of (dwarf, die, DW_AT_MIPS_linkage_name);
  if (!*plain)
    *plain = text_of (dwarf, die, DW_AT_name);
  if (!*line && (*line = cab_dwarf_number (dwarf, die, DW_AT_decl_line)))
    *file = cab_dwarf_file (dwarf, die, cab_dwarf_number (dwarf, die, DW_AT_decl_file));
}

void
cab_dwarf_function (struct cab_dwarf *dwarf, Dwarf_Die die, const char **function,
		    const char **file, uint32_t *line)
{
  const char *linkage = NULL, *plain = NULL;
  Dwarf_Die at = die;
  *file = "";
  *line = 0;
  for (int i = 0; at && i < MOST_ORIGINS; i++)
    {
      look_at (dwarf, at, &linkage, &plain, file, line);
      Dwarf_Die next = cab_dwarf_follow (dwarf, at, DW_AT_abstract_origin);
      if (!next)
	next = cab_dwarf_follow (dwarf, at, DW_AT_specification);
      if (at != die)
	dwarf_dealloc_die (at);
      at = next;
    }
  if (at && at != die)
    dwarf_dealloc_die (at);
  *function = linkage ? linkage : plain ? plain : "";
}

const char *
cab_dwarf_file_of (const struct cab_dwarf_files *files, uint64_t number)
{
  uint64_t i = number - (uint64_t) files->base;
  return number >= (uint64_t) files->base && i < files->n && files->name[i] ? files->name[i] : "";
}

/* Return DIRECTORY/NAME as the compiler was given it.  Directory 0 (DWARF 5), or none, is the
   compiler's own, and is omitted. */
static const char *
joined (struct cab_dwarf *dwarf, Dwarf_Line_Context context, const char *name,
	Dwarf_Unsigned directory)
{
  const char *text;
  Dwarf_Error error;
  if (*name == '/' || !directory
      || dwarf_srclines_include_dir_data (context, directory, &text, &error) != DW_DLV_OK)
    return cab_names_copy (dwarf->names, name, strlen (name));
  return cab_names_format (dwarf->names, "%s/%s", text, name);
}

static struct cab_dwarf_files *
known_files (struct cab_dwarf *dwarf, Dwarf_Off unit)
{
  for (uint32_t i = dwarf->n_units; i-- > 0;)
    if (dwarf->units[i].unit == unit)
      return &dwarf->units[i];
  return NULL;
}

struct cab_dwarf_files *
cab_dwarf_files (struct cab_dwarf *dwarf, Dwarf_Die unit, Dwarf_Line_Context context)
{
  struct cab_dwarf_files files = { 0 };
  Dwarf_Signed n = 0, end = 0;
  Dwarf_Error error;
  dwarf_dieoffset (unit, &files.unit, &error);
  struct cab_dwarf_files *known = known_files (dwarf, files.unit);
  if (known)
    return known;
  if (dwarf_srclines_files_indexes (context, &files.base, &n, &end, &error) == DW_DLV_OK
      && end > files.base)
    {
      files.n = end - files.base;
      files.name = cab_names_zero (dwarf->names, files.n, sizeof *files.name);
    }
  for (uint32_t i = 0; i < files.n; i++)
    {
      const char *name;
      Dwarf_Unsigned directory, time, length;
      Dwarf_Form_Data16 *sum;
      if (dwarf_srclines_files_data_b (context, files.base + i, &name, &directory, &time, &length,
				       &sum, &error)
	    == DW_DLV_OK
	  && name)
	files.name[i] = joined (dwarf, context, name, directory);
    }
  if (dwarf->n_units == dwarf->room_units)
    dwarf->units = XRESIZEVEC (struct cab_dwarf_files, dwarf->units,
			       dwarf->room_units = 2 * dwarf->room_units + 16);
  dwarf->units[dwarf->n_units] = files;
  return &dwarf->units[dwarf->n_units++];
}

/* Under LTO a function's origin may be in another unit, which has files of its own. */
const char *
cab_dwarf_file (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t number)
{
  Dwarf_Off offset;
  Dwarf_Error error;
  Dwarf_Die unit;
  if (dwarf_CU_dieoffset_given_die (die, &offset, &error) != DW_DLV_OK)
    return "";
  struct cab_dwarf_files *files = known_files (dwarf, offset);
  if (!files && dwarf_offdie_b (dwarf->dbg, offset, true, &unit, &error) == DW_DLV_OK)
    {
      Dwarf_Unsigned version;
      Dwarf_Small tables;
      Dwarf_Line_Context context;
      if (dwarf_srclines_b (unit, &version, &tables, &context, &error) == DW_DLV_OK)
	{
	  files = cab_dwarf_files (dwarf, unit, context);
	  dwarf_srclines_dealloc_b (context);
	}
      dwarf_dealloc_die (unit);
    }
  return files ? cab_dwarf_file_of (files, number) : "";
}

bool
cab_dwarf_next_unit (struct cab_dwarf *dwarf)
{
  Dwarf_Unsigned length, type_offset, next;
  Dwarf_Half version, address, offset, extension, kind;
  Dwarf_Off abbreviations;
  Dwarf_Sig8 signature;
  Dwarf_Error error;
  return dwarf_next_cu_header_d (dwarf->dbg, true, &length, &version, &abbreviations, &address,
				 &offset, &extension, &signature, &type_offset, &next, &kind,
				 &error)
      == DW_DLV_OK;
}
