/* loop_trials_table.c - trials as a table.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/loops/loop_trials.h"
#include <math.h>
#include "analyses/report/loops/loop_place.h"
#include "analyses/report/loops/report_loops.h"

static const struct cab_column columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "hint", CAB_TEXT, 0 },
  { "ratio", CAB_TEXT, 0 },
  { "low", CAB_TEXT, 0 },
  { "high", CAB_TEXT, 0 },
  { "equal_low", CAB_TEXT, 0 },
  { "equal_high", CAB_TEXT, 0 },
  { "rounds", CAB_COUNT, 0 },
  { "iterations", CAB_REAL, 0 },
  { "decision", CAB_TEXT, 0 },
  { "outcome", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON }
};
enum
{
  HINT = CAB_LOOP_PLACE_N,
  RATIO,
  LOW,
  HIGH,
  EQUAL_LOW,
  EQUAL_HIGH,
  ROUNDS,
  ITERATIONS,
  DECISION,
  OUTCOME,
  N_COLUMNS
};

static const char *
figure (struct cab_names *names, double x)
{
  return isfinite (x) ? cab_names_format (names, "%.4f", x) : "-";
}

static const char *
hint_words (struct cab_names *names, const struct cab_trials_copy *copy)
{
  struct cab_view_hint hint = { copy->unroll, copy->vectorize, false, copy->align,
				copy->prefetch };
  const char *words = cab_report_loops_hint (names, &hint);
  return *words ? words : "none";
}

/* Return the copy before COPY that has its instructions, or -1. */
static int
equal_to (const struct cab_trials_function *f, uint32_t copy)
{
  for (uint32_t i = 0; i < copy; i++)
    if (f->copies[i].turn == f->copies[copy].turn)
      return i;
  return -1;
}

/* Return what is said of COPY of LOOP in TRIAL. */
static const char *
decision (struct cab_names *names, const struct cab_loop_trial *trial, uint32_t copy, uint32_t loop)
{
  const struct cab_trials_function *f = trial->function;
  int equal = equal_to (f, copy);
  if (equal >= 0)
    return cab_names_format (names, "same code as: %s", hint_words (names, &f->copies[equal]));
  if (trial->estimate.verdict == CAB_TRIALS_TOO_SHORT)
    return cab_names_format (names, "too short: %d rounds, %d are needed", trial->estimate.n_rounds,
			     CAB_TRIALS_LEAST);
  if (trial->estimate.verdict == CAB_TRIALS_NOT_MEASURABLE)
    return "not measurable: equal copies differ";
  if ((int) copy == trial->best[loop] || (copy == 2 && trial->alignment))
    return "fastest";
  return copy < 2 && !f->copies[copy].align ? "as the compiler has it"
       : copy < CAB_TRIALS_CONTROLS	    ? "reference"
					    : "-";
}

static void
put_figures (struct cab_names *names, const struct cab_loop_trial *trial, uint32_t copy,
	     union cab_cell *row)
{
  const struct cab_trials_estimate *e = &trial->estimate;
  const struct cab_ratio unknown = { NAN, NAN, NAN, 0 };
  struct cab_ratio same = e->ratio ? e->same : unknown,
		   ratio = e->ratio ? e->ratio[trial->function->copies[copy].turn] : unknown;
  row[RATIO].text = figure (names, ratio.mean);
  row[LOW].text = figure (names, ratio.low);
  row[HIGH].text = figure (names, ratio.high);
  row[EQUAL_LOW].text = figure (names, same.low);
  row[EQUAL_HIGH].text = figure (names, same.high);
  row[ROUNDS].count = e->n_rounds;
}

/* Add the row for COPY, as far as LOOP is concerned. */
static void
put_copy (struct cab_names *names, const struct cab_loop_trial *trial, uint32_t copy, uint32_t loop,
	  struct cab_table *table)
{
  const struct cab_trials_function *f = trial->function;
  const struct cab_trials_loop *l = &f->loops[loop];
  union cab_cell *row = cab_table_row (table);
  const char *display = cab_names_display (names, l->function, l->name, l->file);
  cab_loop_put_place (row, display, l->file, l->line, l->column, l->ordinal);
  row[HINT].text = hint_words (names, &f->copies[copy]);
  put_figures (names, trial, copy, row);
  row[ITERATIONS].share = trial->counted ? (double) trial->iterations[loop] / trial->counted : NAN;
  row[DECISION].text = decision (names, trial, copy, loop);
  row[OUTCOME].text = f->copies[copy].words;
}

void
cab_loop_trials_table (struct cab_loop_trials *trials, struct cab_table *table)
{
  cab_table_init (table, "trials", NULL, columns, N_COLUMNS);
  for (uint32_t i = 0; i < trials->n; i++)
    {
      const struct cab_trials_function *f = trials->trials[i].function;
      for (uint32_t loop = 0; loop < f->n_loops; loop++)
	for (uint32_t copy = 0; copy + 1 < f->n_copies; copy++)
	  if (copy < CAB_TRIALS_CONTROLS || f->copies[copy].loop == (int) loop)
	    put_copy (&trials->names, &trials->trials[i], copy, loop, table);
    }
}
