/* test_heap_blocks.c - addresses are found in the blocks that lived at their times, from logs that
 * are made up.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include "loopfb/sample/heap_blocks.h"
#include "testsuite/unit/seeded.h"

static struct cab_block_event events[16];
static size_t n_events;

static void
add (uint64_t began, uint64_t time, uint64_t address, uint64_t bytes, uint64_t site)
{
  events[n_events] = (struct cab_block_event) { .time = time, .began = began, .address = address,
						.bytes = bytes, .site = site, .order = n_events,
						.released = !site };
  n_events++;
}

/* Return the site of the block that holds ADDRESS at TIME, 0 if none does; check its OFFSET and
   AGE. */
static uint64_t
site_at (uint64_t address, uint64_t time, uint64_t offset, uint64_t age)
{
  struct cab_block_event copy[16];
  struct cab_block_question q = { .address = address, .time = time };
  for (size_t i = 0; i < n_events; i++)
    copy[i] = events[n_events - 1 - i];
  cab_blocks_answer (copy, n_events, &q, 1);
  CU_ASSERT_EQUAL (q.offset, offset);
  CU_ASSERT_EQUAL (q.age, age);
  CU_ASSERT_EQUAL (!q.bytes, !q.site);
  return q.site;
}

/* The same bytes belong to one block after the other. */
static void
test_reuse (void)
{
  n_events = 0;
  add (9, 10, 1000, 100, 1);
  add (20, 20, 1000, 0, 0);
  add (29, 30, 1000, 50, 2);
  add (39, 40, 1050, 50, 3);
  CU_ASSERT_EQUAL (site_at (1000, 8, 0, 0), 0);
  CU_ASSERT_EQUAL (site_at (1099, 19, 99, 9), 1);
  CU_ASSERT_EQUAL (site_at (1100, 19, 0, 0), 0);
  CU_ASSERT_EQUAL (site_at (999, 19, 0, 0), 0);
  CU_ASSERT_EQUAL (site_at (1000, 25, 0, 0), 0);
  CU_ASSERT_EQUAL (site_at (1049, 100, 49, 70), 2);
  CU_ASSERT_EQUAL (site_at (1050, 39, 0, 0), 3);
  CU_ASSERT_EQUAL (site_at (1050, 38, 0, 0), 0);
  CU_ASSERT_EQUAL (site_at (1099, 100, 49, 60), 3);
}

/* A release that was not seen: the next block takes the bytes. */
static void
test_overlap (void)
{
  n_events = 0;
  add (10, 10, 1000, 100, 1);
  add (20, 20, 1040, 100, 2);
  CU_ASSERT_EQUAL (site_at (1041, 15, 41, 5), 1);
  CU_ASSERT_EQUAL (site_at (1041, 25, 1, 5), 2);
  add (30, 30, 1040, 0, 0);
  add (31, 31, 2000, 0, 0);
  CU_ASSERT_EQUAL (site_at (1041, 35, 0, 0), 0);
}

/* realloc in place, and to other bytes that another thread's block takes over meanwhile. */
static void
test_moves (void)
{
  n_events = 0;
  add (10, 10, 1000, 100, 1);
  add (20, 22, 1000, 0, 0);
  add (20, 22, 1000, 200, 2);
  CU_ASSERT_EQUAL (site_at (1099, 19, 99, 9), 1);
  CU_ASSERT_EQUAL (site_at (1150, 21, 150, 0), 2);
  CU_ASSERT_EQUAL (site_at (1099, 30, 99, 8), 2);
  add (40, 50, 1000, 0, 0);
  add (40, 50, 5000, 300, 3);
  add (44, 45, 1000, 80, 4);
  CU_ASSERT_EQUAL (site_at (1001, 60, 1, 15), 4);
  CU_ASSERT_EQUAL (site_at (5001, 60, 1, 10), 3);
  CU_ASSERT_EQUAL (site_at (5001, 45, 1, 0), 3);
  CU_ASSERT_EQUAL (site_at (5001, 39, 0, 0), 0);
}

/* A page that is touched while the block is being made, by several questions at once. */
static void
test_during (void)
{
  struct cab_block_event event[] = {
    { .time = 90, .began = 10, .address = 1000, .bytes = 100, .site = 1 },
    { .time = 95, .began = 94, .address = 3000, .bytes = 100, .site = 2, .order = 1 }
  };
  struct cab_block_question q[] = { { .address = 1000, .time = 9 },
				    { .address = 1001, .time = 10 },
				    { .address = 3000, .time = 60 },
				    { .address = 1099, .time = 89 } };
  cab_blocks_answer (event, 2, q, 4);
  CU_ASSERT_EQUAL (q[0].bytes, 0);
  CU_ASSERT_EQUAL (q[1].site, 1);
  CU_ASSERT_EQUAL (q[2].bytes, 0);
  CU_ASSERT_EQUAL (q[3].site, 1);
  CU_ASSERT_EQUAL (q[3].offset, 99);
  cab_blocks_answer (event, 0, q, 4);
  CU_ASSERT_EQUAL (q[1].bytes, 0);
  cab_blocks_answer (event, 2, q, 0);
}

#define UNITS 64

/* A random log of one thread, against an array of what each unit of memory belongs to. */
static void
test_random (void)
{
  enum { N = 400 };
  static struct cab_block_event log[N];
  static struct cab_block_question asked[N];
  static uint64_t expected[N];
  uint64_t owner[UNITS] = { 0 };
  size_t n = 0, n_asked = 0;
  for (uint64_t time = 1; time <= N; time++)
    {
      uint64_t at = draw (UNITS), units = 1 + draw (8), free_units = 0;
      while (free_units < units && at + free_units < UNITS && !owner[at + free_units])
	free_units++;
      if (draw (2))
	{
	  asked[n_asked] = (struct cab_block_question) { .address = at * 16 + 15, .time = time };
	  expected[n_asked++] = owner[at];
	}
      else if (free_units)
	{
	  log[n++] = (struct cab_block_event) { .time = time, .began = time, .address = at * 16,
						.bytes = free_units * 16, .site = time };
	  for (uint64_t i = at; i < at + free_units; i++)
	    owner[i] = time;
	}
      else if (!at || owner[at - 1] != owner[at])
	{
	  uint64_t site = owner[at];
	  log[n++] = (struct cab_block_event) { .time = time, .began = time, .address = at * 16,
						.released = true };
	  for (uint64_t i = at; i < UNITS && owner[i] == site; i++)
	    owner[i] = 0;
	}
    }
  cab_blocks_answer (log, n, asked, n_asked);
  for (size_t i = 0; i < n_asked; i++)
    {
      CU_ASSERT_EQUAL (asked[i].site, expected[i]);
      CU_ASSERT_EQUAL (asked[i].age, expected[i] ? asked[i].time - expected[i] : 0);
    }
}

static void
test_all_random (void)
{
  for (unsigned i = rounds (300); i; i--)
    test_random ();
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "reused bytes", test_reuse },
			  { "a release that is missing", test_overlap },
			  { "moved blocks", test_moves },
			  { "touched within the call", test_during },
			  { "random logs", test_all_random },
			  CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "heap blocks", tests);
}
