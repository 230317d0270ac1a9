/* report_blocks.c - how many blocks each allocation made, in which calling context, and how often
 * they were read and written.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/context_coverage.h"
#include "analyses/report/report.h"
#include "analyses/report/blocks_join.h"
#include "analyses/live/an_blocks.h"

static const struct cab_column all_columns[] = {
  { "function", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "column", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "callee", CAB_FUNCTION, 0 },
  { "type", CAB_TEXT, 0 },
  { "blocks", CAB_COUNT, 0 },
  { "released", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "peak_bytes", CAB_COUNT, 0 },
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 },
  { "node", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "context", CAB_CHAIN, 0 }
};
enum
{
  FUNCTION,
  FILE_,
  LINE,
  COLUMN,
  CALLEE,
  TYPE,
  BLOCKS,
  RELEASED,
  BYTES,
  PEAK,
  READS,
  WRITES,
  NODE,
  CONTEXT,
  N
};

/* The rows of the state, each key once. */
struct rows
{
  struct cab_blocks_row *items;
  size_t n;
};

const char *
cab_report_lacks_blocks (const struct cab_model *model)
{
  return cab_model_state (model, &cab_blocks)
	 ? NULL
	 : "no blocks were counted: compile with -fplugin-arg-cabprof-events=memory, and run with "
	   "CABPROF_OPTIONS=analyses=blocks";
}

/* Return true if STATE has contexts, and they are right. */
static bool
has_contexts (const struct cab_model *model, const struct cab_arena *state)
{
  struct cab_contextless units;
  struct cab_blocks_row row;
  cab_model_contextless (model, &units);
  for (uint64_t cursor = 0;
       state && !(units.n && units.n == units.without) && cab_blocks_next (state, &cursor, &row);)
    if (cab_blocks_node (&row))
      return true;
  return false;
}

static const char *
lacks_contexts (const struct cab_model *model, enum cab_report_by by)
{
  return by != CAB_BY_CONTEXT || has_contexts (model, cab_model_state (model, &cab_blocks))
	 ? NULL
	 : "in which calling contexts blocks were allocated is not known: compile with "
	   "-fplugin-arg-cabprof-events=calls,memory "
	   "-fplugin-arg-cabprof-context";
}

