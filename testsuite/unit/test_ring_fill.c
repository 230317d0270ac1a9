/* test_ring_fill.c - chunks are filled by how long they took the producer: the clock is the test's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include "rt/engine/ring/ring_fill.h"

#define SLOTS 32768u   /* 256 KB */

/* From FILL on, let TIMES chunks take TOOK_NS each. */
static uint32_t
after (uint32_t fill, uint32_t slots, uint64_t took_ns, int times)
{
  for (; times > 0; times--)
    fill = cab_fill_next (fill, slots, took_ns);
  return fill;
}

static void
test_first (void)
{
  CU_ASSERT_EQUAL (cab_fill_first (SLOTS), 16384);
  CU_ASSERT_EQUAL (cab_fill_first (16384), 16384);
  CU_ASSERT_EQUAL (cab_fill_first (64), 64);
}

static void
test_quick (void)
{
  CU_ASSERT_EQUAL (after (4096, SLOTS, 29999, 1), 8192);
  CU_ASSERT_EQUAL (after (4096, SLOTS, 29999, 3), SLOTS);
  CU_ASSERT_EQUAL (after (4096, SLOTS, 0, 99), SLOTS);
  CU_ASSERT_EQUAL (after (4096, 5000, 0, 1), 5000);
  CU_ASSERT_EQUAL (after (UINT32_MAX - 1, UINT32_MAX, 0, 1), UINT32_MAX);
}

static void
test_slow (void)
{
  CU_ASSERT_EQUAL (after (SLOTS, SLOTS, 100001, 1), 16384);
  CU_ASSERT_EQUAL (after (SLOTS, SLOTS, 100001, 3), 4096);
  CU_ASSERT_EQUAL (after (SLOTS, SLOTS, UINT64_MAX, 99), 4096);
  CU_ASSERT_EQUAL (after (5000, 5000, 100001, 1), 4096);
  CU_ASSERT_EQUAL (after (64, 64, UINT64_MAX, 9), 64);
}

static void
test_between (void)
{
  CU_ASSERT_EQUAL (after (8192, SLOTS, 30000, 9), 8192);
  CU_ASSERT_EQUAL (after (8192, SLOTS, 100000, 9), 8192);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("ring_fill", NULL, NULL);
  CU_ADD_TEST (suite, test_first);
  CU_ADD_TEST (suite, test_quick);
  CU_ADD_TEST (suite, test_slow);
  CU_ADD_TEST (suite, test_between);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
