/* misses_table.c - see misses_table.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "misses_table.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

static const struct cab_column all_columns[] = {
  CAB_ACCESS_COLUMNS,
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "read_misses", CAB_COUNT, 0 },
  { "write_misses", CAB_COUNT, 0 },
  { "ll_read_misses", CAB_COUNT, 0 },
  { "ll_write_misses", CAB_COUNT, 0 },
  { "misses", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "share", CAB_SHARE, 0 },
  { "cumulative", CAB_SHARE, 0 },
  { "blocks", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "context", CAB_CHAIN, 0 }
};

static const char *const by_names[] = { "site", "variable", "line", "function", "loop", "context", "block" };

bool
cab_report_by (const char *name, enum cab_report_by *by)
{
  for (size_t i = 0; i < ARRAY_SIZE (by_names); i++)
    if (!strcmp (by_names[i], name))
      {
	*by = i;
	return true;
      }
  return false;
}

/* Does a row have this column? */
static bool
has (enum cab_report_by by, int column)
{
  switch (column)
    {
    case CAB_M_VARIABLE: return by == CAB_BY_SITE || by == CAB_BY_VARIABLE || by >= CAB_BY_CONTEXT;
    case CAB_M_FUNCTION: return by != CAB_BY_VARIABLE && by != CAB_BY_LINE;
    case CAB_M_FILE: return by != CAB_BY_VARIABLE;
    case CAB_M_LINE: return by != CAB_BY_VARIABLE;
    case CAB_M_COLUMN: return by == CAB_BY_SITE || by >= CAB_BY_LOOP;
    case CAB_M_BLOCKS:
    case CAB_M_BYTES: return by == CAB_BY_BLOCK;
    case CAB_M_CONTEXT: return by >= CAB_BY_CONTEXT;
    default: return true;
    }
}

void
cab_misses_keep (union cab_cell *cell, enum cab_report_by by)
{
  for (int i = CAB_M_VARIABLE; i <= CAB_M_FILE; i++)
    cell[i].text = has (by, i) ? cell[i].text : "";
  for (int i = CAB_M_LINE; i <= CAB_M_COLUMN; i++)
    cell[i].count = has (by, i) ? cell[i].count : 0;
}

void
cab_misses_begin (struct cab_table *table, const char *title, enum cab_report_by by)
{
  static struct cab_column columns[CAB_M_COLUMNS];
  memcpy (columns, all_columns, sizeof columns);
  for (int i = 0; i < CAB_M_COLUMNS; i++)
    cab_column_in_text (&columns[i], has (by, i));
  cab_table_init (table, "offenders", title, columns, CAB_M_COLUMNS);
  table->total_column = CAB_M_MISSES;
}

static int
by_place (const void *a, const void *b)
{
  const union cab_cell *x = a, *y = b;
  int order = 0;
  for (int i = CAB_M_VARIABLE; i <= CAB_M_FILE && !order; i++)
    order = strcmp (x[i].text, y[i].text);
  for (int i = CAB_M_LINE; i <= CAB_M_COLUMN && !order; i++)
    order = x[i].count < y[i].count ? -1 : x[i].count > y[i].count;
  return order ? order : strcmp (x[CAB_M_CONTEXT].text, y[CAB_M_CONTEXT].text);
}

/* Rows of one place become one. */
static void
fold (struct cab_table *table)
{
  size_t n = 0;
  if (table->n_rows)
    qsort (table->cells, table->n_rows, CAB_M_COLUMNS * sizeof *table->cells, by_place);
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *row = &table->cells[i * CAB_M_COLUMNS], *last = n ? &table->cells[(n - 1) * CAB_M_COLUMNS] : NULL;
      if (last && !by_place (last, row))
	for (int k = CAB_M_READS; k <= CAB_M_BYTES; k++)
	  last[k].count += k <= CAB_M_LL_WRITE || k >= CAB_M_BLOCKS ? row[k].count : 0;
      else
	memmove (&table->cells[n++ * CAB_M_COLUMNS], row, CAB_M_COLUMNS * sizeof *row);
    }
  table->n_rows = n;
}

/* Misses in the cache that was asked for, and what part of all they and those above them are. */
static void
shares (struct cab_table *table, bool ll)
{
  uint64_t above = 0;
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *cell = &table->cells[i * CAB_M_COLUMNS];
      uint64_t first = cell[CAB_M_D1_READ].count + cell[CAB_M_D1_WRITE].count;
      cell[CAB_M_MISSES].count = ll ? cell[CAB_M_LL_READ].count + cell[CAB_M_LL_WRITE].count : first;
      table->total += cell[CAB_M_MISSES].count;
    }
  cab_table_sort (table, CAB_M_MISSES);
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *cell = &table->cells[i * CAB_M_COLUMNS];
      above += cell[CAB_M_MISSES].count;
      cell[CAB_M_SHARE].share = table->total ? (double) cell[CAB_M_MISSES].count / table->total : 0;
      cell[CAB_M_CUMULATIVE].share = table->total ? (double) above / table->total : 0;
    }
}

void
cab_misses_finish (struct cab_table *table, bool ll)
{
  fold (table);
  shares (table, ll);
}

/* Of N loads, with so many misses each: how many it takes, the worst first, to make 80 % of all misses. */
static int
downwards (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x > *y ? -1 : *x < *y;
}

static size_t
worst (uint64_t *misses, size_t n, uint64_t *total)
{
  uint64_t sum = 0;
  size_t i = 0;
  *total = 0;
  for (size_t k = 0; k < n; k++)
    *total += misses[k];
  if (n)
    qsort (misses, n, sizeof *misses, downwards);
  /* In whole numbers: sum / total >= 4 / 5. */
  for (; i < n && sum < *total - *total / 5; i++)
    sum += misses[i];
  return i;
}

const char *
cab_misses_title (struct cab_names *names, const char *what, bool ll, uint64_t *misses, size_t n)
{
  char grouped[32];
  uint64_t total;
  size_t few = worst (misses, n, &total);
  return cab_names_format (names, "%s in %s: %zu of %zu loads make 80 %% of its %s read misses", what, ll ? "LL" : "D1", few, n,
			   cab_table_grouped (total, grouped));
}
