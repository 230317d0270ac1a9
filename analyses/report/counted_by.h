/* counted_by.h - what accesses are counted by: each access in the code, or all of a variable, line,
 * function or loop.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a table of accesses begins with CAB_ACCESS_COLUMNS.  Each access fills them in, but
 *             for those by which it is not counted, which are empty or 0; rows that are alike then
 *             are one (cab_table_fold).
 */
#ifndef CAB_COUNTED_BY_H
#define CAB_COUNTED_BY_H

#include "analyses/report/report.h"

enum { CAB_A_VARIABLE, CAB_A_FUNCTION, CAB_A_FILE, CAB_A_LINE, CAB_A_COLUMN, CAB_A_COLUMNS };

/* Do rows have this column, one of CAB_A_...? */
bool cab_by_has (enum cab_report_by by, int column);
/* By the innermost loop around an access: what is in none is not counted. */
bool cab_by_loops (enum cab_report_by by);
/* CELL says where an access is: empty the columns that rows do not have. */
void cab_by_keep (union cab_cell *cell, enum cab_report_by by);
/* CELL says what the access of REF is counted under; false: it is not counted. */
bool cab_by_place (struct cab_model *model, const struct cab_report_options *options,
		   const struct cab_access_ref *ref, union cab_cell *cell);

#endif
