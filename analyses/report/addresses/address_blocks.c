/* address_blocks.c - see address_blocks.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/addresses/address_blocks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

struct weighted
{
  uint64_t value, n;
};

static int
by_value (const void *a, const void *b)
{
  const struct weighted *x = a, *y = b;
  return (x->value > y->value) - (x->value < y->value);
}

/* Return the median of column VALUE over the N rows at ROW, weighted by column COUNT. */
static uint64_t
median (const struct cab_table *table, const union cab_cell *row, size_t n, int value, int count)
{
  struct weighted *all = XNEWVEC (struct weighted, n);
  uint64_t sum = 0, below = 0;
  size_t i = 0;
  for (size_t k = 0; k < n; k++)
    {
      const union cab_cell *cell = &row[k * table->n_columns];
      all[k] = (struct weighted) { cell[value].count, cell[count].count };
      sum += all[k].n;
    }
  qsort (all, n, sizeof *all, by_value);
  while (i + 1 < n && (below += all[i].n) < sum - sum / 2)
    i++;
  uint64_t found = all[i].value;
  free (all);
  return found;
}

/* Return true if the rows A and B have the same texts and lines. */
static bool
are_alike (const struct cab_table *table, const union cab_cell *a, const union cab_cell *b)
{
  for (int c = 0; c < table->n_columns; c++)
    {
      enum cab_type type = table->columns[c].type;
      if ((cab_type_is_text (type) && strcmp (a[c].text, b[c].text))
	  || (type == CAB_LINE && a[c].count != b[c].count))
	return false;
    }
  return true;
}

/* Set the medians of the N rows at ROW, which become alike. */
static void
set_medians (const struct cab_table *table, union cab_cell *row, size_t n,
	     const struct cab_address_blocks *columns)
{
  uint64_t bytes = median (table, row, n, columns->bytes, columns->samples),
	   age = median (table, row, n, columns->age, columns->samples);
  for (size_t k = 0; k < n; k++)
    {
      union cab_cell *cell = &row[k * table->n_columns];
      /* The rows are added up to one. */
      cell[columns->median_bytes].count = !bytes ? CAB_UNKNOWN : k ? 0 : bytes;
      cell[columns->median_age].share = bytes ? age / 1e6 : NAN;
      cell[columns->bytes].count = cell[columns->age].count = 0;
    }
}

void
cab_address_blocks_fold (struct cab_table *table, const struct cab_address_blocks *columns)
{
  /* Plain numbers keep rows apart, and the last columns decide last. */
  cab_table_fold (table);
  for (size_t first = 0, n; first < table->n_rows; first += n)
    {
      union cab_cell *row = &table->cells[first * table->n_columns];
      for (n = 1; first + n < table->n_rows && are_alike (table, row, row + n * table->n_columns);)
	n++;
      set_medians (table, row, n, columns);
    }
  cab_table_fold (table);
}
