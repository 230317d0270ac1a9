/* report_blocks.c - which allocations made how many blocks, and how often were these read and written?
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report.h"
#include "blocks_join.h"

static const struct cab_column columns[] = {
  { "function", CAB_TEXT, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "column", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "callee", CAB_TEXT, 0 },
  { "type", CAB_TEXT, 0 },
  { "blocks", CAB_COUNT, 0 },
  { "released", CAB_COUNT, 0 },
  { "bytes", CAB_COUNT, 0 },
  { "peak_bytes", CAB_COUNT, 0 },
  { "reads", CAB_COUNT, 0 },
  { "writes", CAB_COUNT, 0 }
};
enum { FUNCTION, FILE_, LINE, COLUMN, CALLEE, TYPE, BLOCKS, RELEASED, BYTES, PEAK, READS, WRITES, N };

const char *
cab_report_lacks_blocks (const struct cab_model *model)
{
  return cab_model_state (model, &cab_blocks) ? NULL
	 : "no blocks were counted: compile with -fplugin-arg-cabprof-events=memory, and run with CABPROF_OPTIONS=analyses=blocks";
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

/* What is of no one allocation, by NAME. */
static void
add_outside (struct cab_table *table, const char *name, const struct cab_blocks_sums *sums)
{
  if (!(sums->reads + sums->writes + sums->updates + sums->released))
    return;
  union cab_cell *cell = cab_table_row (table);
  cell[FUNCTION].text = name;
  cell[FILE_].text = cell[CALLEE].text = cell[TYPE].text = "";
  cell[LINE].count = cell[COLUMN].count = 0;
  put_sums (cell, sums);
}

static void
add_row (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table, const struct cab_blocks_row *row)
{
  struct cab_access_ref ref = cab_model_access (model, row->key - 1);
  if (!row->sums.blocks || !ref.allocation || !cab_report_wants (options, ref.function))
    return;
  union cab_cell *cell = cab_table_row (table);
  cell[FUNCTION].text = cab_report_name (model, options, ref.function);
  cell[FILE_].text = ref.allocation->line ? ref.function->record->files[ref.allocation->file] : ref.function->file;
  cell[LINE].count = ref.allocation->line;
  cell[COLUMN].count = ref.allocation->column;
  cell[CALLEE].text = ref.allocation->callee;
  cell[TYPE].text = ref.allocation->type;
  put_sums (cell, &row->sums);
  table->total += row->sums.bytes;
}

void
cab_report_blocks (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  const struct cab_arena *state = cab_model_state (model, &cab_blocks);
  struct cab_blocks_join join = { 0 };
  struct cab_blocks_row row;
  bool all = !options->function && !options->file;
  cab_table_init (table, "blocks", "Blocks of memory by allocation", columns, N);
  table->total_column = BYTES;
  if (state)
    cab_blocks_join_init (&join, state);
  for (uint64_t cursor = 0; state && cab_blocks_next (state, &cursor, &row);)
    {
      cab_blocks_join_row (&join, &row);
      if (row.key > 1)
	add_row (model, options, table, &row);
      else if (all)   /* globals, the stack, and blocks that no call here made */
	add_outside (table, "(no block)", &row.sums);
    }
  if (all)
    add_outside (table, "(one of several)", &join.several);
  cab_blocks_join_fini (&join);
  cab_table_sort (table, BYTES);
}
