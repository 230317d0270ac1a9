/* table_text.c - a table for people: aligned, within the terminal's width.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "table.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "names.h"

#define GAP 2           /* between columns */
#define LEAST_WIDTH 12  /* no text column becomes narrower */
#define BELOW -2        /* width of a column that stands below the row; -1: of one that is not shown */
#define INDENT 4        /* of what stands there */

const char *
cab_table_grouped (uint64_t n, char text[32])
{
  char digits[24];
  int length = snprintf (digits, sizeof digits, "%" PRIu64, n), at = 0;
  for (int i = 0; i < length; i++)
    {
      if (i && (length - i) % 3 == 0)
	text[at++] = ',';
      text[at++] = digits[i];
    }
  text[at] = 0;
  return text;
}

static const char *
cell_text (const union cab_cell *cell, enum cab_type type, char buffer[32])
{
  char digits[32];
  switch (type)
    {
    case CAB_TEXT:
    case CAB_PATH:
    case CAB_FUNCTION:
    case CAB_CHAIN:
      return cell->text;
    case CAB_TALLY:
    case CAB_COUNT:
      return cell->count == CAB_UNKNOWN && type == CAB_TALLY ? "-" : cab_table_grouped (cell->count, buffer);
    case CAB_CHANGE:
      *buffer = cell->change < 0 ? '-' : '+';
      cab_table_grouped (imaxabs (cell->change), digits);
      strcpy (buffer + 1, digits);
      return buffer;
    case CAB_RELATIVE:
      snprintf (buffer, 32, isfinite (cell->share) ? "%+.1f%%" : isnan (cell->share) ? "-" : "new", 100 * cell->share);
      return buffer;
    case CAB_REAL:
      snprintf (buffer, 32, isfinite (cell->share) ? "%.2f" : "-", cell->share);
      return buffer;
    case CAB_SHARE:
      snprintf (buffer, 32, isfinite (cell->share) ? "%.1f%%" : "-", 100 * cell->share);
      return buffer;
    default:
      snprintf (buffer, 32, "%" PRIu64, cell->count);
      return cell->count || type == CAB_NUMBER ? buffer : "-";
    }
}

/* Widths as the contents want them. */
static int
natural_widths (const struct cab_table *table, int *width)
{
  char buffer[32];
  int sum = -GAP;
  for (int c = 0; c < table->n_columns; c++)
    {
      width[c] = -1;
      if (table->columns[c].formats && !(table->columns[c].formats & CAB_FORMAT_TEXT))
	continue;
      width[c] = cab_style_width (table->columns[c].name);
      for (size_t r = 0; r < table->n_rows; r++)
	{
	  int w = cab_style_width (cell_text (&table->cells[r * table->n_columns + c], table->columns[c].type, buffer));
	  width[c] = w > width[c] ? w : width[c];
	}
      if (c == table->total_column)
	{
	  int w = cab_style_width (cab_table_grouped (table->total, buffer));
	  width[c] = w > width[c] ? w : width[c];
	}
      sum += width[c] + GAP;
    }
  return sum;
}

/* Functions' names without what C++ says of their types, in cells that are ours; the texts are in NAMES. */
static union cab_cell *
brief_cells (const struct cab_table *table, struct cab_names *names)
{
  size_t n = table->n_rows * table->n_columns;
  union cab_cell *cells = XNEWVEC (union cab_cell, n);
  if (n)
    memcpy (cells, table->cells, n * sizeof *cells);
  for (size_t i = 0; i < n; i++)
    if (table->columns[i % table->n_columns].type == CAB_FUNCTION)
      cells[i].text = cab_names_brief (names, cells[i].text);
  return cells;
}

/* Take a chain off the line, then from the widest text column, until the line fits. */
static void
fit (const struct cab_table *table, int *width, int sum, int room)
{
  for (int c = 0; room && sum > room && c < table->n_columns; c++)
    if (table->columns[c].type == CAB_CHAIN && width[c] >= 0)
      {
	sum -= width[c] + GAP;
	width[c] = BELOW;
      }
  while (room && sum > room)
    {
      int widest = -1;
      for (int c = 0; c < table->n_columns; c++)
	if (cab_type_is_text (table->columns[c].type) && width[c] > LEAST_WIDTH && (widest < 0 || width[c] > width[widest]))
	  widest = c;
      if (widest < 0)
	return;
      width[widest]--;
      sum--;
    }
}

/* The last N characters of TEXT. */
static const char *
tail_of (const char *text, int n)
{
  for (int skip = cab_style_width (text) - n; skip > 0 || (*text & 0xc0) == 0x80; text++)
    skip -= (*text & 0xc0) != 0x80;
  return text;
}

