/* tune_race.c - measure the matrix, race what it suggests against the default, take back what does not pay.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define N_FACTORS 5
#define MAX_RACERS 6
#define RACE_ROUNDS 3        /* at least */
#define MOST_ROUNDS 12
#define RESERVE 18           /* measurements kept for the races */

static const int factors[N_FACTORS] = { 1, 2, 4, 8, 16 };

static bool
same_factors (const struct cab_tune *tune, const struct cab_tune_variant *variant, const int *f, int every)
{
  for (int i = 0; i < tune->n_loops && variant->factors && f; i++)
    if (variant->factors[i] != f[i])
      return false;
  return variant->every == every && !variant->factors == !f && !variant->flags[0];
}

static int
new_variant (struct cab_tune *tune, const char *name, const int *f, int every)
{
  char number[16];
  struct cab_tune_variant variant = { .name = xstrdup (name), .every = every };
  snprintf (number, sizeof number, "/v/%03d", tune->n_variants);
  variant.dir = concat (tune->work, number, NULL);
  variant.hints = concat (variant.dir, "/hints", NULL);
  if (f)
    variant.factors = xmemdup (f, tune->n_loops * sizeof *f, (tune->n_loops + 1) * sizeof *f);
  tune->variants = xrealloc (tune->variants, (tune->n_variants + 1) * sizeof *tune->variants);
  tune->variants[tune->n_variants] = variant;
  return tune->n_variants++;
}

int
cab_tune_variant_add (struct cab_tune *tune, const char *name, const int *f, int every)
{
  for (int v = 0; v < tune->n_variants; v++)
    if (same_factors (tune, &tune->variants[v], f, every))
      return v;
  return new_variant (tune, name, f, every);
}

int
cab_tune_n_hints (const struct cab_tune *tune, int variant)
{
  const struct cab_tune_variant *v = &tune->variants[variant];
  int n = v->every > 0;
  for (int i = 0; i < tune->n_loops && v->factors; i++)
    n += v->factors[i] != CAB_TUNE_NO_ROW;
  return n;
}

/* All loops by FACTOR; 0: none. */
static int
add_uniform (struct cab_tune *tune, const char *name, int factor)
{
  int *f = xcalloc (tune->n_loops + 1, sizeof *f);
  for (int i = 0; i < tune->n_loops; i++)
    f[i] = factor && !tune->loops[i].skip ? factor : CAB_TUNE_NO_ROW;
  int v = tune->n_loops ? cab_tune_variant_add (tune, name, f, 0) : cab_tune_variant_add (tune, name, NULL, factor);
  free (f);
  return v;
}

/* Runs of one stage, with what they were of. */
struct stage
{
  const char *name;
  int ids[MAX_RACERS + 1], n;      /* variants, by column */
  struct cab_figures *runs;
  int n_runs, n_rounds;
};

/* One more round, its order turned; negative if a run failed. */
static int
run_round (struct cab_tune *tune, struct stage *stage, bool sampled)
{
  for (int k = 0; k < stage->n; k++)
    {
      int column = (k + stage->n_rounds) % stage->n;
      const struct cab_tune_run *run = cab_tune_measure (tune, stage->ids[column], stage->name, stage->n_rounds, sampled);
      if (!run)
	return -1;
      stage->runs = xrealloc (stage->runs, (stage->n_runs + 1) * sizeof *stage->runs);
      stage->runs[stage->n_runs++] = (struct cab_figures) { stage->n_rounds, column, run->cpu_s, run->loops };
    }
  stage->n_rounds++;
  return 0;
}

static void
decide (struct cab_tune *tune, const struct stage *stage)
{
  int n_loops = tune->source ? tune->n_loops : 0;
  double *shares = xcalloc (tune->n_loops + 1, sizeof *shares);
  bool *skip = xcalloc (tune->n_loops + 1, sizeof *skip);
  for (int i = 0; i < tune->n_loops; i++)
    shares[i] = tune->loops[i].share, skip[i] = tune->loops[i].skip;
  if (tune->has_decision)
    {
      cab_matrix_fini (&tune->matrix);
      cab_decision_fini (&tune->decision);
    }
  cab_matrix_make (&tune->matrix, n_loops, stage->n, stage->runs, stage->n_runs, tune->grain);
  cab_decide (&tune->decision, &tune->matrix, shares, skip, tune->options.share, CAB_TUNE_WIDTH);
  tune->has_decision = true;
  free (shares);
  free (skip);
}

