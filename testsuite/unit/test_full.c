/* test_full.c - each table of each analysis' state, at the moment when it finds no room.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Method:     A run without bounds lists where in the arena each table ends.  Then there is one run
 *             for each of these, with an arena that is one byte too small for that table: all
 *             tables before it fit, and later ones where they are small enough.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_blocks.h"
#include "analyses/live/an_loops.h"
#include "analyses/live/an_sharing.h"
#include "analyses/live/foreign_access.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/join/an_join.h"
#include "analyses/live/cache/an_offenders.h"
#include "analyses/live/deps/an_deps.h"
#include "testsuite/unit/analysis_events.h"
#include "testsuite/unit/region_events.h"

#define MOST_TABLES 400

/* The most bytes that arenas may have. */
static size_t limit;
/* Where tables ended in a run without a limit. */
static size_t ends[MOST_TABLES];
static int n_ends;
/* Tables that were tried: an analysis may have none. */
static int n_tables;

static int
grow_within (struct cab_arena *arena, size_t cap)
{
  unsigned char *base = cap > limit ? NULL : realloc (arena->base, cap);
  if (!base)
    return -1;
  memset (base + arena->cap, 0, cap - arena->cap);
  arena->base = base;
  arena->cap = cap;
  return 0;
}

static void
note_end (struct cab_arena *arena)
{
  if (n_ends < MOST_TABLES)
    ends[n_ends++] = arena->used;
}

/* Open ARENA with no more bytes than the open state needs, so that each table has to ask. */
static void
open_tight (struct cab_arena *arena, const struct cab_analysis *analysis)
{
  struct cab_diag diag = { "" };
  open_arena (arena, analysis);
  arena->cap = arena->used;
  arena->grow = grow_within;
  CU_ASSERT (analysis->check (arena, &diag) == 0);
}

/* Return true if each row of BEFORE is in AFTER, with at least its count. */
static bool
still_there (const struct rows *before, const struct rows *after)
{
  size_t k = 0;
  for (size_t i = 0; i < before->n; i++)
    {
      while (k < after->n && after->row[k].key < before->row[i].key)
	k++;
      if (k == after->n || after->row[k].key != before->row[i].key
	  || after->row[k].count < before->row[i].count)
	return false;
    }
  return true;
}

/* Return true if all numbers of ANALYSIS' rows only grow.  Rows of `sharing' are keyed by sets of
   bytes; `blocks' has bytes that live, `loops' executions that are about to end; values may leave
   tables; what `join' holds may find no room when its path ends. */
static bool
only_grows (const struct cab_analysis *analysis)
{
  return analysis != &cab_sharing && analysis != &cab_blocks && analysis != &cab_loops
      && analysis != &cab_values && analysis != &cab_join;
}

/* Feed two threads' events, one after the other, in pieces.  What was counted before the first
   loss stays. */
static void
feed_all (const struct cab_analysis *analysis, struct cab_arena *arena, const struct events *e)
{
  size_t half = e->n / 2, piece = e->n / 10;
  struct rows before = { 0 };
  for (size_t at = 0; at < e->n; at += piece)
    {
      if (at == half && analysis->begin_thread)
	analysis->begin_thread (arena, 1);
      feeding_thread = at >= half;
      if (analysis->lost (arena) == 0)
	{
	  free (before.row);
	  before = rows_of (analysis, arena);
	}
      feed (analysis, arena, e, at, at + piece);
    }
  feeding_thread = 0;
  struct rows after = rows_of (analysis, arena);
  if (only_grows (analysis))
    CU_ASSERT (still_there (&before, &after));
  free (before.row);
  free (after.row);
}

static uint64_t
had (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  return analysis->applied (arena) + analysis->lost (arena);
}

/* The state in ARENA is read as from a file, and merged. */
static void
check_saved (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct cab_arena copy, into;
  struct cab_diag diag = { "" };
  cab_heap_adopt (&copy, xmemdup (arena->base, arena->used, arena->used), arena->used,
		  arena->used);
  CU_ASSERT_FATAL (sound (analysis, &copy));
  if (analysis->resume)
    analysis->resume (&copy);
  open_arena (&into, analysis);
  CU_ASSERT_EQUAL (analysis->merge (&into, &copy, NULL, &diag), 0);
  CU_ASSERT_EQUAL (had (analysis, &into), had (analysis, arena));
  CU_ASSERT_EQUAL (analysis->lost (&into), analysis->lost (arena));
  CU_ASSERT (sound (analysis, &into));
  cab_heap_fini (&copy);
  cab_heap_fini (&into);
}

