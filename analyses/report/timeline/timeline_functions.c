/* timeline_functions.c - how long the activations of each function took.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/timeline.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/report/timeline/timeline_latency.h"

static const struct cab_column columns[] = {
  { "function", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "calls", CAB_COUNT, 0 },
  { "left", CAB_COUNT, CAB_COLUMN_SPARE },
  { "unbounded", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "total_ns", CAB_COUNT, 0 },
  { "self_ns", CAB_COUNT, 0 },
  { "share", CAB_SHARE, CAB_FORMAT_TEXT },
  { "least", CAB_TALLY, CAB_COLUMN_SPARE },
  { "median", CAB_TALLY, 0 },
  { "p90", CAB_TALLY, CAB_COLUMN_SPARE },
  { "p99", CAB_TALLY, 0 },
  { "p99_9", CAB_TALLY, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "most", CAB_TALLY, 0 }
};
enum { FUNCTION, FILE_, LINE, CALLS, LEFT, UNBOUNDED, TOTAL, SELF, SHARE, LEAST, MEDIAN, P90, P99,
       P99_9, MOST, N };

struct latencies
{
  struct cab_model *model;
  const struct cab_timeline_filter *filter;
  /* By index of the function; the last one: of unknown functions. */
  struct cab_latency *of;
  uint32_t *open;           /* activations under way */
};

static uint32_t
index_of (const struct latencies *l, const struct cab_timed *span)
{
  return span->function ? span->function->index : l->model->n_functions;
}

static void
begin (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct latencies *l = host;
  (void) parent;
  l->open[index_of (l, span)]++;
}

static void
end (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct latencies *l = host;
  uint32_t i = index_of (l, span);
  (void) parent;
  l->open[i]--;
  if (cab_timeline_passes (l->filter, l->model, span))
    cab_latency_add (&l->of[i], span, !l->open[i]);
}

static void
add_row (struct latencies *l, uint32_t i, struct cab_table *table)
{
  const struct cab_latency *latency = &l->of[i];
  const struct cab_function *f = i < l->model->n_functions ? l->model->functions[i] : NULL;
  union cab_cell *row = cab_table_row (table);
  row[FUNCTION].text = f ? cab_report_name (l->model, l->filter->report, f) : "?";
  row[FILE_].text = f ? f->file : "";
  row[LINE].count = f ? f->line : 0;
  row[CALLS].count = latency->n;
  row[LEFT].count = latency->left;
  row[UNBOUNDED].count = latency->unbounded;
  row[TOTAL].count = latency->total;
  row[SELF].count = latency->self;
  row[LEAST].count = latency->counted ? latency->least : CAB_UNKNOWN;
  row[MEDIAN].count = cab_latency_quantile (latency, 0.5);
  row[P90].count = cab_latency_quantile (latency, 0.9);
  row[P99].count = cab_latency_quantile (latency, 0.99);
  row[P99_9].count = cab_latency_quantile (latency, 0.999);
  row[MOST].count = latency->counted ? latency->most : CAB_UNKNOWN;
  table->total += latency->self;
}

void
cab_timeline_latencies (struct cab_model *model, const struct cab_timeline_filter *filter,
			struct cab_table *table)
{
  struct latencies l = { .model = model, .filter = filter };
  const struct cab_span_visitor visitor = { .host = &l, .begin = begin, .end = end };
  cab_table_init (table, "timeline", "Functions by the time that they took themselves, in ns",
		  columns, N);
  table->total_column = SELF;
  l.of = XCNEWVEC (struct cab_latency, model->n_functions + 1);
  l.open = XCNEWVEC (uint32_t, model->n_functions + 1);
  struct cab_timeline_sums sums = cab_timeline_walk (model, &visitor);
  for (uint32_t i = 0; i <= model->n_functions; i++)
    {
      if (l.of[i].n)
	add_row (&l, i, table);
      cab_latency_fini (&l.of[i]);
    }
  free (l.of);
  free (l.open);
  cab_table_shares (table, SELF, SHARE);
  cab_table_sort (table, SELF);
  table->note = cab_timeline_remark (&sums);
}
