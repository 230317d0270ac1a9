/* test_decide.c - the stall matrix, both heuristics, noise, on matrices; pairs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/decide/decide.h"
#include <CUnit/Basic.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 6   /* default, 1, 2, 4, 8, 16 */

/* The runs of an experiment, added round by round. */
struct experiment
{
  struct cab_figures runs[400];
  double loops[400][8];
  int n, n_loops, n_columns;
};

static uint64_t seed = 88172645463325252u;

/* Return a number uniform in -1 .. 1. */
static double
noise (void)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double) (seed >> 11) / (1ull << 52) - 1;
}

/* Add one round: TRUTH[i][j] of each loop, and REST outside of them; the machine has SPEED; each
   figure is off by at most JITTER. */
static void
round_of (struct experiment *x, int round, const double *truth, double rest, double speed,
	  double jitter)
{
  for (int j = 0; j < x->n_columns; j++)
    {
      struct cab_figures *run = &x->runs[x->n];
      run->round = round;
      run->column = j;
      run->time = rest;
      for (int i = 0; i < x->n_loops; i++)
	{
	  x->loops[x->n][i] = truth[i * x->n_columns + j] * speed * (1 + jitter * noise ());
	  run->time += truth[i * x->n_columns + j];
	}
      run->time *= speed * (1 + jitter * noise () / 2);
      run->loops = x->loops[x->n++];
    }
}

static void
decide (const struct experiment *x, struct cab_matrix *matrix, struct cab_decision *decision,
	const double *shares)
{
  cab_matrix_make (matrix, x->n_loops, x->n_columns, x->runs, x->n, 0);
  cab_decide (decision, matrix, shares, NULL, NULL, 0.01, 0.005);
}

static void
end (struct cab_matrix *matrix, struct cab_decision *decision)
{
  cab_matrix_fini (matrix);
  cab_decision_fini (decision);
}

static bool
near (double a, double b, double tolerance)
{
  return fabs (a - b) <= tolerance;
}

/* The sums of stalls relative to the default's give the predictions of Schneider's Tab. 5.4, per
   application and per loop. */
static void
test_predictions_of_the_thesis (void)
{
  static const struct
  {
    const char *name;
    double application, loops;
    int factor;      /* column of the best one */
    double stalls[2][COLUMNS];
  } programs[] = {
    { "lu", .51, .50, 5, { { 80, 90, 70, 60, 50, 31 }, { 20, 20, 19, 21, 21, 20 } } },
    { "fmm", .98, .90, 2, { { 50, 52, 50, 49, 46, 42 }, { 50, 51, 48, 52, 60, 75 } } },
    { "ocean", .94, .87, 3, { { 60, 60, 58, 50, 52, 55 }, { 40, 37, 42, 44, 46, 50 } } },
    { "cholesky", 1, .99, 0, { { 70, 71, 72, 72, 73, 80 }, { 30, 33, 29, 32, 33, 34 } } },
    { "radix", 1, 1, 0, { { 90, 91, 92, 93, 94, 95 }, { 10, 11, 12, 13, 14, 15 } } },
    { "water-nsquared", .95, .95, 2, { { 75, 80, 70, 72, 73, 75 }, { 25, 25, 25, 25, 26, 26 } } }
  };
  for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
    {
      struct experiment x = { .n_loops = 2, .n_columns = COLUMNS };
      struct cab_matrix matrix;
      struct cab_decision decision;
      double shares[] = { programs[p].stalls[0][0] / 100, programs[p].stalls[1][0] / 100 };
      for (int round = 0; round < 3; round++)
	round_of (&x, round, programs[p].stalls[0], 0, 1, 0);
      decide (&x, &matrix, &decision, shares);
      CU_ASSERT_EQUAL (decision.application, programs[p].factor);
      CU_ASSERT (near (decision.application_predicted, programs[p].application, .006));
      CU_ASSERT (near (decision.sum_best / decision.sums[0], programs[p].loops, .006));
      CU_ASSERT (near (decision.loops_predicted, programs[p].loops, .006));
      for (int j = 0; j < COLUMNS; j++)
	CU_ASSERT (decision.sum_best <= decision.sums[j] + 1e-9);
      CU_ASSERT (decision.settled && decision.decides);
      end (&matrix, &decision);
    }
}

