/* report_hotcontexts.c - in which calling contexts the time was spent, from samples that know their
 * node of the tree.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/report/node_times.h"
#include "analyses/report/times.h"
#include "analyses/live/an_tree.h"

#define DATA (CAB_FORMAT_TSV | CAB_FORMAT_JSON)

static const struct cab_column columns[] = {
  { "function", CAB_FUNCTION, 0 }, { "file", CAB_PATH, DATA },	    { "line", CAB_LINE, DATA },
  { "share", CAB_SAMPLED, 0 },	   { "inclusive", CAB_SAMPLED, 0 }, { "samples", CAB_COUNT, 0 },
  { "ns", CAB_COUNT, DATA },	   { "calls", CAB_COUNT, 0 },	    { "node", CAB_NUMBER, DATA },
  { "context", CAB_CHAIN, 0 }
};
enum { FUNCTION, FILE_, LINE, SHARE, INCLUSIVE, SAMPLES, NS, CALLS, NODE, CONTEXT, N };

const char *
cab_report_lacks_hotcontexts (const struct cab_model *model)
{
  return cab_node_times_are_there (model)
	 ? NULL
	 : "no sample knows its calling context: compile with "
	   "-fplugin-arg-cabprof-events=paths,calls, and run the program by `cabprof record'";
}

/* Return the time of each node with all that it called.  A parent's number is less than its
   children's. */
static uint64_t *
with_callees (const struct cab_model *model, const struct cab_node_times *times)
{
  uint64_t *ns = XCNEWVEC (uint64_t, (size_t) times->n_nodes + 1);
  for (uint32_t i = times->n_nodes; i-- > 1;)
    {
      ns[i] += times->self[i].ns;
      ns[cab_tree_at (&model->tree, i)->parent] += ns[i];
    }
  return ns;
}

void
cab_report_hotcontexts (struct cab_model *model, const struct cab_report_options *options,
			struct cab_table *table)
{
  struct cab_node_times times;
  cab_table_init (table, "hotcontexts", "Time by calling context", columns, N);
  table->total_column = SAMPLES;
  cab_node_times_open (&times, model);
  table->n_samples = times.all.n;
  uint64_t *all = with_callees (model, &times);
  for (uint32_t i = 1; i < times.n_nodes; i++)
    {
      const struct cab_tree_node *node = cab_tree_at (&model->tree, i);
      const struct cab_function *function = node->callee && node->callee <= model->n_functions
					    ? model->functions[node->callee - 1]
					    : NULL;
      if (!times.self[i].n || !function || !cab_report_wants (options, function))
	continue;
      union cab_cell *row = cab_table_row (table);
      row[FUNCTION].text = cab_report_name (model, options, function);
      row[FILE_].text = function->file;
      row[LINE].count = function->line;
      row[SHARE].share = times.all.ns ? (double) times.self[i].ns / times.all.ns : 0;
      row[INCLUSIVE].share = times.all.ns ? (double) all[i] / times.all.ns : 0;
      row[SAMPLES].count = times.self[i].n;
      row[NS].count = times.self[i].ns;
      row[CALLS].count = node->count;
      row[NODE].count = i;
      row[CONTEXT].text = cab_report_context (model, options, i);
      table->total += times.self[i].n;
    }
  table->note = cab_times_runtime (&model->names, times.runtime.n,
				   (double) times.runtime.ns / (times.all.ns + times.runtime.ns));
  cab_table_sort (table, SHARE);
  free (all);
  cab_node_times_close (&times);
}

const struct cab_report cab_hotcontexts_report = {
  .name = "hotcontexts",
  .summary = "in which calling contexts the time was spent",
  .subject = CAB_ABOUT_TIME,
  .fill = cab_report_hotcontexts,
  .lacks = cab_report_lacks_hotcontexts
};
