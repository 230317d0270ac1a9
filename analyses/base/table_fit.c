/* table_fit.c - the text of a table's cells, and the widths of its columns where there is little
 * room.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/table_fit.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define FIRST_LEAST 12  /* text columns are narrowed to this width first */
#define LAST_LEAST 8    /* and to this width before columns of lines and texts are left out */

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

/* Return how many samples the share in CELL is of. */
static double
samples_of (const struct cab_table *table, const union cab_cell *cell)
{
  return cell->share * table->n_samples;
}

bool
cab_fit_is_rough (const struct cab_table *table, int column, const union cab_cell *cell)
{
  if (table->columns[column].type != CAB_SAMPLED || !table->n_samples || !isfinite (cell->share))
    return false;
  double samples = samples_of (table, cell);
  return samples >= 0.5 && samples < CAB_FIT_SAMPLES - 0.5;
}

static const char *
share_text (const struct cab_table *table, int column, const union cab_cell *cell, char buffer[32])
{
  double percent = 100 * cell->share;
  bool sampled = table->columns[column].type == CAB_SAMPLED && table->n_samples;
  if (!isfinite (cell->share))
    return "-";
  if (cab_fit_is_rough (table, column, cell))
    snprintf (buffer, 32, percent < 1 ? "<1%%" : "~%.0f%%", percent);
  else
    snprintf (buffer, 32, sampled && table->n_samples < CAB_FIT_SAMPLES ? "%.0f%%" : "%.1f%%",
	      percent);
  return buffer;
}

const char *
cab_fit_cell (const struct cab_table *table, int column, const union cab_cell *cell,
	      char buffer[32])
{
  char digits[32];
  enum cab_type type = table->columns[column].type;
  switch (type)
    {
    case CAB_TEXT:
    case CAB_PATH:
    case CAB_FUNCTION:
    case CAB_CHAIN:
      return cell->text;
    case CAB_TALLY:
    case CAB_COUNT:
      return cell->count == CAB_UNKNOWN && type == CAB_TALLY
	     ? "-"
	     : cab_table_grouped (cell->count, buffer);
    case CAB_CHANGE:
      *buffer = cell->change < 0 ? '-' : '+';
      cab_table_grouped (imaxabs (cell->change), digits);
      strcpy (buffer + 1, digits);
      return buffer;
    case CAB_RELATIVE:
      snprintf (buffer, 32,
		isfinite (cell->share) ? "%+.1f%%"
		: isnan (cell->share) ? "-"
		: "new",
		100 * cell->share);
      return buffer;
    case CAB_REAL:
      snprintf (buffer, 32, isfinite (cell->share) ? "%.2f" : "-", cell->share);
      return buffer;
    case CAB_SHARE:
    case CAB_SAMPLED:
      return share_text (table, column, cell, buffer);
    default:
      snprintf (buffer, 32, "%" PRIu64, cell->count);
      return cell->count || type == CAB_NUMBER ? buffer : "-";
    }
}

static int
larger (int a, int b)
{
  return a > b ? a : b;
}

/* Return the width of the widest cell of column C, its total included, its head not. */
static int
contents_width (const struct cab_table *table, int c)
{
  char buffer[32];
  int width = 0;
  for (size_t r = 0; r < table->n_rows; r++)
    width = larger (width, cab_style_width (cab_fit_cell (
			     table, c, &table->cells[r * table->n_columns + c], buffer)));
  if (c == table->total_column)
    width = larger (width, cab_style_width (cab_table_grouped (table->total, buffer)));
  if (table->totals && table->totals[c] != CAB_UNKNOWN)
    width = larger (width, cab_style_width (cab_table_grouped (table->totals[c], buffer)));
  return width;
}

int
cab_fit_natural (const struct cab_table *table, int *width)
{
  int sum = -CAB_FIT_GAP;
  for (int c = 0; c < table->n_columns; c++)
    {
      width[c] = CAB_FIT_NOWHERE;
      if (table->columns[c].formats && !(table->columns[c].formats & CAB_FORMAT_TEXT))
	continue;
      width[c] = larger (cab_style_width (table->columns[c].name), contents_width (table, c));
      sum += width[c] + CAB_FIT_GAP;
    }
  return sum;
}

int
cab_fit_head_bytes (const char *name, int width)
{
  int n = 0;
  if (cab_style_width (name) <= width)
    return strlen (name);
  for (int i = 0; name[i]; i++)
    if (name[i] == '_' && (!n || i < width))
      n = i + 1;
  return n ? n : (int) strlen (name);
}

static int
head_lines (const char *name, int width)
{
  int lines = 0;
  for (; *name; name += cab_fit_head_bytes (name, width))
    lines++;
  return lines;
}

