/* report_check.c - see report_check.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report_check.h"
#include <string.h>
#include "analyses/report/report_own.h"

/* The report of one state. */
struct rows
{
  struct cab_table table;
  bool good;
};

static struct rows
rows_of (struct cab_model *model, const struct cab_analysis *analysis,
	 const struct cab_report_options *options, const struct cab_arena *state)
{
  struct rows rows;
  struct cab_diag diag;
  memset (&rows, 0, sizeof rows);
  rows.good = state->base
	   && cab_report_own_of (model, analysis, state, options, &rows.table, &diag) == 0;
  if (rows.good)
    cab_table_sort (&rows.table, 0);
  return rows;
}

static void
free_rows (struct rows *rows)
{
  if (rows->good)
    cab_table_fini (&rows->table);
}

static const union cab_cell *
row_at (const struct rows *rows, size_t row)
{
  return rows->table.cells + row * rows->table.n_columns;
}

/* Return true if COLUMN of two rows of TABLE's columns is the same. */
static bool
same_cell (const struct cab_table *table, int column, const union cab_cell *a,
	   const union cab_cell *b)
{
  return table->columns[column].type == CAB_TEXT ? !strcmp (a[column].text, b[column].text)
						 : a[column].count == b[column].count;
}

/* Return true if rows A and B of TABLE's columns are the same.  NAMED: in what they are about. */
static bool
same_row (const struct cab_table *table, const union cab_cell *a, const union cab_cell *b,
	  bool named)
{
  for (int i = 0; i < table->n_columns; i++)
    {
      enum cab_type type = table->columns[i].type;
      if ((!named || type == CAB_TEXT || type == CAB_NUMBER) && !same_cell (table, i, a, b))
	return false;
    }
  return true;
}

/* Return row ROW of ROWS as a text, or "nothing". */
static const char *
text_of (struct cab_model *model, const struct rows *rows, size_t row)
{
  const char *text = "";
  for (int i = 0; row < rows->table.n_rows && i < rows->table.n_columns; i++)
    {
      const struct cab_column *column = &rows->table.columns[i];
      const union cab_cell *cell = &row_at (rows, row)[i];
      const char *head
	= cab_names_format (&model->names, "%s%s%s", text, i ? " " : "", column->name);
      if (column->type == CAB_TEXT)
	text = cab_names_format (&model->names, "%s=%s", head, cell->text);
      else if (column->type == CAB_SHARE || column->type == CAB_REAL)
	text = cab_names_format (&model->names, "%s=%g", head, cell->share);
      else
	text = cab_names_format (&model->names, "%s=%llu", head, (unsigned long long) cell->count);
    }
  return *text ? text : "nothing";
}

/* Return the numbers of the delegates that have a share of ROW. */
static const char *
sharers (struct cab_model *model, const struct cab_analysis *analysis,
	 const struct cab_report_options *options, const struct cab_model_check *check,
	 const union cab_cell *row)
{
  const char *text = "";
  for (uint32_t k = 0; k < check->n_parts; k++)
    {
      struct rows own = rows_of (model, analysis, options, &check->part[k]);
      bool has = false;
      for (size_t i = 0; own.good && i < own.table.n_rows && !has; i++)
	has = same_row (&own.table, row, row_at (&own, i), true);
      if (has)
	text = cab_names_format (&model->names, "%s%s%u", text, *text ? ", " : "", k + 1);
      free_rows (&own);
    }
  return *text ? text : "none";
}

/* Return the number of the first row in which A and B differ, or SIZE_MAX. */
static size_t
first_difference (const struct rows *a, const struct rows *b)
{
  size_t i = 0, n = a->table.n_rows < b->table.n_rows ? a->table.n_rows : b->table.n_rows;
  while (i < n && same_row (&a->table, row_at (a, i), row_at (b, i), false))
    i++;
  return i == n && a->table.n_rows == b->table.n_rows ? SIZE_MAX : i;
}

void
cab_report_check (struct cab_model *model, const struct cab_analysis *analysis,
		  const struct cab_report_options *options)
{
  const struct cab_model_check *check = cab_model_check (model, analysis);
  if (!check)
    return;
  struct rows whole = rows_of (model, analysis, options, &check->whole),
	      parts = rows_of (model, analysis, options, &check->parts);
  size_t at = whole.good && parts.good ? first_difference (&whole, &parts) : SIZE_MAX;
  if (at != SIZE_MAX)
    cab_model_problem (
      model,
      "analysis %s: rows with different keys touch the same state: with one state for all keys "
      "\"%s\", with %u delegates \"%s\", of which these have a share: %s: change its key (enum "
      "cab_key in cabprof/analysis.h)",
      analysis->name, text_of (model, &whole, at), check->n_parts, text_of (model, &parts, at),
      sharers (model, analysis, options, check,
	       at < parts.table.n_rows ? row_at (&parts, at) : row_at (&whole, at)));
  free_rows (&whole);
  free_rows (&parts);
}
