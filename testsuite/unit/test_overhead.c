/* test_overhead.c - whether a run keeps to its overhead, on given numbers, and the words that
 * refuse one.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rt/common/overhead.h"

#include <CUnit/Basic.h>
#include <string.h>

#define MS UINT64_C (1000000)

/* A program takes 100 ms without its events, and as much as 10 million words of 1 ns with them. */
static const struct cab_overhead_terms tenth = { .process_ns = 110 * MS,
						 .words = 10000000,
						 .word_ps = 1000 };

/* Return the verdict on a target in millionths where the analysis takes MS_OF_ANALYSIS, too. */
static enum cab_overhead
judge (uint64_t ms_of_analysis, uint32_t target)
{
  struct cab_overhead_terms t = tenth;
  t.analysis_ns = ms_of_analysis * MS;
  t.process_ns += t.analysis_ns;
  return cab_overhead_judge (&t, target);
}

static void
test_verdicts (void)
{
  CU_ASSERT_EQUAL (cab_overhead_alone (&tenth), 100000);
  CU_ASSERT_EQUAL (judge (0, 99999), CAB_OVERHEAD_FORBIDDEN);
  CU_ASSERT_EQUAL (judge (50, 99999), CAB_OVERHEAD_FORBIDDEN);
  CU_ASSERT_EQUAL (judge (0, 100000), CAB_OVERHEAD_ROOM);
  CU_ASSERT_EQUAL (judge (5, 149999), CAB_OVERHEAD_OVER);
  CU_ASSERT_EQUAL (judge (5, 150000), CAB_OVERHEAD_FULL);
  CU_ASSERT_EQUAL (judge (5, 199999), CAB_OVERHEAD_FULL);
  CU_ASSERT_EQUAL (judge (5, 200000), CAB_OVERHEAD_ROOM);
}

/* Terms that cannot be: more time for events than there was, or no time at all. */
static void
test_bounds (void)
{
  struct cab_overhead_terms t = tenth;
  t.process_ns = 10 * MS;
  CU_ASSERT (cab_overhead_alone (&t) > 1000000);
  CU_ASSERT_EQUAL (cab_overhead_judge (&t, 1000000), CAB_OVERHEAD_FORBIDDEN);
  t = (struct cab_overhead_terms) { .analysis_ns = MS, .word_ps = 1000 };
  CU_ASSERT_EQUAL (cab_overhead_judge (&t, 1000000), CAB_OVERHEAD_OVER);
  t = (struct cab_overhead_terms) { .word_ps = 1000 };
  CU_ASSERT_EQUAL (cab_overhead_judge (&t, 1), CAB_OVERHEAD_ROOM);
}

static void
test_words (void)
{
  struct cab_overhead_terms t = tenth;
  char words[160];
  cab_overhead_words (words, sizeof words, &t, 50000);
  CU_ASSERT_STRING_EQUAL (words, "5% cannot be met: the program stores 90.9 million words a second,"
				 " 1 ns each: 10% before any is read");
  t.word_ps = 1057;
  cab_overhead_words (words, sizeof words, &t, 25);
  CU_ASSERT_STRING_EQUAL (words, "0.0025% cannot be met: the program stores 90.9 million words a"
				 " second, 1.05 ns each: 10.63% before any is read");
  cab_overhead_words (words, 8, &t, 25);
  CU_ASSERT (strlen (words) < 8);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("overhead", NULL, NULL);
  CU_add_test (suite, "verdicts", test_verdicts);
  CU_add_test (suite, "terms that cannot be", test_bounds);
  CU_add_test (suite, "words", test_words);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
