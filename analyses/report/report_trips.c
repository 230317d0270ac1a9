/* report_trips.c - how often each loop was entered, and how many iterations it had.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include "analyses/report/report.h"
#include "analyses/report/loops/loop_place.h"
#include "analyses/report/loops/loop_counts.h"

static const struct cab_column columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "copies", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "symbol", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "holder", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "test", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "entries", CAB_COUNT, 0 },
  { "not_left", CAB_COUNT, 0 },
  { "iterations", CAB_COUNT, 0 },
  { "mean", CAB_REAL, 0 },
  { "most", CAB_COUNT, 0 },
  { "timed", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "timed_iterations", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "cycles", CAB_COUNT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "cycles/it", CAB_REAL, CAB_FORMAT_TEXT },
  { "cycles_per_iteration", CAB_REAL, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "executions by iterations", CAB_TEXT, CAB_FORMAT_TEXT },
  { "histogram", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "note", CAB_TEXT, 0 }
};
enum
{
  COPIES = CAB_LOOP_PLACE_N,
  SYMBOL,
  HOLDER,
  TEST,
  ENTRIES,
  NOT_LEFT,
  ITERATIONS,
  MEAN,
  MOST,
  TIMED,
  TIMED_ITERATIONS,
  CYCLES,
  CYCLES_TEXT,
  CYCLES_PER_ITERATION,
  HISTOGRAM_TEXT,
  HISTOGRAM,
  NOTE,
  N
};

const char *
cab_report_lacks_trips (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_functions; i++)
    if (model->functions[i]->flags & CAB_ROW_LOOPS)
      return NULL;
  return "no loops were counted: compile with -fplugin-arg-cabprof-events=loops";
}

static const char *
note_of (struct cab_model *model, const struct cab_loop_count *count)
{
  if (count->skipped)
    return cab_names_format (&model->names, "%s: %s",
			     count->n_copies ? "a copy not counted" : "not counted",
			     count->skipped);
  return count->has_key ? "" : "source loop not known";
}

static const char *
test_of (const struct cab_loop_count *count)
{
  return count->tests_at_top && count->tests_at_end ? "both"
       : count->tests_at_end ? "end"
       : count->tests_at_top ? "top"
       : "-";
}

static void
add_row (struct cab_model *model, struct cab_table *table, const struct cab_loop_count *count)
{
  union cab_cell *row = cab_table_row (table);
  cab_loop_put_place (row, count->display, count->file, count->line, count->column,
		      count->ordinal);
  row[COPIES].count = count->n_copies;
  row[SYMBOL].text = count->origin;
  row[HOLDER].text = count->holder->assembler;
  row[TEST].text = test_of (count);
  row[ENTRIES].count = count->entries;
  row[NOT_LEFT].count = count->not_left;
  row[ITERATIONS].count = count->iterations;
  row[MEAN].share = count->finished ? cab_loop_mean (count) : NAN;
  row[MOST].count = count->most;
  row[TIMED].count = count->n_timed;
  row[TIMED_ITERATIONS].count = count->timed_iterations;
  row[CYCLES].count = count->cycles;
  row[CYCLES_TEXT].share = row[CYCLES_PER_ITERATION].share = count->timed_iterations
							     ? cab_loop_cycles (count)
							     : NAN;
  row[HISTOGRAM_TEXT].text = row[HISTOGRAM].text = cab_loop_histogram (model, count);
  row[NOTE].text = note_of (model, count);
  table->total += count->iterations;
}

void
cab_report_trips (struct cab_model *model, const struct cab_report_options *options,
		  struct cab_table *table)
{
  struct cab_loop_counts counts;
  (options->by_copy ? cab_loop_copies_of : cab_loop_counts_of) (model, &counts);
  cab_table_init (table, "trips", "Loops by their iterations", columns, N);
  table->total_column = ITERATIONS;
  for (size_t i = 0; i < counts.n; i++)
    if (cab_report_wants_named (options, counts.row[i].display, counts.row[i].origin,
				counts.row[i].file)
	&& (counts.row[i].entries || counts.row[i].skipped || options->format != CAB_FORMAT_TEXT))
      add_row (model, table, &counts.row[i]);
  cab_loop_counts_fini (&counts);
}

const struct cab_report cab_trips_report = {
  .name = "trips",
  .summary = "how often each loop was entered, and its iterations",
  .subject = CAB_ABOUT_CODE,
  .options = CAB_HAS_COPIES,
  .fill = cab_report_trips,
  .lacks = cab_report_lacks_trips
};
