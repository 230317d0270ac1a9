/* test_deps_parts.c - states of `deps' that have the pages of memory among them say together what
 * one state says, whatever their number, with stretches and without.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/base/heap.h"
#include "analyses/live/deps/an_deps.h"
#include "analyses/wire/keyed.h"
#include "testsuite/unit/deps_rows.h"
#include "testsuite/unit/stretch_rows.h"

static struct
{
  uint32_t n;
  struct cab_arena part[CAB_KEYED_PARTS];
  uint64_t fed[CAB_KEYED_PARTS];
  struct cab_keyed_rows rows[CAB_KEYED_PARTS];
  struct cab_keyed_split split;
} to;

static void
flush (uint32_t p)
{
  struct cab_batch *batch = &to.rows[p].batch;
  if (batch->n)
    cab_deps.feed (&to.part[p], batch, NULL);
  to.fed[p] += cab_batch_events (batch);
  batch->n = 0;
}

static struct cab_keyed_rows *
room (void *host, uint32_t p, const struct cab_batch *batch, uint32_t n)
{
  (void) host;
  CU_ASSERT (p < to.n && n && n <= CAB_KEYED_ROWS);
  if (to.rows[p].batch.n && cab_keyed_fits (&to.rows[p], batch, n))
    return &to.rows[p];
  flush (p);
  cab_keyed_begin (&to.rows[p], batch);
  return &to.rows[p];
}

static void
feed_parts (struct cab_arena *arena, const struct cab_batch *batch,
	    const struct cab_functions *functions)
{
  const struct cab_keyed_host host = { NULL, room };
  (void) arena, (void) functions;
  cab_keyed_rows (&to.split, &cab_deps, batch, to.n, &host);
}

/* Return the rows of WHOLE, or of the parts that are merged. */
static struct rows
merged_rows (struct cab_arena *whole, uint32_t n)
{
  struct cab_arena all;
  struct cab_diag diag;
  struct rows rows = { 0 };
  cab_heap_open (&all, &cab_deps);
  for (uint32_t p = 0; p < n; p++)
    CU_ASSERT_EQUAL (cab_deps.merge (&all, whole + p, NULL, &diag), 0);
  rows_of_deps (&rows, &all);
  tidy (&rows);
  CU_ASSERT_EQUAL (cab_deps_cut (&all), 0);
  cab_heap_fini (&all);
  return rows;
}

/* Feed ROWS to one state, and to N parts, as they are or iteration by iteration. */
static void
compare (const struct stretch_rows *rows, uint32_t n, bool singly)
{
  struct cab_analysis stand_in = { .feed = feed_parts };
  struct cab_arena whole;
  struct cab_diag diag = { "" };
  to.n = n;
  memset (to.fed, 0, sizeof to.fed);
  cab_heap_open (&whole, &cab_deps);
  for (uint32_t p = 0; p < n; p++)
    cab_heap_open (&to.part[p], &cab_deps);
  for (uint32_t from = 0, end; from < rows->n; from = end)
    {
      end = from;
      for (uint64_t most = 1 + draw (40); most && end < rows->n; most--)
	end = stretch_end (rows, end);
      feed_stretch_rows (&cab_deps, &whole, rows, from, end, false);
      feed_stretch_rows (&stand_in, NULL, rows, from, end, singly);
    }
  for (uint32_t p = 0; p < n; p++)
    {
      flush (p);
      CU_ASSERT_EQUAL (cab_deps.check (&to.part[p], &diag), 0);
      CU_ASSERT_EQUAL (cab_deps.lost (&to.part[p]), 0);
      CU_ASSERT_EQUAL (cab_deps.applied (&to.part[p]), to.fed[p]);
    }
  struct rows want = merged_rows (&whole, 1), got = merged_rows (to.part, n);
  CU_ASSERT (equal (&want, &got));
  free (want.row);
  free (got.row);
  for (uint32_t p = 0; p < n; p++)
    cab_heap_fini (&to.part[p]);
  cab_heap_fini (&whole);
}

static void
check_parts (uint32_t n_rows, uint64_t times, bool singly)
{
  static const uint8_t parts[] = { 1, 2, 3, 4, 8 };
  uint32_t n = draw (6);
  struct stretch_rows rows = make_stretch_rows (n_rows, times);
  compare (&rows, n < 5 ? parts[n] : 1 + draw (CAB_KEYED_PARTS), singly);
  free_stretch_rows (&rows);
}

static void
test_short (void)
{
  for (unsigned i = 0; i < rounds (600); i++)
    check_parts (20 + draw (300), 60, i % 2);
}

/* Stretches that go through many pages. */
static void
test_long (void)
{
  for (unsigned i = 0; i < rounds (30); i++)
    check_parts (100, 20000, false);
}

/* A stretch of more accesses than a piece has rows, which is given iteration by iteration. */
static void
test_wide (void)
{
  enum { WIDE = CAB_KEYED_ROWS + 30 };
  static uint8_t form[WIDE + 1] = { CAB_ROW_BEGINS, CAB_ROW_ITERATES };
  static uint32_t site[WIDE + 1];
  static uint64_t address[WIDE + 1], other[WIDE + 1], bytes[WIDE + 1], times[WIDE + 1],
    step[WIDE + 1];
  struct stretch_rows rows = { WIDE + 1, WIDE + 1, form, site, address, other, bytes, times, step,
			       0, 0 };
  for (uint32_t i = 0; i <= WIDE; i++)
    {
      site[i] = i < 2 ? 7 : i;
      times[i] = i ? 9 : 0;
      if (i < 2)
	continue;
      form[i] = 1 + i % 2;
      address[i] = 0x10000 + 40 * i;
      bytes[i] = 8;
      step[i] = i % 3 ? 40 : 4096;
    }
  compare (&rows, 4, false);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "stretches", test_short },
			  { "long stretches", test_long },
			  { "wide stretches", test_wide },
			  CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "deps in parts", tests);
}