int
cab_tune_matrix (struct cab_tune *tune)
{
  struct stage stage = { .name = "matrix", .n = N_FACTORS + 1 };
  int result = 0;
  stage.ids[0] = add_uniform (tune, "default", 0);
  for (int k = 0; k < N_FACTORS; k++)
    {
      char name[16];
      snprintf (name, sizeof name, "%d", factors[k]);
      stage.ids[k + 1] = add_uniform (tune, name, factors[k]);
    }
  cab_tune_say ("measuring %d columns: the default, and factors 1, 2, 4, 8, 16", stage.n);
  do
    {
      result = run_round (tune, &stage, true);
      if (!result && stage.n_rounds > 1)
	decide (tune, &stage);
    }
  while (!result && (stage.n_rounds < RACE_ROUNDS - 1 || (stage.n_rounds < MOST_ROUNDS && !tune->decision.settled
							   && cab_tune_may_run (tune, stage.n + RESERVE))));
  free (stage.runs);
  return result;
}

static void
note_race (struct cab_tune *tune, const char *name, struct cab_ratio ratio, bool kept, const char *reason)
{
  tune->races = xrealloc (tune->races, (tune->n_races + 1) * sizeof *tune->races);
  tune->races[tune->n_races++] = (struct cab_tune_race) { xstrdup (name), xstrdup (reason), ratio, kept };
}

static const char *
words_for (const struct cab_ratio *ratio, bool best)
{
  return ratio->low > 1 ? "slower than the default" : ratio->high >= 1 ? "not faster than the default beyond the noise"
	 : best ? "the fastest, beyond the noise" : "faster than the default, but not the fastest";
}

/* Race the variants of STAGE (column 0 is the default) until it is clear who wins or the budget is spent.  Negative: a run failed. */
static int
race (struct cab_tune *tune, struct stage *stage, bool sampled, enum cab_verdict *verdict, int *best, struct cab_ratio *ratio)
{
  struct cab_matrix matrix;
  int result = 0;
  *verdict = CAB_RACE_OPEN;
  while (!result && *verdict == CAB_RACE_OPEN && stage->n_rounds < MOST_ROUNDS
	 && (stage->n_rounds < RACE_ROUNDS || cab_tune_may_run (tune, stage->n)))
    {
      result = run_round (tune, stage, sampled);
      if (result || stage->n_rounds < RACE_ROUNDS)
	continue;
      cab_matrix_make (&matrix, 0, stage->n, stage->runs, stage->n_runs, 0);
      *verdict = cab_race_judge (&matrix, CAB_TUNE_WIDTH, best, ratio);
      cab_matrix_fini (&matrix);
    }
  if (result)
    return result;
  cab_matrix_make (&matrix, 0, stage->n, stage->runs, stage->n_runs, 0);
  *verdict = cab_race_judge (&matrix, CAB_TUNE_WIDTH, best, ratio);
  for (int j = 1; j < stage->n; j++)
    {
      struct cab_ratio one = cab_ratio_of (&matrix.time[0], &matrix.time[j], matrix.noise[0], matrix.df);
      note_race (tune, tune->variants[stage->ids[j]].name, one, false, words_for (&one, j == *best));
    }
  cab_matrix_fini (&matrix);
  return 0;
}

static void
add_racer (struct stage *stage, int variant)
{
  for (int j = 0; j < stage->n; j++)
    if (stage->ids[j] == variant)
      return;
  if (stage->n <= MAX_RACERS)
    stage->ids[stage->n++] = variant;
}

/* The column to take for the whole program: by the source, or by the time where the source does not go with it.  What only more runs could tell may
   race: the race has them. */
static int
application_column (const struct cab_tune *tune)
{
  const struct cab_matrix *matrix = &tune->matrix;
  int best = 0;
  if (tune->decision.decides)
    return tune->decision.application_gains || !tune->decision.settled ? tune->decision.application : 0;
  for (int j = 1; j < matrix->n_columns; j++)
    if (matrix->time[j].n && matrix->time[j].mean < matrix->time[best].mean)
      best = j;
  return best;
}

