/* timeline_list.c - activations in the order in which they began.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/timeline.h"
#include <stdlib.h>
#include <string.h>

static const struct cab_column columns[] = {
  { "begin", CAB_TEXT, CAB_FORMAT_TEXT },
  { "begin_ns", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "duration_ns", CAB_COUNT, 0 },
  { "self_ns", CAB_COUNT, 0 },
  { "function", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "depth", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "process", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "thread", CAB_NUMBER, 0 },
  { "end", CAB_TEXT, 0 },
  { "number", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON }
};
enum { BEGIN, BEGIN_NS, DURATION, SELF, FUNCTION, FILE_, LINE, DEPTH, PROCESS, THREAD, END, NUMBER,
       N };

#define INDENT_MOST 20u   /* levels that are shown by indentation */

struct list
{
  struct cab_model *model;
  const struct cab_timeline_filter *filter;
  struct cab_table *table;
  size_t most, pruned_at;
};

static int
by_number (const void *a, const void *b)
{
  const union cab_cell *x = a, *y = b;
  return (x[NUMBER].count > y[NUMBER].count) - (x[NUMBER].count < y[NUMBER].count);
}

/* Put the rows in order; they came in that of ends.  Keep no more than are wanted. */
static void
settle (struct list *l)
{
  struct cab_table *table = l->table;
  qsort (table->cells, table->n_rows, N * sizeof *table->cells, by_number);
  if (l->most && table->n_rows > l->most)
    {
      table->n_hidden += table->n_rows - l->most;
      table->n_rows = l->most;
    }
}

static const char *
name_of (struct list *l, const struct cab_timed *span)
{
  const struct cab_report_options *options = l->filter->report;
  const char *name = cab_timeline_name (l->model, options, span);
  bool whole = !options->function && !options->file && !l->filter->longer_ns;
  if (options->format != CAB_FORMAT_TEXT || !whole || !span->depth)
    return name;
  unsigned levels = span->depth < INDENT_MOST ? span->depth : INDENT_MOST;
  return cab_names_format (&l->model->names, "%*s%s", (int) (2 * levels), "", name);
}

static void
add (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct list *l = host;
  (void) parent;
  if (!cab_timeline_passes (l->filter, l->model, span))
    return;
  if (l->most && l->table->n_rows >= 2 * l->most + 1024)
    settle (l);
  union cab_cell *row = cab_table_row (l->table);
  row[BEGIN_NS].count = span->begin_ns;
  row[DURATION].count = span->end_ns - span->begin_ns;
  row[SELF].count = span->self_ns;
  row[FUNCTION].text = name_of (l, span);
  row[FILE_].text = span->function ? span->function->file : "";
  row[LINE].count = span->function ? span->function->line : 0;
  row[DEPTH].count = span->depth;
  row[PROCESS].count = l->model->processes[span->process].pid;
  row[THREAD].count = cab_timeline_tid (l->model, span);
  row[END].text = cab_span_end_name (span->how);
  row[NUMBER].count = span->number;
}

void
cab_timeline_list (struct cab_model *model, const struct cab_timeline_filter *filter, size_t most,
		   struct cab_table *table)
{
  struct list l = { .model = model, .filter = filter, .table = table, .most = most };
  const struct cab_span_visitor visitor = { .host = &l, .end = add };
  cab_table_init (table, "timeline", "Activations of functions, by thread and begin (s)", columns,
		  N);
  table->is_pruned = true;
  struct cab_timeline_sums sums = cab_timeline_walk (model, &visitor);
  settle (&l);
  for (size_t i = 0; i < table->n_rows && filter->report->format == CAB_FORMAT_TEXT; i++)
    {
      union cab_cell *row = table->cells + i * N;
      row[BEGIN].text = cab_names_format (&model->names, "%.6f",
					  (row[BEGIN_NS].count - sums.first_ns) / 1e9);
    }
  table->note = cab_timeline_remark (&sums);
}
