/* cmd_report_loops.c - cabprof report loops, which is more than a table.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include "analyses/command/output.h"
#include "analyses/command/command.h"
#include "analyses/report/loops/report_loops.h"

static int
write_html (struct cab_loop_view *view, const struct cab_report_options *options, const char *path)
{
  struct cab_output output;
  int status = cab_output_open (&output, path);
  if (status)
    return status;
  cab_report_loops_html (view, options, output.to);
  return cab_output_close (&output, true);
}

static int
write_table (struct cab_loop_view *view, const struct cab_report_options *options, size_t limit)
{
  struct cab_table table;
  struct cab_style style;
  cab_report_loops_table (view, options, &table);
  int column = options->sort ? cab_table_column (&table, options->sort) : -1;
  int status = options->sort && column < 0
	       ? cab_arg_no_column (&table, options->sort, options->format)
	       : CAB_EXIT_GOOD;
  if (column >= 0)
    cab_table_sort (&table, column);
  cab_table_limit (&table, limit);
  if (!status && options->format == CAB_FORMAT_TSV)
    cab_table_tsv (&table, stdout);
  else if (!status && options->format == CAB_FORMAT_JSON)
    cab_report_loops_json (view, &table, stdout);
  else if (!status)
    {
      cab_style_of (&style, stdout);
      cab_table_text (&table, &style, stdout);
      cab_report_loops_text (view, options, limit, &style, stdout);
    }
  cab_table_fini (&table);
  return status;
}

int
cab_cmd_report_loops (struct cab_model *model, const struct cab_report_options *options,
		      size_t limit, const char *html)
{
  struct cab_loop_view view;
  struct cab_diag diag;
  int status = CAB_EXIT_FAILED;
  if (cab_loop_view_open (&view, model, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return status;
    }
  for (uint32_t i = 0; i < view.n_problems; i++)
    cab_say ("%s", view.problems[i]);
  if (!view.n_loops)
    cab_say ("%s: no loop is known: compile with cabprof-gcc or -fplugin=cabprof, which write down "
	     "where loops are",
	     model->dir);
  else
    status = html ? write_html (&view, options, html) : write_table (&view, options, limit);
  cab_loop_view_close (&view);
  return status;
}
