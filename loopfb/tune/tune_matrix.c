/* tune_matrix.c - measure the matrix: what each loop takes with each factor, vectorised and not,
 * with other registers, with prefetches; and choose what to race.  In all columns the heads of the
 * loops are aligned alike, so that hints are compared, not places in memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_stage.h"
#include "loopfb/tune/tune_budget.h"
#include "loopfb/tune/tune_build.h"
#include "loopfb/tune/tune_matrix.h"
#include "loopfb/tune/tune_trials.h"
#include "loopfb/tune/tune_variant.h"
#include "loopfb/tune/tune_say.h"
#include "loopfb/tune/tune_nest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define MOST_ROUNDS 12
#define RESERVE 24           /* measurements kept for the races, at least */
#define RACES_PART 0.6       /* part of all measurements that is kept for the races, where that is
				more than RESERVE */

#define ALIGN 64             /* of each loop's head, in all columns */
#define PLAIN 8              /* the column of the compiler's default, as it is */
#define REGISTERS 9
#define NO_HINT { CAB_TUNE_NO_ROW, CAB_VECTORIZE_AS_IS, false, 0, 0, false }
#define FACTOR(n) { n, CAB_VECTORIZE_AS_IS, false, ALIGN, 0, false }
#define DISTANCE(n) { 0, CAB_VECTORIZE_NO, false, ALIGN, n, false }

/* The columns; the others are compared with the first.  The last five are used only where loops are
   known: a factor for all loops cannot express them, nor an alignment. */
struct column
{
  const char *name;
  struct cab_tune_request request;
};
static const struct column columns[] = {
  { "aligned", FACTOR (0) },
  { "1", FACTOR (1) },
  { "2", FACTOR (2) },
  { "4", FACTOR (4) },
  { "8", FACTOR (8) },
  { "16", FACTOR (16) },
  { "no-vec", { 0, CAB_VECTORIZE_NO, false, ALIGN, 0, false } },
  { "vec", { 0, CAB_VECTORIZE_YES, false, ALIGN, 0, false } },
  { "default", NO_HINT },
  { "registers", { 0, CAB_VECTORIZE_AS_IS, true, ALIGN, 0, false } },
  { "prefetch-16", DISTANCE (16) }
};
/* The columns of `--try=prefetch', as many as those of factors.  A vectorised loop has no
   prefetches, so these loops are not. */
static const struct column distances[] = {
  { "aligned", FACTOR (0) },
  { "prefetch-4", DISTANCE (4) },
  { "prefetch-8", DISTANCE (8) },
  { "prefetch-16", DISTANCE (16) },
  { "prefetch-32", DISTANCE (32) },
  { "prefetch-64", DISTANCE (64) }
};
#define N_FACTORS CAB_TUNE_FACTORS
#define N_COLUMNS ((int) (sizeof columns / sizeof *columns))
_Static_assert (sizeof columns / sizeof *columns <= CAB_TUNE_COLUMNS,
	       "a stage has room for the matrix");
_Static_assert (sizeof distances / sizeof *distances == N_FACTORS,
	       "the budget of distances is that of factors");

/* Return true if distances of prefetches are tried in place of factors. */
static bool
tries_prefetches (const struct cab_tune *tune)
{
  return cab_tune_tries (tune->options.try, "prefetch")
      && !cab_tune_tries (tune->options.try, "all") && tune->n_loops;
}

/* Return column J of TUNE's matrix. */
static const struct column *
column_at (const struct cab_tune *tune, int j)
{
  return tries_prefetches (tune) ? &distances[j] : &columns[j];
}

/* Return true if the matrix leaves loop I as it is: it gets no hint, trials have decided, or no
   hint changes it. */
static bool
is_left_alone (const struct cab_tune *tune, int i)
{
  return tune->loops[i].skip || tune->loops[i].trial.tried == CAB_TUNE_DECIDED
      || tune->loops[i].trial.idle;
}

/* Return the variant that gives all loops the request of column J. */
static int
add_uniform (struct cab_tune *tune, int j)
{
  struct cab_tune_request *requests = xcalloc (tune->n_loops + 1, sizeof *requests);
  for (int i = 0; i < tune->n_loops; i++)
    {
      requests[i] = is_left_alone (tune, i) ? CAB_TUNE_NO_WISH : column_at (tune, j)->request;
      if (requests[i].prefetch && tune->has_misses && !tune->loops[i].misses)
	requests[i] = columns[0].request;
    }
  int v = cab_tune_variant_add (tune, column_at (tune, j)->name, requests, 0);
  free (requests);
  return v;
}

/* Return the variant of column J where no loops are known: a factor for all, or the default. */
static int
add_factor (struct cab_tune *tune, int j)
{
  return j ? cab_tune_variant_add (tune, columns[j].name, NULL, columns[j].request.unroll) : 0;
}

