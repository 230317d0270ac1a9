/* report_lines.c - how often was each line executed?
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report.h"
#include <stdlib.h>
#include "lines.h"

static const struct cab_column columns[] = {
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "count", CAB_COUNT, 0 }
};
enum { FILE_, LINE, COUNT, N };

void
cab_report_lines (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  size_t n;
  cab_table_init (table, "lines", "Lines by how often they were executed", columns, N);
  cab_model_add_unexecuted (model);
  struct cab_line_count *rows = cab_lines (model, &n);
  for (size_t i = 0; i < n; i++)
    if (cab_report_wants_file (options, rows[i].file))
      {
	union cab_cell *row = cab_table_row (table);
	row[FILE_].text = rows[i].file;
	row[LINE].count = rows[i].line;
	row[COUNT].count = rows[i].count;
      }
  free (rows);
  cab_table_sort (table, options->format == CAB_FORMAT_TEXT ? COUNT : FILE_);
}
