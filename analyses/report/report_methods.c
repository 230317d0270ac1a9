/* report_methods.c - how often each function was entered.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/partial/estimated.h"
#include "analyses/report/report.h"

static struct cab_column columns[] = {
  { "function", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "calls", CAB_COUNT, 0 },
  CAB_WITHIN_COLUMN,
  { "not_returned", CAB_TALLY, 0 },
  { "share", CAB_SHARE, CAB_FORMAT_TEXT },
  CAB_WITHIN_COLUMN
};
enum { FUNCTION, FILE_, LINE, CALLS, WITHIN, UNFINISHED, SHARE, LAST, N };

void
cab_report_methods (struct cab_model *model, const struct cab_report_options *options,
		    struct cab_table *table)
{
  cab_table_init (table, "methods", "Functions by how often they were entered", columns, N);
  cab_report_show_within (model, &columns[WITHIN], &columns[LAST]);
  table->total_column = CALLS;
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      const struct cab_function *function = model->functions[i];
      uint64_t calls = cab_model_calls (function);
      if (!calls || !cab_report_wants (options, function))
	continue;
      union cab_cell *row = cab_table_row (table);
      row[FUNCTION].text = cab_report_name (model, options, function);
      row[FILE_].text = function->file;
      row[LINE].count = function->line;
      row[CALLS].count = calls;
      row[WITHIN].count = row[LAST].count = cab_model_calls_within (model, function);
      row[UNFINISHED].count = cab_model_has_paths (function)
				  && !cab_model_estimates_paths (model, function)
			      ? cab_model_unfinished (model, function)
			      : CAB_UNKNOWN;
      table->total += calls;
    }
  cab_table_shares (table, CALLS, SHARE);
  cab_table_sort (table, CALLS);
}

const struct cab_report cab_methods_report = {
  .name = "methods",
  .summary = "how often each function was entered",
  .subject = CAB_ABOUT_CALLS,
  .of_entries = true,
  .of_some_events = true,
  .fill = cab_report_methods
};
