/* test_trials.c - what trials say, from made-up figures; the reader of their files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/decide/decide_trials.h"
#include "loopfb/formats/trials.h"
#include <CUnit/Basic.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 7
#define ROUNDS 60

static const bool wanted[COLUMNS] = { false, false, false, false, true, true, true };
static uint64_t seed = 88172645463325252u;

/* Return a number uniform in -1 .. 1. */
static double
noise (void)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double) (seed >> 11) / (1ull << 52) - 1;
}

/* Fill COST with N rounds of TRUTH; the work differs from round to round, each figure is off by
   JITTER, and, where that is more than a thousandth, one in ten is hit by something else that takes
   long. */
static struct cab_trials_process
process (double *cost, int n, const double *truth, double jitter)
{
  for (int i = 0; i < n; i++)
    {
      double work = 1 + (noise () + 1) * 4;
      for (int k = 0; k < COLUMNS; k++)
	cost[i * COLUMNS + k] = truth[k] * work * (1 + jitter * noise ())
			      * (jitter > 0.001 && noise () > 0.8 ? 3 : 1);
    }
  return (struct cab_trials_process) { cost, n };
}

static void
test_measures (void)
{
  static const double truth[] = { 1.02, 0.99, 1, 1, 0.8, 1.1, 0.9 };
  static double cost[ROUNDS * COLUMNS];
  struct cab_trials_estimate e;
  struct cab_trials_process p = process (cost, ROUNDS, truth, 0.02);
  cab_trials_estimate (&e, &p, 1, COLUMNS);
  CU_ASSERT_EQUAL (e.verdict, CAB_TRIALS_MEASURED);
  for (int k = 0; k < COLUMNS; k++)
    {
      CU_ASSERT (e.ratio[k].low <= e.ratio[k].mean && e.ratio[k].mean <= e.ratio[k].high);
      CU_ASSERT (fabs (e.ratio[k].mean / truth[k] - 1) < 0.05);
    }
  CU_ASSERT_EQUAL (cab_trials_best (&e, wanted), 4);
  cab_trials_estimate_fini (&e);
}

/* Where equal copies differ at random by far more than what could be gained, nothing is said of the
   others. */
static void
test_noisy (void)
{
  static const double truth[] = { 1, 1, 1, 1, 1, 1, 1 };
  static double cost[ROUNDS * COLUMNS];
  struct cab_trials_estimate e;
  struct cab_trials_process calm = process (cost, ROUNDS, truth, 0.02);
  cab_trials_estimate (&e, &calm, 1, COLUMNS);
  CU_ASSERT (!cab_trials_is_noisy (&e));
  cab_trials_estimate_fini (&e);
  struct cab_trials_process wild = process (cost, 8, truth, 0.9);
  cab_trials_estimate (&e, &wild, 1, COLUMNS);
  CU_ASSERT (cab_trials_is_noisy (&e));
  cab_trials_estimate_fini (&e);
  struct cab_trials_process few = process (cost, 2, truth, 0.9);
  cab_trials_estimate (&e, &few, 1, COLUMNS);
  CU_ASSERT (!cab_trials_is_noisy (&e));
  cab_trials_estimate_fini (&e);
}

/* Nothing is faster: in 200 experiments hardly any says so. */
static void
test_finds_nothing (void)
{
  static const double truth[] = { 1, 1, 1, 1, 1, 1, 1 };
  static double cost[ROUNDS * COLUMNS];
  int n_found = 0;
  for (int i = 0; i < 200; i++)
    {
      struct cab_trials_estimate e;
      struct cab_trials_process p = process (cost, ROUNDS, truth, 0.05);
      cab_trials_estimate (&e, &p, 1, COLUMNS);
      n_found += cab_trials_best (&e, wanted) >= 0;
      cab_trials_estimate_fini (&e);
    }
  CU_ASSERT (n_found <= 20);
}

/* Of equal copies one takes 4 % more: nothing can be said. */
static void
test_not_measurable (void)
{
  static const double truth[] = { 1, 1, 1, 1.04, 0.8, 1, 1 };
  static double cost[ROUNDS * COLUMNS];
  struct cab_trials_estimate e;
  struct cab_trials_process p = process (cost, ROUNDS, truth, 0.01);
  cab_trials_estimate (&e, &p, 1, COLUMNS);
  CU_ASSERT_EQUAL (e.verdict, CAB_TRIALS_NOT_MEASURABLE);
  CU_ASSERT_EQUAL (cab_trials_best (&e, wanted), -1);
  cab_trials_estimate_fini (&e);
}

/* Within the tolerance, what equal copies differ by is an error of all ratios. */
static void
test_floor (void)
{
  static const double truth[] = { 1, 1, 1, 1.009, 0.997, 0.9, 1 };
  static double cost[ROUNDS * COLUMNS];
  struct cab_trials_estimate e;
  struct cab_trials_process p = process (cost, ROUNDS, truth, 0.0001);
  cab_trials_estimate (&e, &p, 1, COLUMNS);
  CU_ASSERT (e.floor > 0.008 && e.floor < 0.01);
  CU_ASSERT (e.ratio[4].high > 1);
  CU_ASSERT_EQUAL (cab_trials_best (&e, wanted), 5);
  cab_trials_estimate_fini (&e);
}

