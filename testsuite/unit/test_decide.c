/* test_decide.c - the stall matrix, both heuristics, noise and races, on matrices.
 * LINK: loopfb/decide.c loopfb/decide_matrix.c */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/decide.h"
#include <CUnit/Basic.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 6   /* default, 1, 2, 4, 8, 16 */

/* Runs of an experiment, put together round by round. */
struct experiment
{
  struct cab_figures runs[400];
  double loops[400][8];
  int n, n_loops, n_columns;
};

static uint64_t seed = 88172645463325252u;

/* Uniform in -1 .. 1. */
static double
noise (void)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double) (seed >> 11) / (1ull << 52) - 1;
}

/* One round: TRUTH[i][j] of each loop, and REST outside of them; the machine has SPEED; each figure is off by at most JITTER. */
static void
round_of (struct experiment *x, int round, const double *truth, double rest, double speed, double jitter)
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
decide (const struct experiment *x, struct cab_matrix *matrix, struct cab_decision *decision, const double *shares)
{
  cab_matrix_make (matrix, x->n_loops, x->n_columns, x->runs, x->n, 0);
  cab_decide (decision, matrix, shares, NULL, 0.01, 0.005);
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

/* Stalls whose sums relative to the default's give the predictions of Schneider's Tab. 5.4: per application and per loop. */
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

/* A tie goes to the compiler's default. */
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

/* Where all factors are alike, noise of 10 % makes at most as many hints as the interval allows: 200 programs of 3 loops. */
static void
test_false_hints (void)
{
  static const double truth[3 * COLUMNS] = { 50, 50, 50, 50, 50, 50, 30, 30, 30, 30, 30, 30, 20, 20, 20, 20, 20, 20 };
  int hints = 0, wins = 0;
  for (int program = 0; program < 200; program++)
    {
      struct experiment x = { .n_loops = 3, .n_columns = COLUMNS }, race = { .n_loops = 0, .n_columns = 2 };
      struct cab_matrix matrix;
      struct cab_decision decision;
      struct cab_ratio ratio;
      int best;
      for (int round = 0; round < 4; round++)
	round_of (&x, round, truth, 0, 1, .1);
      decide (&x, &matrix, &decision, (double[]) { .5, .3, .2 });
      for (int i = 0; i < 3; i++)
	hints += decision.loops[i].gains;
      end (&matrix, &decision);
      for (int round = 0; round < 6; round++)
	round_of (&race, round, truth, 100, 1, .1);
      cab_matrix_make (&matrix, 0, 2, race.runs, race.n, 0);
      wins += cab_race_judge (&matrix, .005, &best, &ratio) == CAB_RACE_WON;
      cab_matrix_fini (&matrix);
    }
  /* Each loop is the best of five: one-sided 2.5 % each. */
  CU_ASSERT (hints < 600 * .125);
  CU_ASSERT (wins < 200 * .05);
}

/* Samples are counts: two runs that happen to agree do not make a gain of 3 % out of 100 samples. */
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
  cab_decide (&decision, &matrix, (double[]) { 1 }, NULL, .01, .005);
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
  static const double truth[3 * COLUMNS] = { 1, 1, .5, 1, 1, 1, 50, 50, 40, 50, 50, 50, 49, 49, 40, 49, 49, 49 };
  struct experiment x = { .n_loops = 3, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  for (int round = 0; round < 3; round++)
    round_of (&x, round, truth, 0, 1, .001);
  cab_matrix_make (&matrix, 3, COLUMNS, x.runs, x.n, 0);
  cab_decide (&decision, &matrix, (double[]) { .01, .5, .49 }, (bool[]) { false, false, true }, .02, .005);
  CU_ASSERT_FALSE (decision.loops[0].gains);
  CU_ASSERT (decision.loops[1].gains && decision.loops[1].best == 2);
  CU_ASSERT_FALSE (decision.loops[2].gains);
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

/* One round says nothing of noise; a matrix with holes, and none at all. */
static void
test_little_known (void)
{
  static const double truth[COLUMNS] = { 10, 5, 5, 5, 5, 5 };
  struct experiment x = { .n_loops = 1, .n_columns = COLUMNS };
  struct cab_matrix matrix;
  struct cab_decision decision;
  struct cab_ratio ratio;
  int best;
  round_of (&x, 0, truth, 0, 1, 0);
  decide (&x, &matrix, &decision, (double[]) { 1 });
  CU_ASSERT_EQUAL (decision.loops[0].best, 1);
  CU_ASSERT_FALSE (decision.loops[0].gains);
  CU_ASSERT_FALSE (decision.settled);
  CU_ASSERT_EQUAL (cab_race_judge (&matrix, .005, &best, &ratio), CAB_RACE_OPEN);
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

static void
test_races (void)
{
  static const struct { double b, c; enum cab_verdict verdict; int best; } races[] = {
    { 90, 95, CAB_RACE_WON, 1 }, { 105, 92, CAB_RACE_WON, 2 }, { 110, 120, CAB_RACE_LOST, 1 }
  };
  for (size_t i = 0; i < sizeof races / sizeof *races; i++)
    {
      struct experiment x = { .n_loops = 0, .n_columns = 3 };
      struct cab_matrix matrix;
      struct cab_ratio ratio;
      int best;
      for (int round = 0; round < 5; round++)
	{
	  round_of (&x, round, NULL, 100, 1 + .1 * round, .01);
	  x.runs[x.n - 2].time *= races[i].b / 100;
	  x.runs[x.n - 1].time *= races[i].c / 100;
	}
      cab_matrix_make (&matrix, 0, 3, x.runs, x.n, 0);
      CU_ASSERT_EQUAL (cab_race_judge (&matrix, .005, &best, &ratio), races[i].verdict);
      CU_ASSERT_EQUAL (best, races[i].best);
      CU_ASSERT (near (ratio.mean, fmin (races[i].b, races[i].c) / 100, .02));
      cab_matrix_fini (&matrix);
    }
}

static void
test_statistics (void)
{
  static const double x[] = { 1, 2, 3, 4 }, y[] = { 2, 4, 6, 8 }, z[] = { 8, 6, 4, 2 };
  CU_ASSERT (near (cab_student (1), 12.706, 1e-3) && near (cab_student (30), 2.042, 1e-3) && near (cab_student (100), 1.984, 2e-3));
  CU_ASSERT (isinf (cab_student (0)));
  CU_ASSERT (near (cab_correlation (x, y, 4), 1, 1e-12) && near (cab_correlation (x, z, 4), -1, 1e-12));
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
  CU_ADD_TEST (suite, test_source_against_time);
  CU_ADD_TEST (suite, test_little_known);
  CU_ADD_TEST (suite, test_races);
  CU_ADD_TEST (suite, test_statistics);
  CU_basic_run_tests ();
  unsigned failures = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failures != 0;
}
