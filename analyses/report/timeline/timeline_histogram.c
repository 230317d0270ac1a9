/* timeline_histogram.c - how many activations took how long.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/timeline_latency.h"
#include "analyses/report/timeline/timeline.h"

static const struct cab_column columns[] = {
  { "from_ns", CAB_COUNT, 0 },
  { "to_ns", CAB_COUNT, 0 },
  { "calls", CAB_COUNT, 0 },
  { "share", CAB_SHARE, CAB_FORMAT_TEXT },
  { "bar", CAB_TEXT, CAB_FORMAT_TEXT }
};
enum { FROM, TO, CALLS, SHARE, BAR, N };

#define BAR_MOST 40u
#define STEP 8u            /* buckets that are one row: a quarter of a power of two */

struct histogram
{
  struct cab_model *model;
  const struct cab_timeline_filter *filter;
  struct cab_latency latency;
};

static void
count (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct histogram *h = host;
  (void) parent;
  if (cab_timeline_passes (h->filter, h->model, span))
    cab_latency_add (&h->latency, span, false);
}

static uint64_t
in_row (const struct cab_latency *latency, unsigned i)
{
  uint64_t sum = 0;
  for (unsigned k = i; k < i + STEP && k < CAB_LATENCY_BUCKETS; k++)
    sum += latency->buckets[k];
  return sum;
}

/* Add a row for each step from the first that has a call to the last. */
static void
add_rows (const struct cab_latency *latency, struct cab_table *table)
{
  static const char bar[] = "########################################";
  uint64_t most = 0, before = 0;
  for (unsigned i = 0; i < CAB_LATENCY_BUCKETS; i += STEP)
    most = in_row (latency, i) > most ? in_row (latency, i) : most;
  for (unsigned i = 0; i < CAB_LATENCY_BUCKETS && before < latency->counted; i += STEP)
    {
      uint64_t n = in_row (latency, i);
      before += n;
      if (!before)
	continue;
      union cab_cell *row = cab_table_row (table);
      row[FROM].count = cab_latency_from (i);
      row[TO].count = i + STEP < CAB_LATENCY_BUCKETS ? cab_latency_from (i + STEP) - 1 : UINT64_MAX;
      row[CALLS].count = n;
      row[BAR].text = bar + BAR_MOST - (n * BAR_MOST + most - 1) / most;
      table->total += n;
    }
}

void
cab_timeline_histogram (struct cab_model *model, const struct cab_timeline_filter *filter,
			struct cab_table *table)
{
  struct histogram h = { .model = model, .filter = filter };
  const struct cab_span_visitor visitor = { .host = &h, .end = count };
  cab_table_init (table, "timeline-histogram", "How many activations took how long, in ns", columns,
		  N);
  table->total_column = CALLS;
  struct cab_timeline_sums sums = cab_timeline_walk (model, &visitor);
  if (h.latency.buckets)
    add_rows (&h.latency, table);
  cab_table_shares (table, CALLS, SHARE);
  table->note = h.latency.unbounded
		? cab_names_format (&model->names,
				    "%ju more activations had begun before the record, or had not "
				    "ended when it did",
				    (uintmax_t) h.latency.unbounded)
		: cab_timeline_remark (&sums);
  cab_latency_fini (&h.latency);
}
