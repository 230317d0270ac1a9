/* page_loops.c - see page_loops.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_loops.h"
#include <math.h>
#include "analyses/page/page_tables.h"
#include "analyses/report/loops/report_loops.h"

static json_t *
row_of (struct cab_loop_view *view, const struct cab_view_loop *loop)
{
  json_t *ratios = json_array (), *outcomes = json_array ();
  const char *name = cab_names_format (&view->names, "%s, line %u", loop->display, loop->line);
  for (uint32_t j = 0; j < view->n_columns; j++)
    {
      double ratio = cab_report_loops_ratio (loop, j);
      const char *outcome = loop->outcomes && loop->outcomes[j] ? loop->outcomes[j] : "";
      json_array_append_new (ratios, isfinite (ratio) ? json_real (ratio) : json_null ());
      json_array_append_new (outcomes, cab_page_text (outcome));
    }
  return json_pack ("{s:o, s:o, s:o}", "loop", cab_page_text (name), "ratios", ratios, "outcomes",
		    outcomes);
}

static json_t *
matrix_of (struct cab_loop_view *view, size_t limit)
{
  json_t *columns = json_array (), *rows = json_array ();
  for (uint32_t j = 0; j < view->n_columns; j++)
    json_array_append_new (columns, cab_page_text (view->columns[j].name));
  for (uint32_t i = 0; i < view->n_loops && (!limit || i < limit); i++)
    if (view->loops[i].stalls)
      json_array_append_new (rows, row_of (view, &view->loops[i]));
  return json_pack ("{s:o, s:o}", "columns", columns, "rows", rows);
}

json_t *
cab_page_loops (struct cab_model *model, json_t *tables, size_t limit)
{
  struct cab_report_options options = { .format = CAB_FORMAT_JSON };
  struct cab_loop_view view;
  struct cab_diag diag;
  const char *lacks = NULL;
  json_t *matrix = NULL;
  int opened = cab_loop_view_open (&view, model, &diag);
  if (opened < 0)
    lacks = diag.text;
  else if (!view.n_loops)
    lacks = "no loop is known: compile with cabprof-gcc or -fplugin=cabprof, which write down "
	    "where loops are";
  if (lacks)
    json_object_set_new (tables, "loops", json_pack ("{s:s, s:o}", "name", "loops", "lacks",
						     cab_page_text (lacks)));
  else
    {
      struct cab_table table;
      cab_report_loops_table (&view, &options, &table);
      json_object_set_new (tables, "loops", cab_page_table (&table, limit));
      cab_table_fini (&table);
      matrix = view.has_matrix ? matrix_of (&view, limit) : NULL;
    }
  if (opened >= 0)
    cab_loop_view_close (&view);
  return matrix ? matrix : json_null ();
}
