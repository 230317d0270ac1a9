/* test_killed_stretches.c - a process that is killed after any of its instructions leaves a state
 * of `deps' that goes on with the stretch that was cut off.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/deps/an_deps.h"
#include "testsuite/unit/deps_rows.h"
#include "testsuite/unit/single_step.h"
#include "testsuite/unit/stretch_rows.h"

static struct rows
rows_in (const struct cab_arena *arena)
{
  struct rows rows = { 0 };
  rows_of_deps (&rows, arena);
  tidy (&rows);
  return rows;
}

/* A child that feeds ROWS from FROM on, and what they come to. */
struct watched
{
  struct shared *shared;
  const struct stretch_rows *rows;
  uint32_t from;
  const struct rows *want;
};

/* Return true if what is left by then can be continued, and is then as wanted. */
static bool
goes_on (void *argument)
{
  const struct watched *w = argument;
  const struct shared *shared = w->shared;
  const struct stretch_rows *rows = w->rows;
  struct cab_arena arena;
  struct cab_diag diag = { "" };
  size_t cap = shared->used + (1u << 20);
  unsigned char *copy = XCNEWVEC (unsigned char, cap);
  memcpy (copy, shared->bytes, shared->used);
  cab_heap_adopt (&arena, copy, cap, shared->used);
  bool good = cab_deps.check (&arena, &diag) == 0;
  if (good)
    cab_deps.resume (&arena);
  uint64_t said = good ? cab_deps.applied (&arena) + cab_deps.lost (&arena) : 0;
  uint32_t had = 0;
  while (had < rows->n && stretch_events (rows, had) < said)
    had = stretch_end (rows, had);
  good = good && stretch_events (rows, had) == said;
  if (good)
    {
      feed_stretch_rows (&cab_deps, &arena, rows, had, rows->n, false);
      struct rows got = rows_in (&arena);
      good = equal (&got, w->want)
	  && cab_deps.applied (&arena) + cab_deps.lost (&arena) == stretch_events (rows, rows->n);
      free (got.row);
    }
  cab_heap_fini (&arena);
  return good;
}

static void
feed_watched (void *argument)
{
  const struct watched *w = argument;
  struct cab_arena arena = shared_arena (w->shared, SHARED_BYTES);
  cab_deps.open (&arena, "", NULL);
  feed_stretch_rows (&cab_deps, &arena, w->rows, 0, w->from, false);
  w->shared->used = arena.used;
  be_watched ();
  feed_stretch_rows (&cab_deps, &arena, w->rows, w->from, w->rows->n, false);
  _exit (0);
}

/* Kill the process in the last rows, with a stretch among them. */
static void
test_killed (void)
{
  for (unsigned i = 0; i < rounds (6); i++)
    {
      struct shared *shared = map_shared ();
      struct stretch_rows rows = make_stretch_rows (60 + draw (60), 40);
      struct cab_arena arena;
      uint32_t last = rows.n, at = 0, end;
      CU_ASSERT_FATAL (shared != NULL);
      rows.n_parts = i % 2 ? 3 : 0;   /* then the state has the pages of one part */
      rows.part = i % 2 ? draw (3) : 0;
      for (; at < rows.n; at = end)
	{
	  end = stretch_end (&rows, at);
	  last = end - at > 2 && rows.times[at] > 10 ? at : last;
	}
      rows.n = last < rows.n ? stretch_end (&rows, last) : rows.n;
      cab_heap_open (&arena, &cab_deps);
      feed_stretch_rows (&cab_deps, &arena, &rows, 0, rows.n, false);
      struct rows want = rows_in (&arena);
      struct watched w = { shared, &rows, last < rows.n ? last : 0, &want };
      CU_ASSERT (step_through (shared, feed_watched, goes_on, &w));
      free (want.row);
      cab_heap_fini (&arena);
      free_stretch_rows (&rows);
      unmap_shared (shared);
    }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "killed in stretches", test_killed }, CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "killed stretches", tests);
}
