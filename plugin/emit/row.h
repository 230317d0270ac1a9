/* row.h - a function's row and record.  A function may have two rows: one of the probes that are
 * inserted early, and one of accesses and allocations.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_ROW_H
#define CABPROF_ROW_H

#include "plugin/emit/plugin.h"

struct cab_row_desc
{
  tree row;               /* VAR_DECL of struct cab_row's size; gates take its address */
  unsigned checksum;
  unsigned flags;         /* CAB_ROW_* */
  unsigned n_counters;
  unsigned n_sites;
  unsigned n_accesses;    /* in units of CAB_ACCESS_UNIT */
};

/* Declare the row's variable, so that probes can refer to it.  CHECKSUM is of the shape and goes
   into the variable's name.  MEMORY selects the row of accesses and allocations. */
extern void cab_row_begin (struct cab_row_desc *desc, function *fn, unsigned checksum, bool memory);
/* Give the variable its contents.  INFO is the whole record text without the leading \1, which is
   added. */
extern void cab_row_finish (struct cab_row_desc *desc, function *fn, const char *info,
			    size_t info_length);
/* Return an 8-byte volatile reference to the slot OFFSET bytes into the row (offsetof (struct
   cab_row, ...)), for loads. */
extern tree cab_row_slot (struct cab_row_desc *desc, unsigned offset);
/* Emit a record without a row, of a skipped function or of the translation unit. */
extern void cab_record_emit (const char *info, size_t info_length);
/* Return TEXT, escaped (escape.h).  The caller frees it. */
extern char *cab_escaped (const char *text);
/* Return FILE in the form that records have: prefix maps applied, escaped.  The caller frees it. */
extern char *cab_source_name (const char *file);

#endif
