/* table_text.c - a table for people: aligned, within the terminal's width.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/table.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/names.h"
#include "analyses/base/table_fit.h"

#define INDENT 4        /* of what is written below a row */

/* Return a copy of TABLE's cells, for the caller to free, with functions' names without the C++
   types in them; the texts are in NAMES. */
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

/* Return the last N characters of TEXT. */
static const char *
tail_of (const char *text, int n)
{
  for (int skip = cab_style_width (text) - n; skip > 0 || (*text & 0xc0) == 0x80; text++)
    skip -= (*text & 0xc0) != 0x80;
  return text;
}

/* Write N bytes of TEXT.  Names come from files, so control characters, which would steer a
   terminal, are written as "?". */
static void
put_bytes (const char *text, size_t n, FILE *to)
{
  for (; n > 0; n--, text++)
    fputc ((unsigned char) *text < ' ' || *text == 127 ? '?' : *text, to);
}

/* Return where TEXT begins when its begin is cut off to fit into WIDTH, with one character for the
   dots before it: a path keeps its end, and a function its own name rather than those of classes
   and namespaces.  Return TEXT if its begin stays. */
static const char *
cut_begin (const char *text, enum cab_type type, int width)
{
  const char *begin = text, *next;
  if (width < 2 || cab_style_width (text) <= width)
    return text;
  if (type == CAB_PATH)
    return tail_of (text, width - 1);
  if (type == CAB_FUNCTION)
    while (cab_style_width (begin) >= width && (next = cab_names_next (begin)))
      begin = next;
  /* The colons are shown where there is room for them. */
  return begin > text && cab_style_width (begin) + 2 < width ? begin - 2 : begin;
}

/* Write TEXT in a column of WIDTH, without its begin or end where there is no room for all. */
static void
put_text (const char *text, enum cab_type type, int width, bool last, const struct cab_style *style,
	  FILE *to)
{
  const char *dots = style->utf8 ? "\xe2\x80\xa6" : "~";
  int indent = type == CAB_FUNCTION ? strspn (text, " ") : 0;
  indent = indent < width ? indent : 0;
  const char *begin = cut_begin (text + indent, type, width - indent);
  bool is_cut = begin > text + indent;
  int left = width - indent - is_cut, w = cab_style_width (begin);
  size_t n = w > left ? (size_t) (tail_of (begin, w - left + 1) - begin) : strlen (begin);
  fprintf (to, "%*s%s", indent, "", is_cut ? dots : "");
  put_bytes (begin, n, to);
  fputs (w > left ? dots : "", to);
  if (w < left && !last)
    fprintf (to, "%*s", left - w, "");
}

/* Return the last column that is shown in the line. */
static int
last_of (const struct cab_table *table, const int *width)
{
  int last = table->n_columns - 1;
  while (last > 0 && width[last] < 0)
    last--;
  return last;
}

/* Write TEXT in column C, after the gap to the column before it. */
static void
put_cell (const struct cab_table *table, const int *width, int c, const char *text,
	  const struct cab_style *style, FILE *to)
{
  bool first = true;
  for (int before = 0; before < c; before++)
    first &= width[before] < 0;
  fprintf (to, "%*s", first ? 0 : CAB_FIT_GAP, "");
  if (cab_type_is_text (table->columns[c].type))
    put_text (text, table->columns[c].type, width[c], c == last_of (table, width), style, to);
  else
    fprintf (to, "%*s%s", width[c] - cab_style_width (text), "", text);
}

/* Write TEXT, unless it is empty, unabridged on lines of its own. */
static void
put_below (const char *text, const struct cab_style *style, FILE *to)
{
  int room = style->table_width - INDENT > CAB_STYLE_PROSE ? style->table_width - INDENT
							   : CAB_STYLE_PROSE;
  for (int n; *text; text += n + strspn (text + n, " "))
    {
      n = cab_style_fitting (text, room);
      fprintf (to, "%*s", INDENT, "");
      put_bytes (text, n, to);
      fputc ('\n', to);
    }
}

/* Return what goes on line LINE of the LINES lines of the head of column C, in BUFFER.  Heads are
   aligned to the last line. */
static const char *
head_piece (const struct cab_table *table, const int *width, int c, int line, int lines,
	    char buffer[128])
{
  const char *name = table->columns[c].name;
  int n_pieces = 0;
  for (const char *at = name; *at; at += cab_fit_head_bytes (at, width[c]))
    n_pieces++;
  for (int skip = line - (lines - n_pieces); skip > 0 && *name; skip--)
    name += cab_fit_head_bytes (name, width[c]);
  if (lines - line > n_pieces)
    return "";
  snprintf (buffer, 128, "%.*s", cab_fit_head_bytes (name, width[c]), name);
  return buffer;
}

