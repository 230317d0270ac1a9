/* report_own.c - the report that an analysis has itself: the rows of its `report', as a table.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report_own.h"
#include <stdio.h>
#include <string.h>
#include <libiberty/safe-ctype.h>
#include "analyses/live/an_tree.h"
#include "analyses/report/report_check.h"

#define MOST_COLUMNS 64

struct sheet
{
  struct cab_model *model;
  const struct cab_report_options *options;
  struct cab_table *table;
  const char *wrong;          /* how the hook broke the contract, or null */
};

static enum cab_type
type_of (enum cab_sheet_type type)
{
  switch (type)
    {
    case CAB_SHEET_COUNT: return CAB_COUNT;
    case CAB_SHEET_NUMBER: return CAB_NUMBER;
    case CAB_SHEET_SHARE: return CAB_SHARE;
    case CAB_SHEET_REAL: return CAB_REAL;
    default: return CAB_TEXT;
    }
}

static void
put_columns (void *host, const struct cab_sheet_column *from, int n)
{
  struct sheet *sheet = host;
  if (sheet->table->n_columns || n < 1 || n > MOST_COLUMNS)
    {
      sheet->wrong = sheet->table->n_columns ? "its report has columns twice"
					     : "its report has no columns, or more than 64";
      return;
    }
  struct cab_column *columns = cab_names_zero (&sheet->model->names, n, sizeof *columns);
  for (int i = 0; i < n; i++)
    columns[i] = (struct cab_column) { from[i].name, type_of (from[i].type), 0 };
  sheet->table->columns = columns;
  sheet->table->n_columns = n;
}

static void
put_row (void *host, const union cab_sheet_cell *cells)
{
  struct sheet *sheet = host;
  if (!sheet->table->n_columns)
    sheet->wrong = "its report has rows before columns";
  if (sheet->wrong)
    return;
  union cab_cell *row = cab_table_row (sheet->table);
  for (int i = 0; i < sheet->table->n_columns; i++)
    switch (sheet->table->columns[i].type)
      {
      case CAB_TEXT:
	row[i].text = cells[i].text
		      ? cab_names_copy (&sheet->model->names, cells[i].text, strlen (cells[i].text))
		      : "";
	break;
      case CAB_SHARE:
      case CAB_REAL: row[i].share = cells[i].real; break;
      default: row[i].count = cells[i].count;
      }
}

static void
put_function (const struct cab_function *function, struct cab_sheet_place *place)
{
  *place = (struct cab_sheet_place) { function->display, function->file, "", function->line, 0 };
}

/* Set *PLACE to a place within FUNCTION.  FILE is a number in its record. */
static void
put_place (const struct cab_function *function, struct cab_sheet_place *place, const char *name,
	   uint32_t file, uint32_t line, uint32_t column)
{
  put_function (function, place);
  place->name = name;
  place->file = line ? function->record->files[file] : function->file;
  place->line = line;
  place->column = column;
}

static int
find_function (void *host, uint32_t fn, struct cab_sheet_place *place)
{
  const struct cab_model *model = ((struct sheet *) host)->model;
  if (!fn || fn > model->n_functions)
    return 0;
  put_function (model->functions[fn - 1], place);
  return 1;
}

static int
find_site (void *host, uint32_t site, struct cab_sheet_place *place)
{
  const struct cab_model *model = ((struct sheet *) host)->model;
  const struct cab_call_site *s = site && site <= model->n_sites ? model->sites[site].place : NULL;
  if (!s)
    return 0;
  put_place (model->functions[model->sites[site].function], place, s->callee ? s->callee : "",
	     s->file, s->line, s->column);
  return 1;
}

static int
find_access (void *host, uint32_t number, struct cab_sheet_place *place)
{
  struct cab_access_ref ref = cab_model_access (((struct sheet *) host)->model, number);
  if (ref.access)
    put_place (ref.function, place, ref.access->name, ref.access->file, ref.access->line,
	       ref.access->column);
  else if (ref.allocation)
    put_place (ref.function, place, ref.allocation->callee, ref.allocation->file,
	       ref.allocation->line, ref.allocation->column);
  return ref.access || ref.allocation;
}

static int
find_node (void *host, uint32_t node, struct cab_sheet_place *place, uint32_t *parent,
	   uint32_t *site)
{
  const struct sheet *sheet = host;
  if (!node || node >= cab_tree_n (&sheet->model->tree))
    return 0;
  const struct cab_tree_node *at = cab_tree_at (&sheet->model->tree, node);
  if (!find_function (host, at->callee, place))
    *place = (struct cab_sheet_place) { "", "", "", 0, 0 };
  place->name = cab_report_context (sheet->model, sheet->options, node);
  if (parent)
    *parent = at->parent;
  if (site)
    *site = at->site;
  return 1;
}

const char *
cab_report_own_lacks (struct cab_model *model, const struct cab_analysis *analysis)
{
  if (!analysis->report)
    return cab_names_format (
      &model->names,
      "analysis %s has no report: give it the function `report' (cabprof/analysis.h)",
      analysis->name);
  if (!cab_model_state (model, analysis))
    return cab_names_format (&model->names,
			     "nothing of analysis %s: run the program with "
			     "CABPROF_OPTIONS=analyses=%s, compiled for events that it "
			     "takes",
			     analysis->name, analysis->name);
  return NULL;
}

int
cab_report_own (struct cab_model *model, const struct cab_analysis *analysis,
		const struct cab_report_options *options, struct cab_table *table,
		struct cab_diag *diag)
{
  int error = cab_report_own_of (model, analysis, cab_model_state (model, analysis), options,
				 table, diag);
  if (error == 0)
    cab_report_check (model, analysis, options);
  return error;
}

int
cab_report_own_of (struct cab_model *model, const struct cab_analysis *analysis,
		   const struct cab_arena *state, const struct cab_report_options *options,
		   struct cab_table *table, struct cab_diag *diag)
{
  struct sheet sheet = { model, options, table, NULL };
  const struct cab_sheet to = { &sheet,	   put_columns, put_row,  find_function,
				find_site, find_access, find_node };
  const char *summary = analysis->summary;
  cab_table_init (table, analysis->name,
		  cab_names_format (&model->names, "%c%s", TOUPPER (*summary),
				    *summary ? summary + 1 : ""),
		  NULL, 0);
  analysis->report (state, &to);
  if (!sheet.wrong && !table->n_columns)
    sheet.wrong = "its report has no columns";
  if (sheet.wrong)
    snprintf (diag->text, sizeof diag->text,
	      "analysis %s: %s: see struct cab_sheet in cabprof/analysis.h", analysis->name,
	      sheet.wrong);
  return sheet.wrong ? -1 : 0;
}
