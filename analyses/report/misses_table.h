/* misses_table.h - a table of misses in caches: its columns, which of them are shown, and its
 * title.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the maker of the table adds a row for each place that it knows, with its counts.
 *             Finishing merges rows of one place, fills in misses and shares, and sorts.
 */
#ifndef CAB_MISSES_TABLE_H
#define CAB_MISSES_TABLE_H

#include "analyses/report/counted_by.h"

/* The columns.  Those of counted_by.h come first.  Misses of each level of enum cab_report_level
   follow, reads before writes; they are unknown for a level that was not simulated. */
enum cab_misses_column
{
  CAB_M_READS = CAB_A_COLUMNS,
  CAB_M_WRITES,
  CAB_M_D1_READ,
  CAB_M_D1_WRITE,
  CAB_M_L2_READ,
  CAB_M_L2_WRITE,
  CAB_M_LL_READ,
  CAB_M_LL_WRITE,
  CAB_M_MISSES,
  CAB_M_SHARE,
  CAB_M_CUMULATIVE,
  CAB_M_BLOCKS,
  CAB_M_BYTES,
  CAB_M_CONTEXT,
  CAB_M_COLUMNS
};

/* Prepare TABLE.  HAS_L2 says that L2 was simulated; else text does not have its columns. */
void cab_misses_begin (struct cab_table *table, const char *title, enum cab_report_by by,
		       bool has_l2);
/* Finish TABLE, with `misses' counted in LEVEL, which was simulated. */
void cab_misses_finish (struct cab_table *table, enum cab_report_level level);

/* Return "WHAT in D1: 3 of 17 loads make 80 % of its 1,234 read misses" for the MISSES of N loads
   in LEVEL.  This sorts MISSES. */
const char *cab_misses_title (struct cab_names *names, const char *what,
			      enum cab_report_level level, uint64_t *misses, size_t n);
/* Set *LEVEL to what NAME stands for.  Return false if it stands for nothing. */
bool cab_report_level (const char *name, enum cab_report_level *level);

#endif