/* FROM is merged, and carried, into arenas of LIMIT bytes. */
static void
check_into (const struct cab_analysis *analysis, const struct cab_arena *from)
{
  struct cab_arena into;
  struct cab_diag diag = { "" };
  open_tight (&into, analysis);
  if (analysis->merge (&into, from, NULL, &diag) == 0)
    {
      if (had (analysis, &into) != had (analysis, from))
	printf ("%s: merged into %zu bytes: %ju rows of %ju\n", analysis->name, limit,
		(uintmax_t) had (analysis, &into), (uintmax_t) had (analysis, from));
      CU_ASSERT_EQUAL (had (analysis, &into), had (analysis, from));
    }
  else
    CU_ASSERT (diag.text[0] != '\0');
  CU_ASSERT (sound (analysis, &into));
  cab_heap_fini (&into);
  if (!analysis->carry)
    return;
  open_tight (&into, analysis);
  analysis->carry (&into, from, 0);
  CU_ASSERT_EQUAL (had (analysis, &into), 0);
  CU_ASSERT (sound (analysis, &into));
  cab_heap_fini (&into);
}

/* The table that ends at END finds no room. */
static void
check_full (const struct cab_analysis *analysis, const struct events *e, size_t end,
	    const struct cab_arena *whole)
{
  struct cab_arena arena;
  uint64_t fed = events_in (analysis, e, e->n);
  limit = end - 1;
  open_tight (&arena, analysis);
  feed_all (analysis, &arena, e);
  if (had (analysis, &arena) != fed)
    printf ("%s: %zu bytes: %ju rows of %ju\n", analysis->name, limit,
	    (uintmax_t) had (analysis, &arena), (uintmax_t) fed);
  CU_ASSERT_EQUAL (had (analysis, &arena), fed);
  /* Without a table of foreign accesses `blocks' counts accesses to no block; `values' keeps the
     tables of ended threads where they are; which tables `deps' has hangs on how batches are
     cut. */
  CU_ASSERT (analysis->lost (&arena) > 0 || analysis == &cab_blocks || analysis == &cab_values
	     || analysis == &cab_deps);
  CU_ASSERT (arena.used <= limit);
  CU_ASSERT (sound (analysis, &arena));
  check_saved (analysis, &arena);
  check_into (analysis, whole);
  /* Where there is room again, it goes on. */
  limit = SIZE_MAX;
  uint64_t lost = analysis->lost (&arena);
  feed (analysis, &arena, e, 0, e->n);
  CU_ASSERT_EQUAL (had (analysis, &arena), 2 * fed);
  CU_ASSERT_EQUAL (analysis->lost (&arena), lost);
  CU_ASSERT (sound (analysis, &arena));
  cab_heap_fini (&arena);
}

static void
check_analysis (const struct cab_analysis *analysis, const struct events *e)
{
  struct cab_arena whole;
  limit = SIZE_MAX;
  n_ends = 0;
  open_tight (&whole, analysis);
  whole.publish = note_end;
  feed_all (analysis, &whole, e);
  whole.publish = NULL;
  CU_ASSERT (n_ends < MOST_TABLES);
  n_tables += n_ends;
  CU_ASSERT_EQUAL (analysis->lost (&whole), 0);
  for (int i = 0; i < n_ends; i++)
    check_full (analysis, e, ends[i], &whole);
  cab_heap_fini (&whole);
}

static void
test_rows (void)
{
  for (int a = 0; cab_analyses[a]; a++)
    {
      struct events e = make_events (3000);
      check_analysis (cab_analyses[a], &e);
      free_events (&e);
    }
  CU_ASSERT (n_tables > 50);
}

static void
test_shapes (void)
{
  struct events e = make_events (3000);
  make_shapes (&e, 1000);
  check_analysis (&cab_accesses, &e);
  free_events (&e);
}

/* Passes through regions, which `cache' counts by tables of their own. */
static void
test_regions (void)
{
  struct region_events e = make_region_events (200, false);
  struct cab_arena whole, arena;
  int n = 0;
  limit = SIZE_MAX;
  n_ends = 0;
  open_tight (&whole, &cab_cache);
  whole.publish = note_end;
  feed_region_events (&whole, &e);
  for (; n < n_ends; n++)
    {
      limit = ends[n] - 1;
      open_tight (&arena, &cab_cache);
      feed_region_events (&arena, &e);
      CU_ASSERT_EQUAL (had (&cab_cache, &arena), had (&cab_cache, &whole));
      CU_ASSERT (sound (&cab_cache, &arena));
      check_saved (&cab_cache, &arena);
      cab_heap_fini (&arena);
    }
  CU_ASSERT (n >= 6);   /* journal, recent lines, tags; tallies, members, passes */
  cab_heap_fini (&whole);
  free_region_events (&e);
}