/* In a tie the compiler's default wins. */
static void
test_ties (void)
{
  static const double same[COLUMNS] = { 5, 5, 5, 5, 5, 5 };
  struct experiment x = { .n_loops = 1, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  round_of (&x, 0, same, 1, 1, 0);
  round_of (&x, 1, same, 1, 1, 0);
  decide (&x, &matrix, &decision, (double[]) { .8 });
  CU_ASSERT_EQUAL (decision.loops[0].best, 0);
  CU_ASSERT_FALSE (decision.loops[0].gains);
  CU_ASSERT_EQUAL (decision.application, 0);
  CU_ASSERT (isnan (decision.correlation));
  end (&matrix, &decision);
}

/* A clock that drifts by a half from round to round changes no answer, and is no noise. */
static void
test_drift (void)
{
  static const double truth[2 * COLUMNS] = { 60, 60, 57, 54, 60, 70, 30, 30, 30, 30, 30, 30 };
  struct experiment x = { .n_loops = 2, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  for (int round = 0; round < 4; round++)
    round_of (&x, round, truth, 10, 1 + .17 * round, .004);
  decide (&x, &matrix, &decision, (double[]) { .6, .3 });
  CU_ASSERT (matrix.drift > .4);
  CU_ASSERT (matrix.noise[0] < .01 && matrix.noise[2] < .01);
  CU_ASSERT_EQUAL (decision.loops[0].best, 3);
  CU_ASSERT (decision.loops[0].gains);
  CU_ASSERT (near (decision.loops[0].ratio.mean, .9, .01));
  CU_ASSERT_FALSE (decision.loops[1].gains);
  CU_ASSERT (decision.correlation > .9);
  end (&matrix, &decision);
}

/* Where all factors are equal, noise of 10 % makes at most as many hints as the interval allows:
   200 programs of 3 loops. */
static void
test_false_hints (void)
{
  static const double truth[3 * COLUMNS] = { 50, 50, 50, 50, 50, 50, 30, 30, 30,
					     30, 30, 30, 20, 20, 20, 20, 20, 20 };
  int hints = 0;
  for (int program = 0; program < 200; program++)
    {
      struct experiment x = { .n_loops = 3, .n_columns = COLUMNS };
      struct cab_matrix matrix;
      struct cab_decision decision;
      for (int round = 0; round < 4; round++)
	round_of (&x, round, truth, 0, 1, .1);
      decide (&x, &matrix, &decision, (double[]) { .5, .3, .2 });
      for (int i = 0; i < 3; i++)
	hints += decision.loops[i].gains;
      end (&matrix, &decision);
    }
  /* Each loop is the best of five: one-sided 2.5 % each. */
  CU_ASSERT (hints < 600 * .125);
}

/* Samples are counts: two runs that happen to agree do not make a gain of 3 % from 100 samples. */
static void
test_few_samples (void)
{
  static const double truth[COLUMNS] = { 100, 100, 97, 100, 100, 100 };
  struct experiment x = { .n_loops = 1, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  for (int round = 0; round < 3; round++)
    round_of (&x, round, truth, 0, 1, 0);
  cab_matrix_make (&matrix, 1, COLUMNS, x.runs, x.n, 1);
  cab_decide (&decision, &matrix, (double[]) { 1 }, NULL, NULL, .01, .005);
  CU_ASSERT (near (matrix.noise[0], .1, 1e-9));
  CU_ASSERT_EQUAL (decision.loops[0].best, 2);
  CU_ASSERT_FALSE (decision.loops[0].gains);
  CU_ASSERT_FALSE (decision.settled);
  end (&matrix, &decision);
}

/* Loops below the share, and those to be left alone, get no choice. */
static void
test_left_alone (void)
{
  static const double truth[3 * COLUMNS] = { 1,	 1,  .5, 1,  1,	 1,  50, 50, 40,
					     50, 50, 50, 49, 49, 40, 49, 49, 49 };
  struct experiment x = { .n_loops = 3, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  for (int round = 0; round < 3; round++)
    round_of (&x, round, truth, 0, 1, .001);
  cab_matrix_make (&matrix, 3, COLUMNS, x.runs, x.n, 0);
  cab_decide (&decision, &matrix, (double[]) { .01, .5, .49 }, (bool[]) { false, false, true },
	      NULL, .02, .005);
  CU_ASSERT_FALSE (decision.loops[0].gains);
  CU_ASSERT (decision.loops[1].gains && decision.loops[1].best == 2);
  CU_ASSERT_FALSE (decision.loops[2].gains);
  end (&matrix, &decision);
}

/* A column for whole functions is taken by all loops of a function if it is better in the sum, and
   by none otherwise; what a loop alone prefers does not count. */
static void
test_whole_functions (void)
{
  static const double truth[5 * COLUMNS] = {
    30, 30, 27, 30, 30, 20,   /* function 0: 45 in the last column, 30 + 20 - 3 with each loop's
				 best */
    20, 20, 20, 20, 20, 25,
    20, 20, 10, 20, 20, 15,   /* function 2: 33 in the last column, 28 otherwise */
    20, 20, 18, 20, 20, 18,
    10, 10, 10, 10, 10, 1 };  /* function 4, which gets no choice */
  static const int functions[] = { 0, 0, 2, 2, 4 };
  struct cab_together together = { COLUMNS - 1, functions };
  struct experiment x = { .n_loops = 5, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  for (int round = 0; round < 3; round++)
    round_of (&x, round, truth, 0, 1, .001);
  cab_matrix_make (&matrix, 5, COLUMNS, x.runs, x.n, 0);
  cab_decide (&decision, &matrix, (double[]) { .3, .2, .2, .2, .1 },
	      (bool[]) { false, false, false, false, true }, &together, .01, .005);
  CU_ASSERT (decision.loops[0].best == COLUMNS - 1 && decision.loops[0].gains
	     && decision.loops[0].likely);
  CU_ASSERT (decision.loops[1].best == COLUMNS - 1 && decision.loops[1].gains
	     && decision.loops[1].ratio.mean > 1.2);
  CU_ASSERT (decision.loops[2].best == 2 && decision.loops[3].best == 2);
  CU_ASSERT_FALSE (decision.loops[4].best);
  CU_ASSERT (near (decision.sum_best, 45 + 28 + 1, .5));
  CU_ASSERT (near (decision.loops_predicted, 1 - 10. / 100 + 5. / 100 - 10. / 100 - 2. / 100, .01));
  end (&matrix, &decision);
  /* The same column, for single loops. */
  cab_matrix_make (&matrix, 5, COLUMNS, x.runs, x.n, 0);
  together.column = 0;
  cab_decide (&decision, &matrix, (double[]) { .3, .2, .2, .2, .1 }, NULL, &together, .01, .005);
  CU_ASSERT (decision.loops[0].best == COLUMNS - 1 && decision.loops[1].ratio.mean <= 1);
  end (&matrix, &decision);
}

/* Stalls that fall while the time rises do not decide. */
static void
test_source_against_time (void)
{
  struct experiment x = { .n_loops = 1, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  for (int round = 0; round < 3; round++)
    {
      static const double stalls[COLUMNS] = { 100, 90, 80, 70, 60, 50 };
      round_of (&x, round, stalls, 0, 1, .001);
      for (int j = 0; j < COLUMNS; j++)
	x.runs[x.n - COLUMNS + j].time = 10 + j;
    }
  decide (&x, &matrix, &decision, (double[]) { 1 });
  CU_ASSERT (decision.correlation < 0);
  CU_ASSERT_FALSE (decision.decides);
  end (&matrix, &decision);
}

/* One round says nothing about noise; a matrix may have holes, or be empty. */
static void
test_little_known (void)
{
  static const double truth[COLUMNS] = { 10, 5, 5, 5, 5, 5 };
  struct experiment x = { .n_loops = 1, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  round_of (&x, 0, truth, 0, 1, 0);
  decide (&x, &matrix, &decision, (double[]) { 1 });
  CU_ASSERT_EQUAL (decision.loops[0].best, 1);
  CU_ASSERT_FALSE (decision.loops[0].gains);
  CU_ASSERT_FALSE (decision.settled);
  end (&matrix, &decision);
  x.n = 3;
  decide (&x, &matrix, &decision, (double[]) { 1 });
  CU_ASSERT_EQUAL (matrix.time[4].n, 0);
  CU_ASSERT_EQUAL (decision.application, 1);
  end (&matrix, &decision);
  x.n = 0;
  decide (&x, &matrix, &decision, (double[]) { 1 });
  CU_ASSERT_EQUAL (decision.application, 0);
  CU_ASSERT_FALSE (decision.application_gains);
  end (&matrix, &decision);
}

static int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The interval's ends follow the table of Wilcoxon's test: sums of ranks up to this one have a
   chance of 0.025 at most. */
static void
test_ranks (void)
{
  static const struct { int n, critical;
  } table[] = { { 6, 0 },   { 7, 2 },	{ 8, 3 },   { 9, 5 },	{ 10, 8 },  { 11, 10 },
		{ 12, 13 }, { 13, 17 }, { 14, 21 }, { 15, 25 }, { 20, 52 }, { 25, 89 } };
  for (size_t t = 0; t < sizeof table / sizeof *table; t++)
    {
      double logs[25], means[25 * 13];
      int n = 0;
      for (int i = 0; i < table[t].n; i++)
	logs[i] = noise ();
      for (int i = 0; i < table[t].n; i++)
	for (int k = 0; k <= i; k++)
	  means[n++] = (logs[i] + logs[k]) / 2;
      qsort (means, n, sizeof *means, by_size);
      struct cab_ratio ratio = cab_pairs_ratio (logs, table[t].n, .025);
      CU_ASSERT (near (ratio.low, exp (means[table[t].critical]), 1e-12));
      CU_ASSERT (near (ratio.high, exp (means[n - 1 - table[t].critical]), 1e-12));
      CU_ASSERT (near (ratio.mean, exp ((means[(n - 1) / 2] + means[n / 2]) / 2), 1e-12));
    }
}

/* Too few pairs have no interval by ranks, and no pairs have nothing. */
static void
test_few_pairs (void)
{
  static const double logs[] = { -.1, -.12, -.11, -.13, -.09 };
  struct cab_ratio ratio = cab_pairs_ratio (logs, 5, .025);
  CU_ASSERT (near (ratio.mean, exp (-.11), 1e-12) && ratio.low == 0 && isinf (ratio.high));
  CU_ASSERT (cab_pairs_ratio (logs, 5, .05).high < 1);
  CU_ASSERT (isinf (cab_pairs_ratio (logs, 4, .05).high));
  CU_ASSERT (isnan (cab_pairs_ratio (logs, 0, .05).mean));
  ratio = cab_pairs_ratio_by_noise (logs, 3, (struct cab_noise) { .01, 10 });
  CU_ASSERT (near (log (ratio.high), -.11 + 1.812 * .01 * sqrt (2.0 / 3), 1e-4));
  CU_ASSERT (isinf (cab_pairs_ratio_by_noise (logs, 3, (struct cab_noise) { 0, 0 }).high));
}

/* A race is decided at once where the noise leaves no doubt, else at its last look, and by ranks;
   or it is given up. */
static void
test_verdicts (void)
{
  static const double fast[] = { -.3, -.28, -.31, -.3 },
		      some[] = { -.06, -.02, -.08, -.05, .01, -.04, -.07, -.03 };
  static const double even[] = { .01, -.02, .02, -.01, .015, .01 }, slow[] = { .2, .21, .19, .2 };
  struct cab_noise noise = { .04, 8 }, none = { INFINITY, 0 };
  struct cab_ratio ratio;
  CU_ASSERT_EQUAL (cab_pairs_judge (fast, 2, 10, noise, .025, .005, &ratio), CAB_RACE_OPEN);
  CU_ASSERT_EQUAL (cab_pairs_judge (fast, 3, 10, noise, .025, .005, &ratio), CAB_RACE_WON);
  CU_ASSERT (near (ratio.mean, exp (-.3), .01) && ratio.high < 1);
  CU_ASSERT_EQUAL (cab_pairs_judge (fast, 3, 10, none, .025, .005, &ratio), CAB_RACE_OPEN);
  CU_ASSERT_EQUAL (cab_pairs_judge (slow, 3, 10, noise, .025, .005, &ratio), CAB_RACE_LOST);
  CU_ASSERT_EQUAL (cab_pairs_judge (some, 4, 8, noise, .025, .005, &ratio), CAB_RACE_OPEN);
  CU_ASSERT_EQUAL (cab_pairs_judge (some, 8, 8, noise, .025, .005, &ratio), CAB_RACE_WON);
  CU_ASSERT_EQUAL (cab_pairs_judge (some, 8, 8, noise, .005, .005, &ratio), CAB_RACE_LOST);
  CU_ASSERT_EQUAL (cab_pairs_judge (even, 6, 12, noise, .025, .005, &ratio), CAB_RACE_LOST);
  CU_ASSERT_EQUAL (cab_pairs_judge (even, 3, 12, noise, .025, .005, &ratio), CAB_RACE_OPEN);
}

static void
test_statistics (void)
{
  static const double x[] = { 1, 2, 3, 4 }, y[] = { 2, 4, 6, 8 }, z[] = { 8, 6, 4, 2 };
  CU_ASSERT (near (cab_student (1), 12.706, 1e-3) && near (cab_student (30), 2.042, 1e-3)
	     && near (cab_student (100), 1.984, 2e-3));
  CU_ASSERT (isinf (cab_student (0)));
  CU_ASSERT (near (cab_student_above (.025, 5), 2.571, .01)
	     && near (cab_student_above (.05, 10), 1.812, 2e-3));
  CU_ASSERT (near (cab_student_above (.001, 10), 4.144, .02)
	     && near (cab_student_above (.001, 30), 3.385, 2e-3));
  CU_ASSERT (isinf (cab_student_above (.05, 2)));
  struct cab_noise pooled = cab_noise_pool ((struct cab_noise) { .03, 4 },
					    (struct cab_noise) { .06, 12 });
  CU_ASSERT (pooled.df == 16
	     && near (pooled.deviation, sqrt ((.0009 * 4 + .0036 * 12) / 16), 1e-12));
  CU_ASSERT (near (cab_noise_pool ((struct cab_noise) { INFINITY, 0 }, pooled).deviation,
		   pooled.deviation, 1e-12));
  CU_ASSERT (near (cab_correlation (x, y, 4), 1, 1e-12)
	     && near (cab_correlation (x, z, 4), -1, 1e-12));
  CU_ASSERT (isnan (cab_correlation (x, y, 2)));
}

int
main (void)
{
  if (CU_initialize_registry ())
    return 1;
  CU_pSuite suite = CU_add_suite ("decide", NULL, NULL);
  CU_ADD_TEST (suite, test_predictions_of_the_thesis);
  CU_ADD_TEST (suite, test_ties);
  CU_ADD_TEST (suite, test_drift);
  CU_ADD_TEST (suite, test_false_hints);
  CU_ADD_TEST (suite, test_few_samples);
  CU_ADD_TEST (suite, test_left_alone);
  CU_ADD_TEST (suite, test_whole_functions);
  CU_ADD_TEST (suite, test_source_against_time);
  CU_ADD_TEST (suite, test_little_known);
  CU_ADD_TEST (suite, test_ranks);
  CU_ADD_TEST (suite, test_few_pairs);
  CU_ADD_TEST (suite, test_verdicts);
  CU_ADD_TEST (suite, test_statistics);
  CU_basic_run_tests ();
  unsigned failures = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failures != 0;
}
