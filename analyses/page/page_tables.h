/* page_tables.h - the tables of the reports, as JSON.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes:     a table is { name, title, columns: [[name, type], ...], data: [[cells], ...], total,
 *             total_column, left_out, left_out_weight, note }, with an array of cells for each
 *             column, as all other formats for programs have them; or { name, lacks }, with the
 *             reason.
 * Ownership:  the caller owns what is returned.
 */
#ifndef CAB_PAGE_TABLES_H
#define CAB_PAGE_TABLES_H

#include <jansson.h>
#include "analyses/report/report.h"

/* Return TABLE, of which the first LIMIT rows stay; 0: all.  TABLE loses the others. */
json_t *cab_page_table (struct cab_table *table, size_t limit);
/* Return TEXT as JSON, cut off where it is too long. */
json_t *cab_page_text (const char *text);
/* Add the tables of all reports of MODEL to TABLES by name, with LIMIT rows at most; 0: all.  MODEL
   gets the functions that never ran, so call it last. */
void cab_page_tables (struct cab_model *model, size_t limit, json_t *tables);

#endif
