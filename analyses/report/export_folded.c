/* export_folded.c - a line per calling context: its stack and how often it was entered.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/export.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/report/report.h"

#define MOST_BYTES (UINT64_C (1) << 32)   /* bytes of output; a recursion of depth n takes n * n / 2
					     frames */

/* The columns of the report of trees, and the stack down to the current row. */
struct stacks
{
  const struct cab_table *table;
  int depth, function, via, calls;
  uint32_t *rows;
};

static void
put_frame (const char *name, FILE *to)
{
  for (; *name; name++)
    putc (*name == ';' ? ':' : *name == '\n' || *name == '\r' ? '?' : *name, to);
}

static const union cab_cell *
cells_of (const struct stacks *s, uint32_t row)
{
  return s->table->cells + (size_t) row * s->table->n_columns;
}

static void
put_stack (const struct stacks *s, uint64_t depth, FILE *to)
{
  for (uint64_t i = 0; i <= depth; i++)
    {
      const union cab_cell *cells = cells_of (s, s->rows[i]);
      if (i)
	putc (';', to);
      if (*cells[s->via].text)
	{
	  putc ('[', to);
	  put_frame (cells[s->via].text, to);
	  fputs ("];", to);
	}
      put_frame (cells[s->function].text, to);
    }
}

/* Return the number of bytes of all stacks together. */
static uint64_t
weigh (struct stacks *s, uint64_t *lengths)
{
  uint64_t sum = 0;
  for (uint32_t r = 0; r < s->table->n_rows; r++)
    {
      const union cab_cell *cells = cells_of (s, r);
      uint64_t depth = cells[s->depth].count;
      lengths[depth] = (depth ? lengths[depth - 1] : 0) + strlen (cells[s->function].text)
		     + strlen (cells[s->via].text) + 4;
      sum += lengths[depth];
    }
  return sum;
}

int
cab_export_folded (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		   struct cab_diag *diag)
{
  struct cab_report_options wanted = { .format = CAB_FORMAT_JSON,
				       .fold_recursion = options->fold_recursion };
  struct cab_table table;
  cab_report_tree (model, &wanted, &table);
  struct stacks s = { .table = &table,
		      .depth = cab_table_column (&table, "depth"),
		      .function = cab_table_column (&table, "function"),
		      .via = cab_table_column (&table, "via") };
  s.calls = s.function + 1;   /* the column of the same name that text does not have */
  s.rows = XNEWVEC (uint32_t, table.n_rows + 1);
  uint64_t *lengths = XNEWVEC (uint64_t, table.n_rows + 1), bytes = weigh (&s, lengths);
  free (lengths);
  int result = bytes <= MOST_BYTES
	       ? 0
	       : cab_refuse (model->dir, diag,
			     "its stacks have %" PRIu64 " MB of text: use --fold-recursion",
			     bytes >> 20);
  for (uint32_t r = 0; r < table.n_rows && result == 0; r++)
    {
      const union cab_cell *cells = cells_of (&s, r);
      s.rows[cells[s.depth].count] = r;
      if (!cells[s.calls].count)
	continue;
      put_stack (&s, cells[s.depth].count, to);
      fprintf (to, " %" PRIu64 "\n", cells[s.calls].count);
    }
  free (s.rows);
  cab_table_fini (&table);
  return result;
}
