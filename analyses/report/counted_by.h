/* counted_by.h - what accesses are counted by: each access in the code, or all accesses of a
 * variable, line, function or loop.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a table of accesses begins with CAB_ACCESS_COLUMNS.  Each access fills these in,
 *             except for columns by which it is not counted, which are empty or 0.  Equal rows are
 *             then merged (cab_table_fold).
 */
#ifndef CAB_COUNTED_BY_H
#define CAB_COUNTED_BY_H

#include "analyses/report/report.h"

/* The columns of CAB_ACCESS_COLUMNS. */
enum { CAB_A_VARIABLE, CAB_A_FUNCTION, CAB_A_FILE, CAB_A_LINE, CAB_A_COLUMN, CAB_A_COLUMNS };

/* Return true if rows counted by BY have COLUMN, one of the enum above. */
bool cab_by_has (enum cab_report_by by, int column);
/* Return true if BY counts by the innermost loop around an access.  Accesses outside of loops are
   then not counted. */
bool cab_by_loops (enum cab_report_by by);
/* Clear the columns of CELL, which has the place of an access, that rows counted by BY do not
   have. */
void cab_by_keep (union cab_cell *cell, enum cab_report_by by);
/* Fill CELL with what the access of REF is counted under.  Return false if it is not counted. */
bool cab_by_place (struct cab_model *model, const struct cab_report_options *options,
		   const struct cab_access_ref *ref, union cab_cell *cell);
/* Set *BY to what NAME stands for.  Return false if it stands for nothing. */
bool cab_report_by (const char *name, enum cab_report_by *by);

#endif