int
cab_fit_head_lines (const struct cab_table *table, const int *width)
{
  int lines = 1;
  for (int c = 0; c < table->n_columns; c++)
    if (width[c] >= 0)
      lines = larger (lines, head_lines (table->columns[c].name, width[c]));
  return lines;
}

/* Return the length of the longest piece of NAME between underscores. */
static int
longest_piece (const char *name)
{
  int longest = 0;
  for (const char *next; *name; name = next)
    {
      next = strchr (name, '_') ? strchr (name, '_') + 1 : name + strlen (name);
      longest = larger (longest, next - name);
    }
  return longest;
}

/* Move chains below their rows.  Return how many characters narrower the table is then. */
static int
put_below (const struct cab_table *table, int *width)
{
  int saved = 0;
  for (int c = 0; c < table->n_columns; c++)
    if (table->columns[c].type == CAB_CHAIN && width[c] >= 0)
      {
	saved += width[c] + CAB_FIT_GAP;
	width[c] = CAB_FIT_BELOW;
      }
  return saved;
}

static int
stack_heads (const struct cab_table *table, int *width)
{
  int saved = 0;
  for (int c = 0; c < table->n_columns; c++)
    if (width[c] >= 0 && !cab_type_is_text (table->columns[c].type))
      {
	int least = larger (contents_width (table, c), longest_piece (table->columns[c].name));
	saved += width[c] - least;
	width[c] = least;
      }
  return saved;
}

/* Narrow the widest text columns one character at a time, but not below LEAST, until EXCESS
   characters are saved.  Return how many were saved. */
static int
narrow (const struct cab_table *table, int *width, int excess, int least)
{
  int saved = 0;
  for (; saved < excess; saved++)
    {
      int widest = -1;
      for (int c = 0; c < table->n_columns; c++)
	if (cab_type_is_text (table->columns[c].type) && width[c] > least
	    && (widest < 0 || width[c] > width[widest]))
	  widest = c;
      if (widest < 0)
	break;
      width[widest]--;
    }
  return saved;
}

/* Return true if column C may be left out in step ORDER: spare columns in step 0, numbers in 1,
   lines in 2, texts in 3.  The total's column and shares are never left out; the caller keeps the
   first column. */
static bool
may_leave_out (const struct cab_table *table, int c, int order)
{
  enum cab_type type = table->columns[c].type;
  if (c == table->total_column || type == CAB_SHARE || type == CAB_SAMPLED)
    return false;
  return order == 0 ? table->columns[c].formats == CAB_COLUMN_SPARE
       : order == 1 ? !cab_type_is_text (type) && type != CAB_LINE
       : order == 2 ? type == CAB_LINE
       : true;
}

/* Leave out columns of step ORDER, from the right, until EXCESS characters are saved.  Return how
   many were saved. */
static int
leave_out (const struct cab_table *table, int *width, int excess, int order)
{
  int saved = 0;
  for (int c = table->n_columns - 1; c > 0 && saved < excess; c--)
    if (width[c] >= 0 && may_leave_out (table, c, order))
      {
	saved += width[c] + CAB_FIT_GAP;
	width[c] = CAB_FIT_NO_ROOM;
      }
  return saved;
}

/* Widen text columns that were narrowed more than necessary, as far as ROOM allows. */
static void
widen (const struct cab_table *table, int *width, int room)
{
  int *natural = XNEWVEC (int, table->n_columns), excess = -room - CAB_FIT_GAP;
  cab_fit_natural (table, natural);
  for (int c = 0; c < table->n_columns; c++)
    if (width[c] >= 0)
      {
	width[c] = cab_type_is_text (table->columns[c].type) ? natural[c] : width[c];
	excess += width[c] + CAB_FIT_GAP;
      }
  if (excess > 0)
    narrow (table, width, excess, LAST_LEAST);
  free (natural);
}

void
cab_fit_widths (const struct cab_table *table, int *width, int room)
{
  int excess = cab_fit_natural (table, width) - room;
  if (!room || excess <= 0)
    return;
  excess -= put_below (table, width);
  excess -= excess > 0 ? stack_heads (table, width) : 0;
  excess -= excess > 0 ? narrow (table, width, excess, FIRST_LEAST) : 0;
  if (excess <= 0)
    return;
  for (int order = 0; order < 2 && excess > 0; order++)
    excess -= leave_out (table, width, excess, order);
  excess -= excess > 0 ? narrow (table, width, excess, LAST_LEAST) : 0;
  for (int order = 2; order < 4 && excess > 0; order++)
    excess -= leave_out (table, width, excess, order);
  if (excess < 0)
    widen (table, width, room);
}