static void
decide (struct cab_tune *tune, const struct cab_tune_stage *stage)
{
  int n_loops = tune->source ? tune->n_loops : 0;
  double *shares = xcalloc (tune->n_loops + 1, sizeof *shares);
  bool *skip = xcalloc (tune->n_loops + 1, sizeof *skip);
  int *function = xcalloc (tune->n_loops + 1, sizeof *function);
  struct cab_together together = { stage->n == N_COLUMNS ? REGISTERS : 0, function };
  cab_tune_nest_find (tune, stage);
  struct cab_figures *figures = cab_tune_nest_figures (tune, stage);
  for (int i = 0; i < tune->n_loops; i++)
    {
      shares[tune->loops[i].leader] += tune->loops[i].share;
      skip[i] = is_left_alone (tune, i) || tune->loops[i].leader != i;
      function[i] = cab_tune_function_of (tune, i);
    }
  if (tune->has_decision)
    {
      cab_matrix_fini (&tune->matrix);
      cab_decision_fini (&tune->decision);
    }
  cab_matrix_make (&tune->matrix, n_loops, stage->n, figures, stage->n_runs, tune->grain);
  cab_decide (&tune->decision, &tune->matrix, shares, skip, &together, tune->options.share,
	      CAB_TUNE_WIDTH);
  tune->has_decision = true;
  free (figures);
  free (shares);
  free (skip);
  free (function);
}

/* Return true if there is room for a round of N measurements, with enough left for the races. */
static bool
has_room (const struct cab_tune *tune, int n)
{
  int left = cab_tune_room (tune) - n;
  return left >= RESERVE && left >= RACES_PART * (tune->next + n + left);
}

int
cab_tune_matrix (struct cab_tune *tune)
{
  struct cab_tune_stage stage = { .name = "matrix",
				  .n = cab_tune_tries (tune->options.try, "all") && tune->n_loops
				       ? N_COLUMNS
				       : N_FACTORS };
  int result = 0;
  if (tune->by_trials && !tune->slow)
    return 0;
  cab_tune_variant_default (tune);
  for (int j = 0; j < stage.n; j++)
    stage.ids[j] = tune->columns[j] = tune->n_loops ? add_uniform (tune, j) : add_factor (tune, j);
  cab_tune_say ("measuring %d columns%s: %s, and %s%s", stage.n,
		tune->n_loops ? " with the heads of loops aligned alike" : "",
		tune->n_loops ? "no other hint" : "the default",
		tries_prefetches (tune) ? "prefetches 4, 8, 16, 32, 64 iterations ahead"
					: "factors 1, 2, 4, 8, 16",
		stage.n > N_FACTORS ? "; not vectorised, vectorised; the default as it is; other "
				      "registers; prefetches"
				    : "");
  do
    {
      result = cab_tune_stage_round (tune, &stage, true);
      if (!result && stage.n_rounds > 1)
	decide (tune, &stage);
    }
  while (
    !result
    && (stage.n_rounds < CAB_TUNE_ROUNDS
	|| (stage.n_rounds < MOST_ROUNDS && !tune->decision.settled && has_room (tune, stage.n))));
  cab_tune_stage_fini (&stage);
  return result;
}

/* Return the column for the whole program, which is 0 for no other hint: by the source, or by the
   time where the source does not follow that. */
static int
application_column (const struct cab_tune *tune)
{
  const struct cab_matrix *matrix = &tune->matrix;
  int best = 0;
  if (!tune->has_decision)
    return 0;
  if (tune->decision.decides)
    return tune->decision.application;
  for (int j = 1; j < matrix->n_columns; j++)
    if (matrix->time[j].n && matrix->time[j].mean < matrix->time[best].mean)
      best = j;
  return best;
}

/* Rename registers for all loops of a function in which one is to have that. */
static void
join_functions (const struct cab_tune *tune, struct cab_tune_request *requests)
{
  for (int i = 0; i < tune->n_loops; i++)
    for (int k = 0; k < tune->n_loops && requests[i].registers; k++)
      if (!tune->loops[k].skip && cab_tune_function_of (tune, k) == cab_tune_function_of (tune, i))
	{
	  requests[k].registers = true;
	  requests[k].unroll = requests[k].unroll == CAB_TUNE_NO_ROW ? 0 : requests[k].unroll;
	}
}

/* Return by how many standard errors column J is slower than the first one for the nest that loop
   LEADER leads; negative if it is faster, 0 if that is not known. */
static double
errors_slower (const struct cab_tune *tune, int leader, int j)
{
  const struct cab_matrix_cell *row = &tune->matrix.cells[leader * tune->matrix.n_columns];
  struct cab_ratio ratio = cab_ratio_of (&row[0], &row[j], tune->matrix.noise[leader],
					 tune->matrix.df);
  double error = (ratio.high - ratio.mean) / cab_student (tune->matrix.df);
  return j && error > 0 && isfinite (error) ? (ratio.mean - 1) / error : 0;
}

