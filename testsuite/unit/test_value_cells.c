/* test_value_cells.c - cells of values are added up, whatever is in the one that is added.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyses/profile/value_cells.h"

#include <CUnit/Basic.h>
#include <string.h>

static uint64_t sum[CAB_CELL_WORDS], cell[CAB_CELL_WORDS];

/* Put N entries into the cell, of the values FIRST, FIRST + 1, ..., each counted COUNT times. */
static void
fill (uint64_t n, uint64_t first, uint64_t count)
{
  memset (cell, 0, sizeof cell);
  cell[CAB_CELL_TOTAL] = n * count;
  cell[CAB_CELL_OR] = first;
  cell[CAB_CELL_N] = n;
  for (uint64_t i = 0; i < n && i < CAB_CELL_VALUES; i++)
    {
      cell[CAB_CELL_TABLE + 2 * i] = first + i;
      cell[CAB_CELL_TABLE + 2 * i + 1] = count;
    }
}

/* Return how often the sum's table has VALUE. */
static uint64_t
count_of (uint64_t value)
{
  for (uint64_t i = 0; i < sum[CAB_CELL_N]; i++)
    if (sum[CAB_CELL_TABLE + 2 * i] == value)
      return sum[CAB_CELL_TABLE + 2 * i + 1];
  return 0;
}

static void
test_sum (void)
{
  memset (sum, 0, sizeof sum);
  fill (2, 4, 10);
  cab_value_cell_add (sum, cell);
  fill (3, 5, 1);
  cab_value_cell_add (sum, cell);
  CU_ASSERT_EQUAL (sum[CAB_CELL_TOTAL], 23);
  CU_ASSERT_EQUAL (sum[CAB_CELL_OR], 5);
  CU_ASSERT_EQUAL (sum[CAB_CELL_N], 4);
  CU_ASSERT_EQUAL (count_of (4), 10);
  CU_ASSERT_EQUAL (count_of (5), 11);
  CU_ASSERT_EQUAL (count_of (7), 1);
}

static void
test_full (void)
{
  memset (sum, 0, sizeof sum);
  fill (CAB_CELL_VALUES, 100, 5);
  cab_value_cell_add (sum, cell);
  fill (2, 1000, 4);
  cab_value_cell_add (sum, cell);
  CU_ASSERT_EQUAL (sum[CAB_CELL_N], CAB_CELL_VALUES);
  CU_ASSERT_EQUAL (count_of (1000), 0);
  fill (2, 1000, 6);
  cab_value_cell_add (sum, cell);
  CU_ASSERT_EQUAL (count_of (1000), 6);
  CU_ASSERT_EQUAL (count_of (1001), 6);
  CU_ASSERT_EQUAL (count_of (100), 0);
  CU_ASSERT_EQUAL (count_of (102), 5);
}

static void
test_damaged (void)
{
  memset (sum, 0, sizeof sum);
  fill (UINT64_MAX, 1, 1);
  cab_value_cell_add (sum, cell);
  CU_ASSERT_EQUAL (sum[CAB_CELL_N], CAB_CELL_VALUES);
  CU_ASSERT_EQUAL (count_of (CAB_CELL_VALUES), 1);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("value_cells", NULL, NULL);
  CU_ADD_TEST (suite, test_sum);
  CU_ADD_TEST (suite, test_full);
  CU_ADD_TEST (suite, test_damaged);
  CU_basic_run_tests ();
  int failures = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failures != 0;
}
