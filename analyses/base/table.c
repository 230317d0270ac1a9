/* table.c - a report as a table: rows, order, TSV and JSON.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/table.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define SCHEMA 1

void
cab_table_init (struct cab_table *table, const char *name, const char *title,
		const struct cab_column *columns, int n_columns)
{
  *table = (struct cab_table) {
    .name = name, .title = title, .columns = columns, .n_columns = n_columns, .total_column = -1
  };
}

void
cab_table_fini (struct cab_table *table)
{
  free (table->cells);
  free (table->totals);
  *table = (struct cab_table) { 0 };
}

union cab_cell *
cab_table_row (struct cab_table *table)
{
  if (table->n_rows == table->room)
    {
      table->room = table->room ? table->room * 2 : 256;
      table->cells = XRESIZEVEC (union cab_cell, table->cells, table->room * table->n_columns);
    }
  union cab_cell *row = table->cells + table->n_rows++ * table->n_columns;
  for (int c = 0; c < table->n_columns; c++)
    {
      row[c].count = 0;
      if (cab_type_is_text (table->columns[c].type))
	row[c].text = "";
    }
  return row;
}

int
cab_table_column (const struct cab_table *table, const char *name)
{
  for (int c = 0; c < table->n_columns; c++)
    if (!strcmp (table->columns[c].name, name))
      return c;
  return -1;
}

/* The table and column that the comparison functions use, since qsort passes no context. */
static const struct cab_table *sorted;
static int sorted_by;

static int
compare_cells (const union cab_cell *a, const union cab_cell *b, enum cab_type type)
{
  switch (type)
    {
    case CAB_TEXT:
    case CAB_FUNCTION:
    case CAB_PATH:
    case CAB_CHAIN:
      return strcmp (a->text, b->text);
    case CAB_REAL:
    case CAB_SHARE:
    case CAB_SAMPLED:
      if (isfinite (a->share) != isfinite (b->share))
	return isfinite (a->share) ? -1 : 1;
      /* fall through */
    case CAB_RELATIVE:
      if (isnan (a->share) != isnan (b->share))
	return isnan (a->share) ? 1 : -1;
      return a->share < b->share ? 1 : a->share > b->share ? -1 : 0;
    case CAB_CHANGE:
      return imaxabs (a->change) < imaxabs (b->change) ? 1
	   : imaxabs (a->change) > imaxabs (b->change) ? -1
	   : 0;
    case CAB_TALLY:
      if ((a->count == CAB_UNKNOWN) != (b->count == CAB_UNKNOWN))
	return a->count == CAB_UNKNOWN ? 1 : -1;
      /* fall through */
    case CAB_COUNT:
      return a->count < b->count ? 1 : a->count > b->count ? -1 : 0;
    default:
      return a->count < b->count ? -1 : a->count > b->count;
    }
}

static int
compare_rows (const void *a, const void *b)
{
  int order = compare_cells ((const union cab_cell *) a + sorted_by,
			     (const union cab_cell *) b + sorted_by,
			     sorted->columns[sorted_by].type);
  for (int c = 0; !order && c < sorted->n_columns; c++)
    order = compare_cells ((const union cab_cell *) a + c, (const union cab_cell *) b + c,
			   sorted->columns[c].type);
  return order;
}

void
cab_table_sort (struct cab_table *table, int column)
{
  sorted = table;
  sorted_by = column;
  if (table->n_rows)
    qsort (table->cells, table->n_rows, sizeof *table->cells * table->n_columns, compare_rows);
}

static int
compare_keys (const void *a, const void *b)
{
  int order = 0;
  for (int c = 0; !order && c < sorted->n_columns; c++)
    if (cab_type_is_text (sorted->columns[c].type) || sorted->columns[c].type == CAB_NUMBER
	|| sorted->columns[c].type == CAB_LINE)
      order = compare_cells ((const union cab_cell *) a + c, (const union cab_cell *) b + c,
			     sorted->columns[c].type);
  return order;
}

static void
add_counts (const struct cab_table *table, union cab_cell *to, const union cab_cell *row)
{
  for (int c = 0; c < table->n_columns; c++)
    if (table->columns[c].type == CAB_TALLY
	&& (to[c].count == CAB_UNKNOWN || row[c].count == CAB_UNKNOWN))
      to[c].count = CAB_UNKNOWN;
    else if (table->columns[c].type == CAB_TALLY || table->columns[c].type == CAB_COUNT)
      to[c].count += row[c].count;
}

void
cab_table_fold (struct cab_table *table)
{
  size_t n = 0, bytes = sizeof *table->cells * table->n_columns;
  sorted = table;
  if (table->n_rows)
    qsort (table->cells, table->n_rows, bytes, compare_keys);
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *row = &table->cells[i * table->n_columns],
		     *last = n ? &table->cells[(n - 1) * table->n_columns] : NULL;
      if (last && !compare_keys (last, row))
	add_counts (table, last, row);
      else
	memmove (&table->cells[n++ * table->n_columns], row, bytes);
    }
  table->n_rows = n;
}

void
cab_table_shares (struct cab_table *table, int count, int share)
{
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *row = &table->cells[i * table->n_columns];
      row[share].share = (double) row[count].count / table->total;
    }
}