/* Factors per loop where one gains beyond the noise, else OTHERS. */
static int
add_per_loop (struct cab_tune *tune, const char *name, int others)
{
  int *f = xcalloc (tune->n_loops + 1, sizeof *f);
  for (int i = 0; i < tune->n_loops; i++)
    f[i] = tune->loops[i].skip ? CAB_TUNE_NO_ROW : tune->decision.loops[i].gains ? factors[tune->decision.loops[i].best - 1] : others;
  int v = cab_tune_variant_add (tune, name, f, 0);
  free (f);
  return v;
}

/* What the matrix suggests. */
static void
add_candidates (struct cab_tune *tune, struct stage *stage)
{
  int column = application_column (tune);
  if (column)
    add_racer (stage, column);
  if (tune->matrix.n_loops && tune->decision.decides)
    {
      add_racer (stage, add_per_loop (tune, "per loop", CAB_TUNE_NO_ROW));
      if (column)
	add_racer (stage, add_per_loop (tune, "joined", factors[column - 1]));
    }
}

/* The variant with the hints of V for every loop that IN takes. */
static int
add_part (struct cab_tune *tune, int v, const bool *in)
{
  char name[32];
  int *f = xcalloc (tune->n_loops + 1, sizeof *f);
  for (int i = 0; i < tune->n_loops; i++)
    f[i] = in[i] ? tune->variants[v].factors[i] : CAB_TUNE_NO_ROW;
  snprintf (name, sizeof name, "part %d", tune->n_variants);
  int part = cab_tune_variant_add (tune, name, f, 0);
  free (f);
  return part;
}

/* Loops of IN that have a hint in V, cut in two: the hotter half (they are sorted so), and the others.  Returns how many there were. */
static int
halve (const struct cab_tune *tune, int v, const bool *in, bool *first, bool *second)
{
  int n = 0, k = 0;
  for (int i = 0; i < tune->n_loops; i++)
    n += in[i] && tune->variants[v].factors[i] != CAB_TUNE_NO_ROW;
  for (int i = 0; i < tune->n_loops; i++)
    {
      bool counts = in[i] && tune->variants[v].factors[i] != CAB_TUNE_NO_ROW;
      first[i] = counts && k < (n + 1) / 2;
      second[i] = counts && !first[i];
      k += counts;
    }
  return n;
}

/* Hints of V for the loops IN were not faster together: is a half of them?  *FOUND: the best part that is, if any. */
static int
take_back (struct cab_tune *tune, int v, const bool *in, int *found, struct cab_ratio *ratio)
{
  bool *halves[2] = { xcalloc (tune->n_loops + 1, sizeof (bool)), xcalloc (tune->n_loops + 1, sizeof (bool)) };
  int result = 0;
  if (halve (tune, v, in, halves[0], halves[1]) > 1 && cab_tune_may_run (tune, 3 * RACE_ROUNDS))
    {
      struct stage stage = { .name = "taking back", .ids = { 0, add_part (tune, v, halves[0]), add_part (tune, v, halves[1]) }, .n = 3 };
      enum cab_verdict verdict;
      int best;
      result = race (tune, &stage, false, &verdict, &best, ratio);
      if (!result && verdict == CAB_RACE_WON)
	*found = stage.ids[best];
      for (int k = 0; k < 2 && !result && !*found; k++)
	result = take_back (tune, v, halves[k], found, ratio);
      free (stage.runs);
    }
  free (halves[0]);
  free (halves[1]);
  return result;
}

int
cab_tune_variant_with (struct cab_tune *tune, const char *name, const char *flag)
{
  int v = 0;
  while (v < tune->n_variants && strcmp (tune->variants[v].name, name))
    v++;
  if (v == tune->n_variants)
    new_variant (tune, name, tune->variants[0].factors, 0);
  tune->variants[v].flags[0] = flag;
  return v;
}

/* The same code with other registers: what -funroll-loops turns on beside unrolling.  A gain that this has as well is not unrolling's. */
static int
add_control (struct cab_tune *tune)
{
  int v = cab_tune_variant_with (tune, "-fweb -frename-registers", "-fweb");
  tune->variants[v].flags[1] = "-frename-registers";
  return v;
}