/* Processes of which each is sure of something else, by its placement: they are the units. */
static void
test_processes (void)
{
  static const double truth[][COLUMNS] = { { 1, 1, 1, 1, 0.8, 1, 1 }, { 1, 1, 1, 1, 1.1, 1, 1 } };
  static double cost[2][ROUNDS * COLUMNS];
  struct cab_trials_process p[2];
  struct cab_trials_estimate e;
  for (int i = 0; i < 2; i++)
    p[i] = process (cost[i], ROUNDS, truth[i], 0.01);
  cab_trials_estimate (&e, p, 2, COLUMNS);
  CU_ASSERT_EQUAL (e.n_rounds, 2 * ROUNDS);
  CU_ASSERT (e.ratio[4].low < 0.8 && e.ratio[4].high > 1.1);
  CU_ASSERT_EQUAL (cab_trials_best (&e, wanted), -1);
  cab_trials_estimate_fini (&e);
}

static void
test_too_short (void)
{
  static const double truth[] = { 1, 1, 1, 1, 0.5, 1, 1 };
  static double cost[ROUNDS * COLUMNS];
  struct cab_trials_estimate e;
  struct cab_trials_process p[] = { process (cost, CAB_TRIALS_LEAST - 1, truth, 0.01),
					   { NULL, 0 } };
  cab_trials_estimate (&e, p, 2, COLUMNS);
  CU_ASSERT_EQUAL (e.verdict, CAB_TRIALS_TOO_SHORT);
  CU_ASSERT_PTR_NULL (e.ratio);
  CU_ASSERT_EQUAL (cab_trials_best (&e, wanted), -1);
  cab_trials_estimate_fini (&e);
}

/* A slower function as it is, twice, is no gain of a hint, but one that is faster than the hint
   is. */
static void
test_as_it_is (void)
{
  static const double truth[] = { 0.7, 1.1, 1, 1, 0.8, 1, 1 };
  static double cost[ROUNDS * COLUMNS];
  struct cab_trials_estimate e;
  struct cab_trials_process p = process (cost, ROUNDS, truth, 0.01);
  cab_trials_estimate (&e, &p, 1, COLUMNS);
  CU_ASSERT_EQUAL (cab_trials_best (&e, wanted), -1);
  cab_trials_estimate_fini (&e);
}

static const char good[]
  = "cabprof trials\t3\np\t/bin/prog\t7\n"
    "f\tf\tf\tf.c\t3\t12\nl\tf\tf.c\t5\t3\t0\t00ab\tf\n"
    "v\t-\t0\t-\t0\t0\t0\t01\t-\nv\t-\t0\t-\t0\t0\t1\t01\t-\n"
    "v\t-\t0\t-\t64\t0\t2\t02\t-\nv\t-\t0\t-\t64\t0\t3\t02\t-\n"
    "v\t0\t4\t-\t64\t0\t4\t03\tunrolled:4\nv\t0\t0\t1\t64\t0\t2\t02\tscalar\n"
    "v\t-\t0\t-\t0\t0\t5\t09\tcounts\n"
    "t\t1\t2\t32768\ni\t10\t1000\n"
    "r\t10:1\t10:1\t10:1\t20:2\t5:1\t9:1\nend\n";

static void
test_reads (void)
{
  struct cab_trials t;
  struct cab_diag diag;
  CU_ASSERT_EQUAL_FATAL (cab_trials_parse (&t, "x", good, strlen (good), &diag), 0);
  const struct cab_trials_function *f = t.functions;
  CU_ASSERT_EQUAL (t.n, 1);
  CU_ASSERT_STRING_EQUAL (t.program, "/bin/prog");
  CU_ASSERT_EQUAL (t.process, 7);
  CU_ASSERT (f->n_loops == 1 && f->n_copies == 7 && f->n_turns == 6 && f->n_rounds == 1);
  CU_ASSERT (f->loops[0].line == 5 && f->loops[0].checksum == 0xab);
  CU_ASSERT (f->copies[4].unroll == 4 && f->copies[4].loop == 0 && f->copies[4].vectorize == -1);
  CU_ASSERT (f->copies[5].turn == 2 && f->copies[5].vectorize == 1);
  CU_ASSERT (f->abandoned == 1 && f->lost == 2 && f->counted == 10 && f->iterations[0] == 1000);
  CU_ASSERT (f->cost[3] == 10 && f->cost[4] == 5);
  CU_ASSERT (cab_trials_same (f, f));
  cab_trials_fini (&t);
}

/* Each beginning of a file is refused, and so is each file with a byte that is something else or
   reads as something that a program may write. */
static void
test_refuses (void)
{
  struct cab_trials t;
  struct cab_diag diag;
  char text[sizeof good];
  for (size_t n = 0; n < strlen (good); n++)
    {
      diag.text[0] = 0;
      CU_ASSERT_EQUAL (cab_trials_parse (&t, "x", good, n, &diag), -1);
      CU_ASSERT (strstr (diag.text, "x: ") == diag.text && strstr (diag.text, "run the program"));
    }
  for (size_t n = 0; n < strlen (good); n++)
    for (int c = 0; c < 128; c++)
      {
	memcpy (text, good, sizeof good);
	text[n] = c;
	if (!cab_trials_parse (&t, "x", text, strlen (good), &diag))
	  cab_trials_fini (&t);
      }
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("trials", NULL, NULL);
  CU_add_test (suite, "ratios and the best", test_measures);
  CU_add_test (suite, "nothing where there is nothing", test_finds_nothing);
  CU_add_test (suite, "equal copies that differ", test_not_measurable);
  CU_add_test (suite, "the floor", test_floor);
  CU_add_test (suite, "processes are units", test_processes);
  CU_add_test (suite, "too short", test_too_short);
  CU_add_test (suite, "the function as it is", test_as_it_is);
  CU_add_test (suite, "a file", test_reads);
  CU_add_test (suite, "files that are wrong", test_refuses);
  CU_basic_run_tests ();
  int bad = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return bad != 0;
}