static int
by_key (const void *a, const void *b)
{
  const struct cab_blocks_row *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

/* Add FROM, which is of the same allocation in another context, to TO. */
static void
add_sums (struct cab_blocks_sums *to, const struct cab_blocks_sums *from)
{
  for (size_t i = 0; i < sizeof *to / sizeof (uint64_t); i++)
    ((uint64_t *) to)[i] += ((const uint64_t *) from)[i];
}

/* Make ROW stand for all contexts of its allocation, with what lived at once in all of them. */
static void
forget_context (struct cab_blocks_row *row)
{
  row->key = cab_blocks_alone (row->key);
  row->sums.live = row->sums.all_live;
  row->sums.peak = row->sums.all_peak;
}

static struct rows
read_rows (const struct cab_arena *state, bool by_context)
{
  struct rows rows = { NULL, 0 };
  struct cab_blocks_row row;
  size_t room = 0, n = 0;
  for (uint64_t cursor = 0; state && cab_blocks_next (state, &cursor, &row);)
    {
      if (!by_context)
	forget_context (&row);
      if (rows.n == room)
	rows.items = XRESIZEVEC (struct cab_blocks_row, rows.items, room = 2 * room + 64);
      rows.items[rows.n++] = row;
    }
  if (rows.n)
    qsort (rows.items, rows.n, sizeof *rows.items, by_key);
  for (size_t i = 0; i < rows.n; i++)
    if (n && rows.items[n - 1].key == rows.items[i].key)
      add_sums (&rows.items[n - 1].sums, &rows.items[i].sums);
    else
      rows.items[n++] = rows.items[i];
  rows.n = n;
  return rows;
}

static void
put_sums (union cab_cell *cell, const struct cab_blocks_sums *sums)
{
  cell[BLOCKS].count = sums->blocks;
  cell[RELEASED].count = sums->released;
  cell[BYTES].count = sums->bytes;
  cell[PEAK].count = sums->peak;
  cell[READS].count = sums->reads + sums->updates;
  cell[WRITES].count = sums->writes + sums->updates;
}

/* Add a row called NAME for what is of no single allocation. */
static void
add_outside (struct cab_table *table, const char *name, const struct cab_blocks_sums *sums)
{
  if (!(sums->reads + sums->writes + sums->updates + sums->released))
    return;
  union cab_cell *cell = cab_table_row (table);
  cell[FUNCTION].text = name;
  cell[FILE_].text = cell[CALLEE].text = cell[TYPE].text = cell[CONTEXT].text = "";
  cell[LINE].count = cell[COLUMN].count = cell[NODE].count = 0;
  put_sums (cell, sums);
}

/* Return true if ROW says anything of blocks: in a region they may be of allocations outside. */
static bool
is_of_blocks (const struct cab_blocks_sums *row)
{
  return row->blocks || row->released || row->peak || row->reads || row->writes || row->updates;
}

static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table,
	 const struct cab_blocks_row *row)
{
  struct cab_access_ref ref = cab_model_access (model, cab_blocks_number (row));
  if (!is_of_blocks (&row->sums) || !ref.allocation || !cab_report_wants (options, ref.function))
    return;
  union cab_cell *cell = cab_table_row (table);
  cell[FUNCTION].text = cab_report_name (model, options, ref.function);
  cell[FILE_].text = ref.allocation->line ? ref.function->record->files[ref.allocation->file]
					  : ref.function->file;
  cell[LINE].count = ref.allocation->line;
  cell[COLUMN].count = ref.allocation->column;
  cell[CALLEE].text = options->format == CAB_FORMAT_TEXT
		      ? cab_names_display (&model->names, ref.allocation->callee, "", "")
		      : ref.allocation->callee;
  cell[TYPE].text = ref.allocation->type;
  cell[NODE].count = cab_blocks_node (row);
  cell[CONTEXT].text = options->by == CAB_BY_CONTEXT
		       ? cab_report_context (model, options, cab_blocks_node (row))
		       : "";
  put_sums (cell, &row->sums);
  table->total += row->sums.bytes;
}

static void
begin (struct cab_table *table, bool by_context)
{
  static struct cab_column columns[N];
  memcpy (columns, all_columns, sizeof columns);
  cab_column_in_text (&columns[CONTEXT], by_context);
  cab_table_init (table, "blocks",
		  by_context ? "Blocks of memory by allocation and calling context"
			     : "Blocks of memory by allocation",
		  columns, N);
  table->total_column = BYTES;
}

void
cab_report_blocks (struct cab_model *model, const struct cab_report_options *options,
		   struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_blocks);
  bool all = !options->function && !options->file, by_context = options->by == CAB_BY_CONTEXT;
  struct rows rows = read_rows (state, by_context);
  struct cab_blocks_join join = { 0 };
  begin (table, by_context);
  if (state)
    cab_blocks_join_init (&join, state, by_context);
  for (size_t i = 0; i < rows.n; i++)
    {
      struct cab_blocks_row *row = &rows.items[i];
      cab_blocks_join_row (&join, row);
      if (row->key > 1)
	add_row (model, options, table, row);
      else if (all)   /* globals, the stack, and blocks that no call here made */
	add_outside (table, "(no block)", &row->sums);
    }
  if (all)
    add_outside (table, "(one of several)", &join.several);
  cab_blocks_join_fini (&join);
  free (rows.items);
  cab_table_sort (table, BYTES);
}

static const char *
wrong_by (enum cab_report_by by)
{
  return by != CAB_BY_SITE && by != CAB_BY_CONTEXT
	 ? "blocks are not counted by it (site, context)"
	 : NULL;
}

const struct cab_report cab_blocks_report = {
  .name = "blocks",
  .summary = "how many blocks and bytes each allocation made, and how often they were "
	     "accessed",
  .subject = CAB_ABOUT_MEMORY,
  .options = CAB_HAS_BY,
  .of_accesses = true,
  .wrong_by = wrong_by,
  .lacks_by = lacks_contexts,
  .fill = cab_report_blocks,
  .lacks = cab_report_lacks_blocks
};
