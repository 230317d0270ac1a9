/* misses_table.h - a table of misses in caches: its columns, what is in them by what, and what is said of them all.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      who makes the table adds a row for each place that it knows, with its counts; finishing makes one of those of one place, fills
 *             in misses and shares, and sorts.
 */
#ifndef CAB_MISSES_TABLE_H
#define CAB_MISSES_TABLE_H

#include "analyses/report.h"

enum cab_misses_column
{
  CAB_M_VARIABLE, CAB_M_FUNCTION, CAB_M_FILE, CAB_M_LINE, CAB_M_COLUMN, CAB_M_READS, CAB_M_WRITES, CAB_M_D1_READ, CAB_M_D1_WRITE,
  CAB_M_LL_READ, CAB_M_LL_WRITE, CAB_M_MISSES, CAB_M_SHARE, CAB_M_CUMULATIVE, CAB_M_BLOCKS, CAB_M_BYTES, CAB_M_CONTEXT, CAB_M_COLUMNS
};

void cab_misses_begin (struct cab_table *table, const char *title, enum cab_report_by by);
/* CELL says where an access is, in all columns up to CAB_M_COLUMN: empty those by which BY does not count. */
void cab_misses_keep (union cab_cell *cell, enum cab_report_by by);
/* LL: misses in the last cache count, not those in the first. */
void cab_misses_finish (struct cab_table *table, bool ll);

/* "WHAT in D1: 3 of 17 loads make 80 % of its 1,234 read misses", of the misses of N loads, which are sorted. */
const char *cab_misses_title (struct cab_names *names, const char *what, bool ll, uint64_t *misses, size_t n);

#endif
