/* test_placement_cost.c - the model of what a placement costs, on given numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/doctor/placement_cost.h"

#include <CUnit/Basic.h>

/* Check what the model says for these terms; times in ps. */
static void
check (uint64_t fill, uint64_t analysis, uint64_t line, uint32_t processors,
       const struct cab_placement_verdict *wanted)
{
  const struct cab_placement_terms terms = { fill, analysis, line, processors };
  struct cab_placement_verdict v;
  cab_placement_judge (&v, &terms);
  CU_ASSERT_EQUAL (v.why, wanted->why);
  CU_ASSERT_EQUAL (v.communication_ps, wanted->communication_ps);
  CU_ASSERT_EQUAL (v.blocked_ps, wanted->blocked_ps);
  CU_ASSERT_EQUAL (v.inline_ps, wanted->inline_ps);
  CU_ASSERT_EQUAL (v.thread_ps, wanted->thread_ps);
}

/* The analysis is hidden behind the program's own work. */
static void
test_hidden (void)
{
  check (10000, 5000, 16000, 2,
	 &(struct cab_placement_verdict) { CAB_PLACED_CHEAPER, 2000, 0, 15000, 10000 });
}

/* The reader sets the pace, and is still cheaper than one after the other. */
static void
test_blocked (void)
{
  check (4000, 5000, 8000, 2,
	 &(struct cab_placement_verdict) { CAB_PLACED_CHEAPER, 1000, 2000, 9000, 6000 });
}

/* Lines cost more than what overlaps. */
static void
test_lines (void)
{
  check (1000, 1000, 80000, 8,
	 &(struct cab_placement_verdict) { CAB_PLACED_LITTLE, 10000, 10000, 2000, 11000 });
}

/* A tenth is the bound: 9000 of 10000 is a thread's, 9001 is not. */
static void
test_tenth (void)
{
  check (9000, 1000, 0, 2,
	 &(struct cab_placement_verdict) { CAB_PLACED_CHEAPER, 0, 0, 10000, 9000 });
  check (9001, 999, 0, 2,
	 &(struct cab_placement_verdict) { CAB_PLACED_LITTLE, 0, 0, 10000, 9001 });
}

/* On one processor nothing overlaps, and no line crosses. */
static void
test_alone (void)
{
  check (10000, 5000, 16000, 1,
	 &(struct cab_placement_verdict) { CAB_PLACED_ALONE, 0, 5000, 15000, 15000 });
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
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