/* The ratio of column 1 of FRESH, by the noise of its runs and those of EARLIER taken together: one noise from twice the runs. */
static struct cab_ratio
fresh_ratio (const struct stage *fresh, const struct stage *earlier)
{
  struct cab_matrix now, before;
  cab_matrix_make (&now, 0, fresh->n, fresh->runs, fresh->n_runs, 0);
  cab_matrix_make (&before, 0, earlier->n, earlier->runs, earlier->n_runs, 0);
  int df = now.df + before.df;
  double noise = df > 0 ? sqrt ((now.noise[0] * now.noise[0] * now.df + before.noise[0] * before.noise[0] * before.df) / df) : INFINITY;
  struct cab_ratio ratio = cab_ratio_of (&now.time[0], &now.time[1], noise, df);
  cab_matrix_fini (&now);
  cab_matrix_fini (&before);
  return ratio;
}

/* What the kept hints did to each loop, in the runs of STAGE. */
static void
note_loops (struct cab_tune *tune, const struct stage *stage)
{
  struct cab_matrix matrix;
  if (!tune->source)
    return;
  cab_matrix_make (&matrix, tune->n_loops, stage->n, stage->runs, stage->n_runs, tune->grain);
  for (int i = 0; i < tune->n_loops; i++)
    {
      const struct cab_cell *row = &matrix.cells[i * stage->n];
      tune->loops[i].measured = cab_ratio_of (&row[0], &row[1], matrix.noise[i], matrix.df);
    }
  cab_matrix_fini (&matrix);
}

/* Fresh runs of the one that won: a winner of several is partly a lucky one.  Its hints stay if it is ahead here too. */
static int
confirm (struct cab_tune *tune, int winner, const struct stage *earlier)
{
  struct stage stage = { .name = "confirming", .ids = { 0, winner }, .n = 2 };
  struct cab_ratio ratio;
  enum cab_verdict verdict;
  int best;
  if (!tune->options.rebuild && cab_tune_may_run (tune, 3 * RACE_ROUNDS))
    stage.ids[stage.n++] = add_control (tune);
  int result = race (tune, &stage, true, &verdict, &best, &ratio);
  while (!result && (tune->kept_ratio = fresh_ratio (&stage, earlier)).high >= 1 && tune->kept_ratio.mean < 1 && stage.n_rounds < MOST_ROUNDS
	 && cab_tune_may_run (tune, stage.n))
    result = run_round (tune, &stage, true);
  if (result)
    return result;
  note_loops (tune, &stage);
  struct cab_tune_race *own = &tune->races[tune->n_races - stage.n + 1];
  own->ratio = tune->kept_ratio;
  own->kept = tune->kept_ratio.high < 1;
  tune->kept = own->kept ? winner : 0;
  free (own->reason);
  own->reason = xstrdup (own->kept ? "fresh runs: faster than the default beyond the noise; kept"
			 : "fresh runs: not faster than the default beyond the noise; taken back");
  free (stage.runs);
  return 0;
}

int
cab_tune_races (struct cab_tune *tune)
{
  struct stage stage = { .name = "race", .ids = { 0 }, .n = 1 };
  struct cab_ratio ratio;
  enum cab_verdict verdict = CAB_RACE_LOST;
  int best = 0, winner = 0, result = 0;
  add_candidates (tune, &stage);
  if (stage.n > 1)
    {
      cab_tune_say ("racing %d candidate%s against the default", stage.n - 1, stage.n > 2 ? "s" : "");
      result = race (tune, &stage, false, &verdict, &best, &ratio);
    }
  if (!result && stage.n > 1 && verdict == CAB_RACE_WON)
    winner = stage.ids[best];
  else if (!result && stage.n > 1 && tune->matrix.n_loops)
    {
      bool *all = xcalloc (tune->n_loops + 1, sizeof *all);
      for (int i = 0; i < tune->n_loops; i++)
	all[i] = true;
      result = take_back (tune, stage.ids[stage.n - 1], all, &winner, &ratio);
      free (all);
    }
  if (!result && winner)
    result = confirm (tune, winner, &stage);
  free (stage.runs);
  return result;
}