static void
put_head (const struct cab_table *table, const int *width, const struct cab_style *style, FILE *to)
{
  char buffer[128];
  int lines = cab_fit_head_lines (table, width);
  if (style->bold)
    fputs ("\033[1m", to);
  for (int line = 0; line < lines; line++)
    {
      int last = last_of (table, width);
      while (last > 0
	     && (width[last] < 0 || !*head_piece (table, width, last, line, lines, buffer)))
	last--;
      for (int c = 0; c <= last; c++)
	if (width[c] >= 0)
	  put_cell (table, width, c, head_piece (table, width, c, line, lines, buffer), style, to);
      fputc ('\n', to);
    }
  for (int c = 0; c < table->n_columns; c++)
    if (width[c] == CAB_FIT_BELOW)
      put_below (table->columns[c].name, style, to);
  if (style->bold)
    fputs ("\033[0m", to);
}

static void
put_row (const struct cab_table *table, const int *width, const union cab_cell *row,
	 const struct cab_style *style, FILE *to)
{
  char buffer[32];
  for (int c = 0; c <= last_of (table, width); c++)
    if (width[c] >= 0)
      put_cell (table, width, c, cab_fit_cell (table, c, &row[c], buffer), style, to);
  fputc ('\n', to);
  for (int c = 0; c < table->n_columns; c++)
    if (width[c] == CAB_FIT_BELOW)
      put_below (row[c].text, style, to);
}

/* Write the sum below each column that has one, and the word "total" where there is room before the
   first. */
static void
put_total (const struct cab_table *table, const int *width, FILE *to)
{
  static const char label[] = "total";
  char buffer[32];
  int at = 0, column = 0;
  bool labelled = false;
  for (int c = 0; c < table->n_columns; c++)
    {
      if (width[c] < 0)
	continue;
      uint64_t sum = c == table->total_column ? table->total
		   : table->totals ? table->totals[c]
		   : CAB_UNKNOWN;
      column += width[c];
      if (c == table->total_column || sum != CAB_UNKNOWN)
	{
	  cab_table_grouped (sum, buffer);
	  if (!labelled && column - (int) strlen (buffer) > (int) strlen (label))
	    at += fprintf (to, "%s", label);
	  labelled = true;
	  at += fprintf (to, "%*s%s", column - (int) strlen (buffer) - at, "", buffer);
	}
      column += CAB_FIT_GAP;
    }
  fputs (strlen (label) < (size_t) at ? "\n" : "  total\n", to);
}

static void
put_left_out (const struct cab_table *table, const int *width, const struct cab_style *style,
	      FILE *to)
{
  char *names = NULL;
  for (int c = 0; c < table->n_columns; c++)
    if (width[c] == CAB_FIT_NO_ROOM)
      names = names ? reconcat (names, names, ", ", table->columns[c].name, NULL)
		    : xstrdup (table->columns[c].name);
  if (names)
    cab_style_line (style, 1, to, "(no room for %s: --wide shows all columns)", names);
  free (names);
}

/* Write notes on hidden rows, uncertain shares and columns without room, and the table's own
   note. */
static void
put_notes (const struct cab_table *table, const int *width, const struct cab_style *style, FILE *to)
{
  char buffer[32];
  bool rough = false;
  if (table->n_hidden)
    {
      fprintf (to, "(%s more", cab_table_grouped (table->n_hidden, buffer));
      if (table->total_column >= 0 && table->hidden <= table->total && table->total)
	fprintf (to, ", %.1f %% of the total", 100. * table->hidden / table->total);
      fputs (": --limit=0 shows all)\n", to);
    }
  for (size_t i = 0; i < table->n_rows * table->n_columns; i++)
    rough |= width[i % table->n_columns] >= 0
	  && cab_fit_is_rough (table, i % table->n_columns, &table->cells[i]);
  if (rough)
    fprintf (to, "(~ and <: of fewer than %d samples)\n", CAB_FIT_SAMPLES);
  put_left_out (table, width, style, to);
  if (table->note)
    cab_style_line (style, 1, to, "(%s)", table->note);
}

static void
put_table (const struct cab_table *table, const struct cab_style *style, FILE *to)
{
  int *width = XNEWVEC (int, table->n_columns);
  cab_fit_widths (table, width, style->table_width);
  if (table->title)
    {
      cab_style_line (style, 4, to, "%s", table->title);
      fputc ('\n', to);
    }
  put_head (table, width, style, to);
  for (size_t r = 0; r < table->n_rows; r++)
    put_row (table, width, table->cells + r * table->n_columns, style, to);
  if (!table->n_rows)
    fputs ("(none)\n", to);
  if (table->total_column >= 0)
    put_total (table, width, to);
  put_notes (table, width, style, to);
  free (width);
}

void
cab_table_text (const struct cab_table *table, const struct cab_style *style, FILE *to)
{
  int *width = XNEWVEC (int, table->n_columns);
  bool narrow = style->table_width && cab_fit_natural (table, width) > style->table_width;
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