/* Where the map of live blocks is full a new block is lost.  A release is not, and makes room. */
static void
test_releases (void)
{
  static const struct cab_analysis *const with_map[] = { &cab_blocks, &cab_offenders,
							 &cab_sharing, &cab_join };
  enum { N = 4000 };
  struct events e = make_events (2 * N);
  for (size_t i = 0; i < e.n; i++)
    {
      e.access_form[i] = i < N ? CAB_ROW_ALLOCATED : CAB_ROW_RELEASED;
      e.address[i] = 4096 + i % N * 64;
      e.bytes[i] = 64;
      e.site[i] = 1;
      e.depth[i] = 0;
    }
  for (int a = 0; a < 4; a++)
    {
      struct cab_arena arena;
      limit = 200000;
      open_tight (&arena, with_map[a]);
      feed (with_map[a], &arena, &e, 0, N);
      uint64_t lost = with_map[a]->lost (&arena);
      CU_ASSERT (lost > 0 && lost < N);
      feed (with_map[a], &arena, &e, N, 2 * N);
      CU_ASSERT_EQUAL (with_map[a]->lost (&arena), lost);
      feed (with_map[a], &arena, &e, 0, N - lost);
      CU_ASSERT_EQUAL (with_map[a]->lost (&arena), lost);
      CU_ASSERT_EQUAL (had (with_map[a], &arena), 3 * N - lost);
      cab_heap_fini (&arena);
    }
  free_events (&e);
}

/* Return how many rows of foreign accesses the state of `blocks' in ARENA has: of places if PLACES,
   else of blocks. */
static uint32_t
foreign (const struct cab_arena *arena, bool places)
{
  struct cab_foreign_access row;
  uint32_t n = 0;
  for (uint64_t cursor = 0; cab_blocks_foreign (arena, &cursor, &row);)
    n += places == !row.site;
  return n;
}

/* Feed N rows of FORM of 16 bytes each, side by side from ADDRESS on. */
static void
feed_places (struct cab_arena *arena, uint8_t form, uint64_t address, size_t n)
{
  enum { PIECE = 1 << 14 };
  struct events e = make_events (PIECE);
  for (size_t at = 0; at < n; at += PIECE)
    {
      for (size_t i = 0; i < PIECE; i++)
	{
	  e.access_form[i] = form;
	  e.address[i] = address + (at + i) * 16;
	  e.bytes[i] = 16;
	  e.site[i] = 1;
	  e.depth[i] = 0;
	}
      feed (&cab_blocks, arena, &e, 0, n - at < PIECE ? n - at : PIECE);
    }
  free_events (&e);
}

/* The table of foreign accesses has a bound of its own for each kind of row: later places count for
   no block, and later blocks are no one else's. */
static void
test_foreign (void)
{
  enum { MORE = 100 };
  struct cab_arena arena;
  limit = SIZE_MAX;
  open_tight (&arena, &cab_blocks);
  feed_places (&arena, CAB_ROW_ALLOCATED, 4096, CAB_FOREIGN_MOST_HOMES + MORE);
  CU_ASSERT_EQUAL (foreign (&arena, false), CAB_FOREIGN_MOST_HOMES);
  feed_places (&arena, CAB_ROW_READ, UINT64_C (1) << 40, CAB_FOREIGN_MOST + MORE);
  CU_ASSERT_EQUAL (foreign (&arena, true), CAB_FOREIGN_MOST);
  CU_ASSERT_EQUAL (cab_blocks.lost (&arena), 0);
  CU_ASSERT_EQUAL (cab_blocks.applied (&arena),
		   CAB_FOREIGN_MOST_HOMES + CAB_FOREIGN_MOST + 2 * MORE);
  CU_ASSERT (sound (&cab_blocks, &arena));
  cab_heap_fini (&arena);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "each table, events as rows", test_rows },
			  { "each table, events as shapes", test_shapes },
			  { "each table, passes through regions", test_regions },
			  { "releases where there is no room", test_releases },
			  { "rows of strangers", test_foreign },
			  CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "full", tests);
}
