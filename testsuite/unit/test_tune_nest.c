/* test_tune_nest.c - a loop that vanishes in a variant is compared together with the loop around
 * it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <CUnit/Basic.h>
#include "loopfb/tune/tune_stage.h"
#include "loopfb/tune/tune_nest.h"

/* Loops 0 to 3: 0 lies in 2, 1 in 0, 3 in none. */
static struct cab_tune_loop loops[] = {
  { .around = 2 }, { .around = 0 }, { .around = -1 }, { .around = -1 }
};
static struct cab_tune tune = { .loops = loops, .n_loops = 4 };

static void
check_leaders (const struct cab_tune_stage *stage, int a, int b, int c, int d)
{
  const int expected[] = { a, b, c, d };
  cab_tune_nest_find (&tune, stage);
  for (int i = 0; i < 4; i++)
    CU_ASSERT_EQUAL (loops[i].leader, expected[i]);
}

static void
test_all_there (void)
{
  const double some[] = { 50, 20, 10, 5 }, other[] = { 30, 21, 12, 5 };
  struct cab_figures runs[] = { { 0, 0, 1, some }, { 0, 1, 1, other } };
  check_leaders (&(struct cab_tune_stage) { .n = 2, .runs = runs, .n_runs = 2 }, 0, 1, 2, 3);
}

static void
test_inner_gone (void)
{
  const double some[] = { 50, 20, 10, 5 }, gone[] = { 0, 20, 57, 5 };
  struct cab_figures runs[] = { { 0, 0, 1, some }, { 0, 1, 1, gone }, { 0, 2, 1, NULL } };
  struct cab_tune_stage stage = { .n = 3, .runs = runs, .n_runs = 3 };
  check_leaders (&stage, 0, 1, 0, 3);
  struct cab_figures *sums = cab_tune_nest_figures (&tune, &stage);
  CU_ASSERT_EQUAL (sums[0].loops[0], 60);
  CU_ASSERT_EQUAL (sums[0].loops[1], 20);
  CU_ASSERT_EQUAL (sums[0].loops[2], 0);
  CU_ASSERT_EQUAL (sums[0].loops[3], 5);
  CU_ASSERT_EQUAL (sums[1].loops[0], 57);
  CU_ASSERT_EQUAL (sums[1].column, 1);
  CU_ASSERT_PTR_NULL (sums[2].loops);
  free (sums);
}

static void
test_chain (void)
{
  const double some[] = { 50, 20, 10, 5 }, gone[] = { 1, 1, 80, 0 };
  struct cab_figures runs[] = { { 0, 0, 1, some }, { 0, 1, 1, gone } };
  struct cab_tune_stage stage = { .n = 2, .runs = runs, .n_runs = 2 };
  check_leaders (&stage, 0, 0, 0, 3);
  struct cab_figures *sums = cab_tune_nest_figures (&tune, &stage);
  CU_ASSERT_EQUAL (sums[0].loops[0], 80);
  CU_ASSERT_EQUAL (sums[1].loops[0], 82);
  free (sums);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("tune_nest", NULL, NULL);
  CU_add_test (suite, "all loops are there", test_all_there);
  CU_add_test (suite, "an inner loop is gone", test_inner_gone);
  CU_add_test (suite, "a chain of nests", test_chain);
  CU_basic_run_tests ();
  unsigned failures = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failures != 0;
}