/* Return true if an aligned head alone is likely to make loop I faster by what counts. */
static bool
wants_alignment (const struct cab_tune *tune, int i)
{
  int leader = tune->loops[i].leader;
  const struct cab_matrix_cell *row = &tune->matrix.cells[leader * tune->matrix.n_columns];
  return tune->matrix.n_columns > PLAIN && row[PLAIN].n && tune->loops[leader].share > 0
      && errors_slower (tune, leader, PLAIN) > 1
      && tune->loops[leader].share * (1 - row[0].mean / row[PLAIN].mean) > CAB_TUNE_WIDTH;
}

/* Return what loop I gets: its best column where that is likely better, else column OTHERS (0:
   none) unless that makes it slower. */
static struct cab_tune_request
request_of (const struct cab_tune *tune, int i, int others)
{
  int leader = tune->loops[i].leader;
  const struct cab_loop_choice *choice = &tune->decision.loops[leader];
  if (choice->likely)
    return column_at (tune, choice->best)->request;
  if (others && errors_slower (tune, leader, others) <= cab_student (tune->matrix.df))
    return column_at (tune, others)->request;
  return wants_alignment (tune, i) ? columns[0].request : CAB_TUNE_NO_WISH;
}

/* Return the variant with each loop's best column where that is likely better, else column
   OTHERS; loops that trials have decided get what these say. */
static int
add_per_loop (struct cab_tune *tune, const char *name, int others)
{
  struct cab_tune_request *requests = xcalloc (tune->n_loops + 1, sizeof *requests);
  cab_tune_trials_requests (tune, requests, true);
  for (int i = 0; i < tune->n_loops; i++)
    if (!is_left_alone (tune, i))
      requests[i] = request_of (tune, i, others);
  join_functions (tune, requests);
  int v = cab_tune_variant_add (tune, name, requests, 0);
  free (requests);
  return v;
}

static void
add_racer (struct cab_tune_stage *stage, int variant)
{
  for (int j = 0; j < stage->n; j++)
    if (stage->ids[j] == variant)
      return;
  stage->ids[stage->n++] = variant;
}

/* Add a racer with what the trials chose. */
static void
add_tried (struct cab_tune *tune, struct cab_tune_stage *stage, const char *name, bool aligned,
	   bool registers)
{
  struct cab_tune_request *requests = xcalloc (tune->n_loops + 1, sizeof *requests);
  int n = cab_tune_trials_requests (tune, requests, aligned);
  for (int i = 0; i < tune->n_loops && registers; i++)
    if (!tune->loops[i].skip)
      {
	requests[i].registers = true;
	requests[i].unroll = requests[i].unroll == CAB_TUNE_NO_ROW ? 0 : requests[i].unroll;
      }
  if (n || registers)
    add_racer (stage, cab_tune_variant_add (tune, name, requests, 0));
  free (requests);
}

/* Add a racer with the hints of variant OF and the compiler's own profile.  One that cannot be
   built is left out.  Return 0, or negative if it was interrupted. */
static int
add_profiled (struct cab_tune *tune, struct cab_tune_stage *stage, const char *name, int of)
{
  /* The last one also turns off a warning, of functions without a profile that have callers. */
  const char *flags[] = { tune->profile, "-Wno-coverage-mismatch", "-Wno-missing-profile",
			  "-fprofile-correction", NULL };
  int v = cab_tune_variant_whole (tune, name, of, flags);
  int result = cab_tune_build_whole (tune, v);
  if (result == CAB_INTERRUPTED)
    return result;
  if (result)
    cab_tune_say ("`%s' is left out: it cannot be built", name);
  else
    add_racer (stage, v);
  return 0;
}

/* The races decide: what the matrix cannot resolve for noise may race, too.  Where the profile
   races, trials have one candidate, so that the race leaves enough for the proof. */
int
cab_tune_candidates (struct cab_tune *tune, struct cab_tune_stage *stage)
{
  int column = application_column (tune);
  bool per_loop = tune->has_decision && tune->matrix.n_loops && tune->decision.decides;
  if (per_loop)
    add_racer (stage, add_per_loop (tune, "per loop", 0));
  if (column && !tune->by_trials)
    add_racer (stage, tune->columns[column]);
  if (column && per_loop)
    add_racer (stage, add_per_loop (tune, "joined", column));
  if (tune->by_trials)
    add_tried (tune, stage, "trials", true, false);
  if (tune->by_trials && !tune->slow && !tune->profile)
    add_tried (tune, stage, "unaligned", false, false);
  if (tune->by_trials && !tune->profile && cab_tune_tries (tune->options.try, "all"))
    add_tried (tune, stage, "registers", true, true);
  int hints = stage->n > 1 ? stage->ids[1] : 0;
  if (tune->profile && add_profiled (tune, stage, "profile", 0) < 0)
    return -1;
  return tune->profile && hints ? add_profiled (tune, stage, "both", hints) : 0;
}