void
cab_table_sum (struct cab_table *table)
{
  free (table->totals);
  table->totals = XCNEWVEC (uint64_t, table->n_columns);
  for (int c = 0; c < table->n_columns; c++)
    {
      enum cab_type type = table->columns[c].type;
      if (type != CAB_COUNT && type != CAB_TALLY)
	table->totals[c] = CAB_UNKNOWN;
      for (size_t i = 0; i < table->n_rows && table->totals[c] != CAB_UNKNOWN; i++)
	{
	  uint64_t n = table->cells[i * table->n_columns + c].count;
	  table->totals[c] = type == CAB_TALLY && n == CAB_UNKNOWN ? CAB_UNKNOWN
								   : table->totals[c] + n;
	}
    }
}

void
cab_table_limit (struct cab_table *table, size_t limit)
{
  if (!limit || table->n_rows <= limit || table->is_pruned)
    return;
  for (size_t i = limit; i < table->n_rows && table->total_column >= 0; i++)
    table->hidden += table->cells[i * table->n_columns + table->total_column].count;
  table->n_hidden += table->n_rows - limit;
  table->n_rows = limit;
}

enum cab_format
cab_table_format (const char *name)
{
  return !strcmp (name, "text") ? CAB_FORMAT_TEXT
       : !strcmp (name, "tsv")	? CAB_FORMAT_TSV
       : !strcmp (name, "json") ? CAB_FORMAT_JSON
       : 0;
}

static bool
shown (const struct cab_column *column, enum cab_format format)
{
  return !column->formats || column->formats & format;
}

static void
tsv_text (const char *text, FILE *to)
{
  for (; *text; text++)
    if (*text == '\t')
      fputs ("\\t", to);
    else if (*text == '\n')
      fputs ("\\n", to);
    else if (*text == '\\')
      fputs ("\\\\", to);
    else
      fputc (*text, to);
}

void
cab_table_tsv (const struct cab_table *table, FILE *to)
{
  if (table->note)
    fprintf (to, "# %s\n", table->note);
  for (size_t r = 0; r <= table->n_rows; r++)
    {
      const union cab_cell *row = r ? table->cells + (r - 1) * table->n_columns : NULL;
      const char *separator = "";
      for (int c = 0; c < table->n_columns; c++)
	{
	  const struct cab_column *column = &table->columns[c];
	  if (!shown (column, CAB_FORMAT_TSV))
	    continue;
	  fputs (separator, to);
	  separator = "\t";
	  if (!row)
	    fputs (column->name, to);
	  else if (cab_type_is_text (column->type))
	    tsv_text (row[c].text, to);
	  else if (((column->type == CAB_REAL || column->type == CAB_SHARE
		     || column->type == CAB_SAMPLED)
		    && !isfinite (row[c].share))
		   || (column->type == CAB_RELATIVE && isnan (row[c].share))
		   || (column->type == CAB_TALLY && row[c].count == CAB_UNKNOWN))
	    fputc ('-', to);
	  else if (column->type == CAB_SHARE || column->type == CAB_SAMPLED
		   || column->type == CAB_RELATIVE || column->type == CAB_REAL)
	    fprintf (to, "%.6f", row[c].share);
	  else if (column->type == CAB_CHANGE)
	    fprintf (to, "%" PRIi64, row[c].change);
	  else
	    fprintf (to, "%" PRIu64, row[c].count);
	}
      fputc ('\n', to);
    }
}

/* Return TEXT as a JSON string.  Names may be no UTF-8, which JSON has to be: they are read as
   Latin-1 then. */
static json_t *
json_text (const char *text)
{
  json_t *value = json_string (text);
  if (value)
    return value;
  char *latin = xmalloc (2 * strlen (text) + 1), *p = latin;
  for (; *text; text++)
    {
      unsigned char byte = *text;
      if (byte >= 0x80)
	*p++ = 0xc0 | byte >> 6;
      *p++ = byte >= 0x80 ? 0x80 | (byte & 0x3f) : byte;
    }
  *p = 0;
  value = json_string (latin);
  free (latin);
  return value;
}

json_t *
cab_table_json_cell (const union cab_cell *cell, enum cab_type type)
{
  if (cab_type_is_text (type))
    return json_text (cell->text);
  if (type == CAB_SHARE || type == CAB_SAMPLED || type == CAB_RELATIVE || type == CAB_REAL)
    return isfinite (cell->share) ? json_real (cell->share) : json_null ();
  if (type == CAB_TALLY && cell->count == CAB_UNKNOWN)
    return json_null ();
  return json_integer (type == CAB_CHANGE ? (json_int_t) cell->change : (json_int_t) cell->count);
}

json_t *
cab_table_json_object (const struct cab_table *table, const char *profile)
{
  json_t *rows = json_array ();
  for (size_t r = 0; r < table->n_rows; r++)
    {
      json_t *row = json_object ();
      for (int c = 0; c < table->n_columns; c++)
	if (shown (&table->columns[c], CAB_FORMAT_JSON))
	  json_object_set_new (
	    row, table->columns[c].name,
	    cab_table_json_cell (&table->cells[r * table->n_columns + c], table->columns[c].type));
      json_array_append_new (rows, row);
    }
  json_t *root = json_pack ("{s:i, s:s, s:o, s:I, s:o}", "schema", SCHEMA, "report", table->name,
			    "profile", json_text (profile), "rows_hidden",
			    (json_int_t) table->n_hidden, "rows", rows);
  if (table->total_column >= 0)
    json_object_set_new (root, "total", json_integer (table->total));
  if (table->note)
    json_object_set_new (root, "note", json_text (table->note));
  return root;
}

void
cab_table_json (const struct cab_table *table, const char *profile, FILE *to)
{
  json_t *root = cab_table_json_object (table, profile);
  json_dumpf (root, to, JSON_INDENT (1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION (9));
  fputc ('\n', to);
  json_decref (root);
}
