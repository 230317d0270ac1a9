/* context_measures.c - see context_measures.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/stacks/context_measures.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_blocks.h"
#include "analyses/live/an_contexts.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/cache/an_offenders.h"
#include "analyses/report/node_times.h"
#include "analyses/report/report.h"

const struct cab_context_measure_text cab_context_measures[CAB_MEASURES] = {
  [CAB_MEASURE_CALLS] = { "calls", "Calls", "calls" },
  [CAB_MEASURE_TIME] = { "time", "Time", "ns" },
  [CAB_MEASURE_ACCESSES] = { "accesses", "Accesses to memory", "accesses" },
  [CAB_MEASURE_D1] = { "d1", "Misses in D1", "misses" },
  [CAB_MEASURE_LL] = { "ll", "Misses in LL", "misses" },
  [CAB_MEASURE_BYTES] = { "bytes", "Bytes allocated", "bytes" }
};

static void
add (struct cab_context_sums *sums, enum cab_context_measure m, uint32_t node, uint64_t n)
{
  sums->self[m][node < sums->n ? node : 0] += n;
  sums->total[m] += n;
}

static void
add_times (struct cab_context_sums *sums, struct cab_model *model)
{
  struct cab_node_times times;
  if (!cab_node_times_are_there (model))
    return;
  cab_node_times_open (&times, model);
  for (uint32_t i = 0; i < times.n_nodes; i++)
    add (sums, CAB_MEASURE_TIME, i, times.self[i].ns);
  cab_node_times_close (&times);
}

static void
add_accesses (struct cab_context_sums *sums, struct cab_model *model)
{
  const struct cab_arena *contexts = cab_model_state (model, &cab_contexts);
  struct cab_contexts_row row;
  for (uint64_t cursor = 0; contexts && cab_contexts_next (contexts, &cursor, &row);)
    if (row.kind == CAB_EV_ACCESS && row.form & (CAB_ROW_READ | CAB_ROW_WRITE))
      add (sums, CAB_MEASURE_ACCESSES, row.node, row.n);
}

static void
add_misses (struct cab_context_sums *sums, struct cab_model *model)
{
  const struct cab_arena *offenders = cab_model_state (model, &cab_offenders);
  struct cab_cachesim_config config;
  struct cab_offenders_row row;
  if (!offenders)
    return;
  bool accesses = !cab_model_state (model, &cab_contexts);
  cab_report_misses_config (model, &config);
  for (uint64_t cursor = 0; cab_offenders_next (offenders, &cursor, &row);)
    {
      const uint64_t *reads = row.missed[0], *writes = row.missed[1];
      add (sums, CAB_MEASURE_D1, row.node, reads[0] + writes[0]);
      add (sums, CAB_MEASURE_LL, row.node, reads[config.n_shared] + writes[config.n_shared]);
      if (accesses)
	add (sums, CAB_MEASURE_ACCESSES, row.node, row.accesses[0] + row.accesses[1]);
    }
}

static void
add_blocks (struct cab_context_sums *sums, struct cab_model *model)
{
  const struct cab_arena *blocks = cab_model_state (model, &cab_blocks);
  struct cab_blocks_row row;
  for (uint64_t cursor = 0; blocks && cab_blocks_next (blocks, &cursor, &row);)
    add (sums, CAB_MEASURE_BYTES, cab_blocks_node (&row), row.sums.bytes);
}

void
cab_context_measures_open (struct cab_context_sums *sums, struct cab_model *model)
{
  *sums = (struct cab_context_sums) { .n = cab_tree_n (&model->tree) };
  for (int m = 0; m < CAB_MEASURES; m++)
    sums->self[m] = XCNEWVEC (uint64_t, sums->n + 1);
  for (uint32_t i = 1; i < sums->n; i++)
    add (sums, CAB_MEASURE_CALLS, i, cab_tree_at (&model->tree, i)->count);
  add_times (sums, model);
  add_accesses (sums, model);
  add_misses (sums, model);
  add_blocks (sums, model);
}

void
cab_context_measures_close (struct cab_context_sums *sums)
{
  for (int m = 0; m < CAB_MEASURES; m++)
    free (sums->self[m]);
}

static const double *sorted_weights;

static int
by_weight (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  double u = sorted_weights[x], v = sorted_weights[y];
  return u != v ? (u > v ? -1 : 1) : x < y ? -1 : x > y;
}

void
cab_context_sort (uint32_t *order, uint32_t n, const double *weights)
{
  sorted_weights = weights;
  qsort (order, n, sizeof *order, by_weight);
}
