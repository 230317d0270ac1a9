/* libdwarf_calls.h - the calls of libdwarf whose prototypes differ between its versions: Debian 12
 * has the interface of 2021, later systems have that of 0.4 and above.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     as libdwarf's: DW_DLV_OK, DW_DLV_NO_ENTRY, or DW_DLV_ERROR.
 */
#ifndef CAB_LIBDWARF_CALLS_H
#define CAB_LIBDWARF_CALLS_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <limits.h>
#include <stddef.h>

/* Open the DWARF of the file PATH, or of the file that its debug link names. */
static inline int
cab_dwarf_open (const char *path, Dwarf_Debug *dbg, Dwarf_Error *error)
{
  char used[PATH_MAX];
#ifdef DW_LIBDWARF_VERSION_MAJOR
  return dwarf_init_path (path, used, sizeof used, DW_GROUPNUMBER_ANY, NULL, NULL, dbg, error);
#else
  return dwarf_init_path (path, used, sizeof used, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL,
			  dbg, NULL, 0, NULL, error);
#endif
}

/* Close DBG and free all that was read from it. */
static inline void
cab_dwarf_close (Dwarf_Debug dbg)
{
#ifdef DW_LIBDWARF_VERSION_MAJOR
  dwarf_finish (dbg);
#else
  Dwarf_Error error;
  dwarf_finish (dbg, &error);
#endif
}

/* Store the offset of DIE's type to *OFFSET. */
static inline int
cab_dwarf_type_offset (Dwarf_Die die, Dwarf_Off *offset, Dwarf_Error *error)
{
#ifdef DW_LIBDWARF_VERSION_MAJOR
  Dwarf_Bool is_info;
  return dwarf_dietype_offset (die, offset, &is_info, error);
#else
  return dwarf_dietype_offset (die, offset, error);
#endif
}

/* Store the N ranges of DIE's list at OFFSET, in DWARF 2 to 4, to *LIST.  Free them by
   cab_dwarf_free_ranges. */
static inline int
cab_dwarf_read_ranges (Dwarf_Debug dbg, Dwarf_Off offset, Dwarf_Die die, Dwarf_Ranges **list,
		       Dwarf_Signed *n, Dwarf_Error *error)
{
  Dwarf_Unsigned bytes;
#ifdef DW_LIBDWARF_VERSION_MAJOR
  Dwarf_Off real;
  return dwarf_get_ranges_b (dbg, offset, die, &real, list, n, &bytes, error);
#else
  return dwarf_get_ranges_a (dbg, offset, die, list, n, &bytes, error);
#endif
}

static inline void
cab_dwarf_free_ranges (Dwarf_Debug dbg, Dwarf_Ranges *list, Dwarf_Signed n)
{
#ifdef DW_LIBDWARF_VERSION_MAJOR
  dwarf_dealloc_ranges (dbg, list, n);
#else
  dwarf_ranges_dealloc (dbg, list, n);
#endif
}

#endif
