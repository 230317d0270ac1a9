/* report_lines.c - how often each line was executed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/lines.h"
#include "analyses/profile/partial/estimated.h"
#include "analyses/base/names.h"

static struct cab_column columns[] = {
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "count", CAB_COUNT, 0 },
  CAB_WITHIN_COLUMN,
  { "not_returned", CAB_TALLY, 0 },
  CAB_WITHIN_COLUMN
};
enum { FILE_, LINE, COUNT, WITHIN, UNFINISHED, LAST, N };

/* Return which functions --function names, by their index; null means all.  Their files do not
   matter, as --file is about lines here. */
static bool *
functions_wanted (const struct cab_model *model, const char *glob)
{
  struct cab_report_options by_name = { .function = glob };
  if (!glob)
    return NULL;
  bool *wanted = XNEWVEC (bool, model->n_functions + 1);
  for (uint32_t i = 0; i < model->n_functions; i++)
    wanted[i] = cab_report_wants (&by_name, model->functions[i]);
  return wanted;
}

const char *
cab_report_unfinished (struct cab_model *model, const char *glob)
{
  struct cab_report_options by_name = { .function = glob };
  uint64_t n = 0;
  char number[32];
  for (uint32_t i = 0; i < model->n_functions; i++)
    if (model->functions[i]->record && model->functions[i]->paths
	&& cab_report_wants (&by_name, model->functions[i]))
      n += cab_model_unfinished (model, model->functions[i]);
  return n ? cab_names_format (
	   &model->names,
	   "%s call%s not return normally (exit, an exception, longjmp, or still running): what "
	   "was done last there is in no path, and in no count of a line; "
	   "compile with -fplugin-arg-cabprof-cut-at-calls to have it counted",
	   cab_table_grouped (n, number), n == 1 ? " did" : "s did")
	   : NULL;
}

const char *
cab_report_skipped (struct cab_model *model, const struct cab_report_options *options,
		    const char *file)
{
  uint64_t n = 0;
  char number[32];
  for (uint32_t i = 0; i < model->n_notes; i++)
    {
      const struct cab_note *note = &model->notes[i].note;
      n += note->kind == 'S' && cab_report_wants_file (options, note->field[2])
	&& (!file || !strcmp (file, note->field[2]));
    }
  return n ? cab_names_format (
	   &model->names,
	   "%s function%s no probes, and the counts of %s lines are missing or low: "
	   "`cabprof info --skipped PROGRAM' says why",
	   cab_table_grouped (n, number), n == 1 ? " has" : "s have", n == 1 ? "its" : "their")
	   : NULL;
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  size_t n;
  cab_table_init (table, "lines", "Lines by how often they were executed", columns, N);
  bool is_estimated = cab_model_is_estimated (model);
  cab_report_show_within (model, &columns[WITHIN], &columns[LAST]);
  cab_model_add_unexecuted (model);
  bool *wanted = functions_wanted (model, options->function);
  struct cab_line_count *rows = cab_lines (model, wanted, &n);
  for (size_t i = 0; i < n; i++)
    if (cab_report_wants_file (options, rows[i].file))
      {
	union cab_cell *row = cab_table_row (table);
	row[FILE_].text = rows[i].file;
	row[LINE].count = rows[i].line;
	row[COUNT].count = rows[i].count;
	row[WITHIN].count = row[LAST].count = rows[i].within;
	row[UNFINISHED].count = is_estimated ? CAB_UNKNOWN : rows[i].unfinished;
      }
  free (rows);
  free (wanted);
  cab_table_sort (table, options->format == CAB_FORMAT_TEXT ? COUNT : FILE_);
  if (options->format == CAB_FORMAT_TEXT && !options->function)
    table->note = cab_report_skipped (model, options, NULL);
}

const struct cab_report cab_lines_report = {
  .name = "lines",
  .summary = "how often each line was executed",
  .subject = CAB_ABOUT_CODE,
  .of_paths = true,
  .of_some_events = true,
  .fill = fill,
  .lacks = cab_report_lacks_paths
};