/* N bytes; names come from files, so what would steer a terminal is shown as "?". */
static void
put_bytes (const char *text, size_t n, FILE *to)
{
  for (; n > 0; n--, text++)
    fputc ((unsigned char) *text < ' ' || *text == 127 ? '?' : *text, to);
}

static void
put_text (const char *text, enum cab_type type, int width, bool last, const struct cab_style *style, FILE *to)
{
  const char *dots = style->utf8 ? "\xe2\x80\xa6" : "~", *before = "", *after = "";
  size_t n = strlen (text);
  int w = cab_style_width (text);
  if (w > width && type == CAB_PATH)
    {
      text = tail_of (text, width - 1);
      n = strlen (text);
      before = dots;
    }
  else if (w > width)
    {
      n = tail_of (text, w - width + 1) - text;
      after = dots;
    }
  fputs (before, to);
  put_bytes (text, n, to);
  fputs (after, to);
  if (w < width && !last)
    fprintf (to, "%*s", width - w, "");
}

static void
put_line (const struct cab_table *table, const int *width, const union cab_cell *row, const struct cab_style *style, FILE *to)
{
  char buffer[32];
  int last = table->n_columns - 1;
  bool first = true;
  while (last > 0 && width[last] < 0)
    last--;
  for (int c = 0; c <= last; c++)
    {
      const struct cab_column *column = &table->columns[c];
      if (width[c] < 0)
	continue;
      const char *text = row ? cell_text (&row[c], column->type, buffer) : column->name;
      fprintf (to, "%*s", first ? 0 : GAP, "");
      first = false;
      if (cab_type_is_text (column->type))
	put_text (text, column->type, width[c], c == last, style, to);
      else
	fprintf (to, "%*s%s", width[c] - cab_style_width (text), "", text);
    }
  fputc ('\n', to);
}

/* TEXT, if there is any, whole, on lines of its own. */
static void
put_below (const char *text, const struct cab_style *style, FILE *to)
{
  int room = style->width - INDENT > CAB_STYLE_PROSE ? style->width - INDENT : CAB_STYLE_PROSE;
  for (int n; *text; text += n + strspn (text + n, " "))
    {
      n = cab_style_fitting (text, room);
      fprintf (to, "%*s", INDENT, "");
      put_bytes (text, n, to);
      fputc ('\n', to);
    }
}

static void
put_row (const struct cab_table *table, const int *width, const union cab_cell *row, const struct cab_style *style, FILE *to)
{
  put_line (table, width, row, style, to);
  for (int c = 0; c < table->n_columns; c++)
    if (width[c] == BELOW)
      put_below (row ? row[c].text : table->columns[c].name, style, to);
}

/* The sum below its column, and the word "total" where there is room before it. */
static void
put_total (const struct cab_table *table, const int *width, FILE *to)
{
  char buffer[32];
  int end = width[table->total_column];
  for (int c = 0; c < table->total_column; c++)
    end += width[c] < 0 ? 0 : width[c] + GAP;
  const char *sum = cab_table_grouped (table->total, buffer), *label = "total";
  int gap = end - cab_style_width (sum) - cab_style_width (label);
  if (gap > 0)
    fprintf (to, "%s%*s%s\n", label, gap, "", sum);
  else
    fprintf (to, "%*s%s  %s\n", end - cab_style_width (sum) > 0 ? end - cab_style_width (sum) : 0, "", sum, label);
}

static void
put_table (const struct cab_table *table, const struct cab_style *style, FILE *to)
{
  int *width = XNEWVEC (int, table->n_columns);
  char buffer[32];
  fit (table, width, natural_widths (table, width), style->width);
  if (table->title)
    fprintf (to, "%s\n\n", table->title);
  if (style->bold)
    fputs ("\033[1m", to);
  put_row (table, width, NULL, style, to);
  if (style->bold)
    fputs ("\033[0m", to);
  for (size_t r = 0; r < table->n_rows; r++)
    put_row (table, width, table->cells + r * table->n_columns, style, to);
  if (!table->n_rows)
    fputs ("(none)\n", to);
  if (table->total_column >= 0)
    put_total (table, width, to);
  if (table->n_hidden)
    fprintf (to, "(%s more: --limit=0 shows all)\n", cab_table_grouped (table->n_hidden, buffer));
  if (table->note)
    cab_style_line (style, 1, to, "(%s)", table->note);
  free (width);
}

void
cab_table_text (const struct cab_table *table, const struct cab_style *style, FILE *to)
{
  int *width = XNEWVEC (int, table->n_columns);
  bool narrow = style->width && natural_widths (table, width) > style->width;
  free (width);
  if (!narrow)
    {
      put_table (table, style, to);
      return;
    }
  struct cab_table brief = *table;
  struct cab_names names;
  cab_names_init (&names);
  brief.cells = brief_cells (table, &names);
  put_table (&brief, style, to);
  free (brief.cells);
  cab_names_fini (&names);
}
