/* misses_table.c - see misses_table.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/misses_table.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

static const struct cab_column all_columns[] = {
  CAB_ACCESS_COLUMNS,
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "read_misses", CAB_COUNT, 0 },
  { "write_misses", CAB_COUNT, 0 },
  { "l2_read_misses", CAB_TALLY, CAB_COLUMN_SPARE },
  { "l2_write_misses", CAB_TALLY, CAB_COLUMN_SPARE },
  { "ll_read_misses", CAB_COUNT, CAB_COLUMN_SPARE },
  { "ll_write_misses", CAB_COUNT, CAB_COLUMN_SPARE },
  { "misses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 },
  { "cumulative", CAB_SHARE, 0 },
  { "blocks", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "context", CAB_CHAIN, 0 }
};

/* In the order of enum cab_report_level. */
static const char *const levels[] = { "D1", "L2", "LL" };

bool
cab_report_level (const char *name, enum cab_report_level *level)
{
  for (size_t i = 0; i < ARRAY_SIZE (levels); i++)
    if (!strcmp (levels[i], name))
      {
	*level = i;
	return true;
      }
  return false;
}

/* Return true if text has COLUMN. */
static bool
has (enum cab_report_by by, bool has_l2, int column)
{
  switch (column)
    {
    case CAB_M_L2_READ:
    case CAB_M_L2_WRITE: return has_l2;
    case CAB_M_BLOCKS:
    case CAB_M_BYTES: return by == CAB_BY_BLOCK;
    case CAB_M_CONTEXT: return by >= CAB_BY_CONTEXT;
    default: return column >= CAB_A_COLUMNS || cab_by_has (by, column);
    }
}

void
cab_misses_begin (struct cab_table *table, const char *title, enum cab_report_by by, bool has_l2)
{
  static struct cab_column columns[CAB_M_COLUMNS];
  memcpy (columns, all_columns, sizeof columns);
  for (int i = 0; i < CAB_M_COLUMNS; i++)
    cab_column_in_text (&columns[i], has (by, has_l2, i));
  cab_table_init (table, "offenders", title, columns, CAB_M_COLUMNS);
  table->total_column = CAB_M_MISSES;
}

/* Fill in the misses in LEVEL, the share of all that they are, and the share that they and those
   above them are. */
static void
shares (struct cab_table *table, enum cab_report_level level)
{
  uint64_t above = 0;
  int read = CAB_M_D1_READ + 2 * level;
  for (size_t i = 0; i < table->n_rows; i++)
    {
      union cab_cell *cell = &table->cells[i * CAB_M_COLUMNS];
      cell[CAB_M_MISSES].count = cell[read].count + cell[read + 1].count;
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
cab_misses_finish (struct cab_table *table, enum cab_report_level level)
{
  cab_table_fold (table);
  shares (table, level);
  cab_table_sum (table);
}

/* Sort misses in descending order. */
static int
downwards (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x > *y ? -1 : *x < *y;
}

/* Return how many of N loads, the worst first, make 80 % of all MISSES, and set *TOTAL to the
   sum. */
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
cab_misses_title (struct cab_names *names, const char *what, enum cab_report_level level,
		  uint64_t *misses, size_t n)
{
  char grouped[32];
  uint64_t total;
  size_t few = worst (misses, n, &total);
  return cab_names_format (names, "%s in %s: %zu of %zu loads make 80 %% of its %s read misses",
			   what, levels[level], few, n, cab_table_grouped (total, grouped));
}
