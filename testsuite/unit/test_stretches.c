/* test_stretches.c - `deps' finds in stretches of iterations what it finds in the same iterations
 * one by one.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/base/heap.h"
#include "analyses/live/deps/an_deps.h"
#include "testsuite/unit/deps_rows.h"
#include "testsuite/unit/stretch_rows.h"

/* Return true if the states A and B have the same rows. */
static bool
same_rows (const struct cab_arena *a, const struct cab_arena *b)
{
  struct rows of_a = { 0 }, of_b = { 0 };
  rows_of_deps (&of_a, a);
  rows_of_deps (&of_b, b);
  tidy (&of_a);
  tidy (&of_b);
  bool good = equal (&of_a, &of_b);
  free (of_a.row);
  free (of_b.row);
  return good;
}

/* Return true if ARENA says that it has had all of the first N of ROWS. */
static bool
has_all (const struct cab_arena *arena, const struct stretch_rows *rows, uint32_t n)
{
  struct cab_diag diag = { "" };
  bool good = cab_deps.check (arena, &diag) == 0
	   && cab_deps.applied (arena) + cab_deps.lost (arena) == stretch_events (rows, n);
  if (*diag.text)
    printf ("%s\n", diag.text);
  return good;
}

static void
check_stretches (uint32_t n, uint64_t times)
{
  struct stretch_rows rows = make_stretch_rows (n, times);
  struct cab_arena whole, single;
  cab_heap_open (&whole, &cab_deps);
  cab_heap_open (&single, &cab_deps);
  bool good = true;
  for (uint32_t from = 0, to; good && from < rows.n; from = to)
    {
      to = from;
      for (uint64_t most = 1 + draw (20); most && to < rows.n; most--)
	to = stretch_end (&rows, to);
      feed_stretch_rows (&cab_deps, &whole, &rows, from, to, false);
      feed_stretch_rows (&cab_deps, &single, &rows, from, to, true);
      good = has_all (&whole, &rows, to) && cab_deps.lost (&whole) == 0
	  && has_all (&single, &rows, to) && same_rows (&whole, &single);
    }
  CU_ASSERT (good);
  cab_heap_fini (&whole);
  cab_heap_fini (&single);
  free_stretch_rows (&rows);
}

static void
test_short (void)
{
  for (unsigned i = 0; i < rounds (900); i++)
    check_stretches (20 + draw (200), 60);
}

/* Stretches of several changes. */
static void
test_long (void)
{
  for (unsigned i = 0; i < rounds (15); i++)
    check_stretches (100, 20000);
}

static int
refuse (struct cab_arena *arena, size_t cap)
{
  (void) arena;
  (void) cap;
  return -1;
}

/* A state that cannot grow, or has its limit, loses events, and counts them. */
static void
test_no_room (void)
{
  for (unsigned i = 0; i < rounds (60); i++)
    {
      struct stretch_rows rows = make_stretch_rows (200, 2000);
      struct cab_arena arena;
      cab_heap_open_with (&arena, &cab_deps, i % 2 ? "memory=65536" : "", NULL);
      int (*grow) (struct cab_arena *, size_t) = arena.grow;
      uint32_t from = stretch_end (&rows, 0);
      feed_stretch_rows (&cab_deps, &arena, &rows, 0, from, false);
      if (i % 2 == 0)
	arena.grow = refuse, arena.cap = arena.used + draw (30000);
      feed_stretch_rows (&cab_deps, &arena, &rows, from, rows.n, false);
      CU_ASSERT (has_all (&arena, &rows, rows.n));
      arena.grow = grow;
      cab_heap_fini (&arena);
      free_stretch_rows (&rows);
    }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "stretches", test_short },
			  { "long stretches", test_long },
			  { "no room", test_no_room },
			  CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "stretches", tests);
}
