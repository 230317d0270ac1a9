/* report_edges.c - how often each edge between blocks was taken.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All edges of functions that ran are shown, including those that were never taken, except edges
 * about which paths say nothing.
 */
#include "analyses/report/report.h"
#include "analyses/profile/flow.h"

static const struct cab_column columns[] = {
  { "function", CAB_FUNCTION, 0 },
  { "from_line", CAB_LINE, 0 },
  { "to_line", CAB_LINE, 0 },
  { "from_block", CAB_NUMBER, 0 },
  { "to_block", CAB_NUMBER, 0 },
  { "count", CAB_COUNT, 0 },
  { "symbol", CAB_TEXT, CAB_FORMAT_JSON },
  { "file", CAB_TEXT, CAB_FORMAT_JSON }
};
enum { FUNCTION, FROM_LINE, TO_LINE, FROM_BLOCK, TO_BLOCK, COUNT, SYMBOL, FILE_, N };

static uint64_t
last_line (const struct cab_function *function, uint32_t block)
{
  const struct cab_block *b = &function->record->blocks[block];
  return b->n_lines ? b->lines[b->n_lines - 1].line : block == CAB_BLOCK_ENTRY ? function->line : 0;
}

static uint64_t
first_line (const struct cab_function *function, uint32_t block)
{
  const struct cab_block *b = &function->record->blocks[block];
  return b->n_lines ? b->lines[0].line : 0;
}

static void
fill_function (const struct cab_function *function, const char *name, struct cab_table *table)
{
  const struct cab_record *r = function->record;
  struct cab_flow flow;
  cab_flow_init (&flow, function);
  for (uint32_t i = 0; i < r->n_edges; i++)
    if (flow.edge[i] != CAB_FLOW_UNKNOWN)
      {
	union cab_cell *row = cab_table_row (table);
	row[FUNCTION].text = name;
	row[FROM_LINE].count = last_line (function, r->edges[i].src);
	row[TO_LINE].count = first_line (function, r->edges[i].dst);
	row[FROM_BLOCK].count = r->edges[i].src;
	row[TO_BLOCK].count = r->edges[i].dst;
	row[COUNT].count = flow.edge[i];
	row[SYMBOL].text = function->assembler;
	row[FILE_].text = function->file;
	table->total += flow.edge[i];
      }
  cab_flow_fini (&flow);
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  cab_table_init (table, "edges", "Edges by how often they were taken", columns, N);
  table->total_column = COUNT;
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      const struct cab_function *function = model->functions[i];
      if (function->record && function->paths && cab_report_wants (options, function))
	fill_function (function, cab_report_name (model, options, function), table);
    }
  cab_table_sort (table, COUNT);
}

const struct cab_report cab_edges_report = {
  .name = "edges",
  .summary = "how often each edge between blocks was taken",
  .subject = CAB_ABOUT_CODE,
  .of_paths = true,
  .fill = fill,
  .lacks = cab_report_lacks_paths
};
