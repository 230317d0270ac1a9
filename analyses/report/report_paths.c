/* report_paths.c - how often each path was taken.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/partial/estimated.h"
#include "analyses/report/report.h"

static struct cab_column columns[] = {
  { "function", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "path", CAB_NUMBER, 0 },
  { "count", CAB_COUNT, 0 },
  CAB_WITHIN_COLUMN,
  { "share", CAB_SHARE, 0 },
  { "lines", CAB_TEXT, 0 },
  CAB_WITHIN_COLUMN
};
enum { FUNCTION, FILE_, LINE, PATH, COUNT, WITHIN, SHARE, LINES, LAST, N };

static void
fill_function (struct cab_model *model, const struct cab_report_options *options,
	       const struct cab_function *function, struct cab_table *table)
{
  const char *name = cab_report_name (model, options, function);
  for (uint64_t p = 0; function->paths && p < function->n_paths; p++)
    if (function->paths[p])
      {
	union cab_cell *row = cab_table_row (table);
	row[FUNCTION].text = name;
	row[FILE_].text = function->file;
	row[LINE].count = function->line;
	row[PATH].count = p;
	row[COUNT].count = function->paths[p];
	row[WITHIN].count = row[LAST].count
	  = cab_model_within (model, CAB_ESTIMATE_PATH, function->index + 1, p, function->paths[p]);
	row[LINES].text = cab_report_path_lines (model, function, p);
	table->total += function->paths[p];
      }
}

void
cab_report_paths (struct cab_model *model, const struct cab_report_options *options,
		  struct cab_table *table)
{
  cab_table_init (table, "paths", "Paths by how often they were taken", columns, N);
  cab_report_show_within (model, &columns[WITHIN], &columns[LAST]);
  table->total_column = COUNT;
  for (uint32_t i = 0; i < model->n_functions; i++)
    if (cab_report_wants (options, model->functions[i]))
      fill_function (model, options, model->functions[i], table);
  cab_table_shares (table, COUNT, SHARE);
  cab_table_sort (table, COUNT);
}

const struct cab_report cab_paths_report = {
  .name = "paths",
  .summary = "how often each path was taken",
  .subject = CAB_ABOUT_CODE,
  .of_paths = true,
  .of_some_events = true,
  .fill = cab_report_paths,
  .lacks = cab_report_lacks_paths
};
