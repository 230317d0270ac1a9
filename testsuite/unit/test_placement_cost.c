/* test_placement_cost.c - the model of what a placement costs, on given numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rt/common/placement_cost.h"

#include <CUnit/Basic.h>

/* Check what the model says for these terms; times in ps, which are ns of 1000 words. */
static void
check (uint64_t fill, uint64_t analysis, uint64_t line, uint32_t processors,
       enum cab_placed_why why, uint64_t communication, uint64_t blocked, uint64_t inlined,
       uint64_t thread)
{
  const struct cab_placement_terms terms = {
    .words = 1000,
    .fill_ns = fill,
    .analysis_ns = analysis,
    .line_ps = line,
    .processors = processors
  };
  struct cab_part_placement v;
  cab_placement_judge (&v, &terms);
  CU_ASSERT_EQUAL (v.why, why);
  CU_ASSERT_EQUAL (v.communication_ps, communication);
  CU_ASSERT_EQUAL (v.blocked_ps, blocked);
  CU_ASSERT_EQUAL (v.inline_ps, inlined);
  CU_ASSERT_EQUAL (v.thread_ps, thread);
}

/* The analysis is hidden behind the program's own work. */
static void
test_hidden (void)
{
  check (10000, 5000, 16000, 2, CAB_PLACED_CHEAPER, 2000, 0, 15000, 10000);
}

/* The reader sets the pace, and is still cheaper than one after the other. */
static void
test_blocked (void)
{
  check (4000, 5000, 8000, 2, CAB_PLACED_CHEAPER, 1000, 2000, 9000, 6000);
}

/* Lines cost more than what overlaps. */
static void
test_lines (void)
{
  check (1000, 1000, 80000, 8, CAB_PLACED_LITTLE, 10000, 10000, 2000, 11000);
}

/* A tenth is the bound: 9000 of 10000 is a thread's, 9001 is not. */
static void
test_tenth (void)
{
  check (9000, 1000, 0, 2, CAB_PLACED_CHEAPER, 0, 0, 10000, 9000);
  check (9001, 999, 0, 2, CAB_PLACED_LITTLE, 0, 0, 10000, 9001);
}

/* On one processor nothing overlaps, and no line crosses. */
static void
test_alone (void)
{
  check (10000, 5000, 16000, 1, CAB_PLACED_ALONE, 0, 5000, 15000, 15000);
}

/* The other threads of the process leave no processor: both processors' time is the process'. */
static void
test_busy (void)
{
  struct cab_placement_terms terms = {
    .words = 1000,
    .fill_ns = 10000,
    .analysis_ns = 5000,
    .cpu_ns = 30000,
    .line_ps = 16000,
    .processors = 2
  };
  struct cab_part_placement v;
  cab_placement_judge (&v, &terms);
  CU_ASSERT_EQUAL (v.why, CAB_PLACED_BUSY);
  CU_ASSERT_EQUAL (v.how, CAB_PLACED_INLINE);
  CU_ASSERT_EQUAL (v.thread_ps, 17000);
  terms.processors = 3;
  cab_placement_judge (&v, &terms);
  CU_ASSERT_EQUAL (v.why, CAB_PLACED_CHEAPER);
  CU_ASSERT_EQUAL (v.how, CAB_PLACED_THREAD);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("placement cost", NULL, NULL);
  CU_add_test (suite, "hidden", test_hidden);
  CU_add_test (suite, "blocked", test_blocked);
  CU_add_test (suite, "lines", test_lines);
  CU_add_test (suite, "a tenth", test_tenth);
  CU_add_test (suite, "alone", test_alone);
  CU_add_test (suite, "busy", test_busy);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
