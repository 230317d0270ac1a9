/* test_killed.c - a process that is killed after any of its instructions leaves a state that is
 * sound and exact, for all analyses.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "testsuite/unit/region_events.h"
#include "testsuite/unit/simulated.h"
#include "testsuite/unit/single_step.h"
#include "testsuite/unit/tiled.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_loops.h"
#include "analyses/live/an_reuse.h"
#include "analyses/live/an_sharing.h"
#include "analyses/live/deps/an_deps.h"
#include "analyses/live/join/an_join.h"
#include "analyses/live/an_values.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/cache/an_offenders.h"

/* What a child does: it opens ANALYSIS, if there is nothing yet, and feeds the events E from FROM
   on; or REGIONS; or, after rounds of TILES that nobody watches, their repetition and the rest. */
struct watched
{
  const struct cab_analysis *analysis;
  struct shared *shared;
  const struct events *e;
  size_t from;
  const struct region_events *regions;   /* may be null, as TILES */
  struct tiles *tiles;
};

/* Return true if ARENA, a state of `levels' that has had APPLIED events, those from FROM on in its
   last batch, says of each of the latter what the simulator of traces says. */
static bool
tells_levels (const struct cab_arena *arena, const struct events *e, size_t from, size_t applied)
{
  uint8_t *levels = simulated_levels (e, applied);
  bool good = true;
  for (size_t i = from; i < applied; i++)
    good &= cab_levels_at (arena, i) == levels[i];
  free (levels);
  return good;
}

/* Return true if what is left by then passes check, says exactly how much it holds, and can be
   continued. */
static bool
goes_on (void *argument)
{
  const struct watched *w = argument;
  const struct cab_analysis *analysis = w->analysis;
  const struct shared *shared = w->shared;
  const struct events *e = w->e;
  struct cab_arena arena;
  size_t cap = shared->used > analysis->arena_bytes ? shared->used : analysis->arena_bytes;
  unsigned char *copy = XCNEWVEC (unsigned char, cap);
  memcpy (copy, shared->bytes, shared->used);
  cab_heap_adopt (&arena, copy, cap, shared->used);
  /* The reader of a profile opens a state that the process had not opened yet, with the process'
     arguments. */
  if (shared->used >= 4 && !*(uint32_t *) copy && sound (analysis, &arena))
    {
      cab_heap_fini (&arena);
      open_arena (&arena, analysis);
    }
  bool good = sound (analysis, &arena);
  if (good && analysis->resume)
    analysis->resume (&arena);
  uint64_t said = good ? analysis->applied (&arena) : 0;
  size_t applied = 0;
  if (good && analysis == &cab_cache)
    feed_ahead (&arena, e);
  while (applied < e->n && events_in (analysis, e, applied) < said)
    applied++;
  good = good && events_in (analysis, e, applied) == said
      && (analysis != &cab_levels || tells_levels (&arena, e, w->from, applied));
  /* Of an event of several lines `reuse' and `deps' may have counted some lines already, and go on
     with the next; `sharing' notes its bytes first; in `join' a path takes its accesses one by
     one. */
  good = good
      && (analysis == &cab_reuse || analysis == &cab_deps || analysis == &cab_sharing
	  || analysis == &cab_join || holds (analysis, &arena, e, applied));
  if (good)
    {
      feed (analysis, &arena, e, applied, e->n);
      good = holds (analysis, &arena, e, e->n);
    }
  cab_heap_fini (&arena);
  return good;
}

static void
feed_watched (void *argument)
{
  const struct watched *w = argument;
  const struct cab_analysis *analysis = w->analysis;
  const struct events *e = w->e;
  struct tiles *tiles = w->tiles;
  struct cab_diag diag;
  size_t used = w->shared->used, cap = used > analysis->arena_bytes ? used : analysis->arena_bytes;
  struct cab_arena arena = shared_arena (w->shared, cap);
  struct cab_section_round round;
  if (tiles)
    {
      analysis->open (&arena, arguments_of (analysis), &diag);
      round = feed_tiles (&arena, e, tiles);
      arena.publish (&arena);
    }
  be_watched ();
  if (!w->shared->used)
    analysis->open (&arena, arguments_of (analysis), &diag);
  if (w->regions)
    feed_region_events (&arena, w->regions);
  else if (tiles)
    {
      size_t ahead = tiles_ahead (tiles);
      repeat_tiles (&arena, &round, tiles);
      feed (analysis, &arena, e, ahead, ahead + tiles->ahead);
      cab_cache_ahead_end (&arena);
      feed (analysis, &arena, e, ahead + tiles->ahead, e->n);
    }
  else
    feed (analysis, &arena, e, w->from, e->n);
  _exit (0);
}

/* Return true if what W's child would leave after each of its instructions is good. */
static bool
survives (struct watched w)
{
  return step_through (w.shared, feed_watched, goes_on, &w);
}

/* The first FROM events are fed before the parent watches. */
static void
check_killed (const struct cab_analysis *analysis, size_t n, size_t from, bool shapes)
{
  struct shared *shared = map_shared ();
  struct events e = make_events (n);
  struct cab_arena arena = shared_arena (shared, analysis->arena_bytes);
  if (shapes)
    make_shapes (&e, 3);
  CU_ASSERT_FATAL (shared != NULL);
  if (from)
    {
      struct cab_diag diag;
      analysis->open (&arena, arguments_of (analysis), &diag);
      feed (analysis, &arena, &e, 0, from);
      shared->used = arena.used;
    }
  bool good = survives ((struct watched) { analysis, shared, &e, from, NULL, NULL });
  if (!good)
    printf ("%s: %zu events, the first %zu unwatched\n", analysis->name, n, from);
  CU_ASSERT (good);
  free_events (&e);
  unmap_shared (shared);
}

static void
test_killed (void)
{
  for (int round = 0; round < 2; round++)
    for (int a = 0; cab_analyses[a]; a++)
      {
	/* An event of these may be of many lines. */
	bool many = cab_analyses[a] == &cab_reuse || cab_analyses[a] == &cab_deps;
	size_t n = many ? 4 : 10;
	check_killed (cab_analyses[a], n, round ? draw (n - 1) : 0, false);
	if (cab_analyses[a]->wants & CAB_WANTS_SHAPES)
	  check_killed (cab_analyses[a], 10, round ? draw (9) : 0, true);
      }
}

/* Caches of other models, and rows of many lines. */
static void
test_killed_caches (void)
{
  static const char *const arguments[] = {
    "D1=128/2/32:LL=512/2/16:model=cachegrind", "D1=192/3/16:L2=256/2/32:LL=256/1/64",
    "D1=128/2/16:LL=192/3/32:model=inclusive",	"D1=128/2/32:LL=256/2/32:model=cachegrind",
    "D1=2K/8/64:LL=4K/16/64:model=cachegrind",	"D1=3K/12/64:LL=6K/16/64:model=cachegrind"
  };
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
    {
      cache_arguments = arguments[i];
      check_killed (&cab_cache, 20, 14, false);
      check_killed (&cab_offenders, 20, 14, false);
      check_killed (&cab_levels, 20, 14, false);
    }
}

/* Events of regions, the first of which are fed before the parent watches: the continued state gets
   rows. */
static void
test_killed_regions (void)
{
  static const char *const arguments[] = { "D1=256/2/64:LL=512/4/64",
					   "D1=128/1/32:LL=256/2/32:model=inclusive",
					   "D1=2K/8/64:LL=4K/4/64:model=cachegrind",
					   "D1=3K/12/64:LL=4K/4/64:model=cachegrind" };
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
    {
      struct shared *shared = map_shared ();
      struct region_events e = make_region_events (3, false);
      CU_ASSERT_FATAL (shared != NULL);
      cache_arguments = arguments[i];
      CU_ASSERT (survives ((struct watched) { &cab_cache, shared, &e.rows, 0, &e, NULL }));
      free_region_events (&e);
      unmap_shared (shared);
    }
}

/* Repeated rounds, the first of which are fed, and others counted; then part of one that is kept as
   words until it is fed. */
static void
test_killed_rounds (void)
{
  static const char *const arguments[] = { "D1=512/2/64:LL=2K/4/64:model=cachegrind",
					   "D1=192/3/16:L2=256/2/32:LL=256/1/64",
					   "D1=2K/8/64:LL=4K/4/64:model=non-inclusive" };
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
    {
      struct shared *shared = map_shared ();
      struct tiles tiles = { .before = 2,
			     .round = 4,
			     .fed = i == 0 || i == 2 ? 3 : 4,
			     .again = 3,
			     .ahead = 2,
			     .behind = 2 };
      struct events e = make_tiles (&tiles);
      CU_ASSERT_FATAL (shared != NULL);
      cache_arguments = arguments[i];
      CU_ASSERT (survives ((struct watched) { &cab_cache, shared, &e, 0, NULL, &tiles }));
      free_events (&e);
      unmap_shared (shared);
    }
}

/* A child that calls begin_thread; afterwards the state goes on with E and has the rows WANT. */
struct beginning
{
  const struct cab_analysis *analysis;
  struct shared *shared;
  const struct events *e;
  uint64_t before;             /* events that it has applied */
  const struct rows *want;
};

static void
begin_watched (void *argument)
{
  const struct beginning *b = argument;
  struct cab_arena arena = shared_arena (b->shared, SHARED_BYTES);
  be_watched ();
  b->analysis->begin_thread (&arena, 1);
  _exit (0);
}

/* Return true if what is left by then holds what it held; restarted, it goes on with its events,
   and then has as many as are wanted, and their rows. */
static bool
begins_anew (void *argument)
{
  const struct beginning *b = argument;
  const struct cab_analysis *analysis = b->analysis;
  const struct shared *shared = b->shared;
  const struct events *e = b->e;
  struct cab_arena arena;
  unsigned char *copy = xmalloc (shared->used);
  memcpy (copy, shared->bytes, shared->used);
  cab_heap_adopt (&arena, copy, shared->used, shared->used);
  bool good = sound (analysis, &arena);
  if (good && analysis->resume)
    analysis->resume (&arena);
  good = good && analysis->applied (&arena) == b->before;
  if (good)
    {
      analysis->begin_thread (&arena, 1);
      feed (analysis, &arena, e, 0, e->n);
      struct rows got = rows_of (analysis, &arena);
      good = equal (&got, b->want) && sound (analysis, &arena)
	  && analysis->applied (&arena) == b->before + e->n;
      free (got.row);
    }
  cab_heap_fini (&arena);
  return good;
}

/* Return true if what a child would leave after each instruction of begin_thread is good. */
static bool
begins (const struct cab_analysis *analysis, struct shared *shared, const struct events *e,
	const struct rows *want)
{
  struct cab_arena arena = shared_arena (shared, shared->used);
  struct beginning b = { analysis, shared, e, analysis->applied (&arena), want };
  return begins_anew (&b) && step_through (shared, begin_watched, begins_anew, &b);
}

/* Give SHARED the state of ANALYSIS that events E give. */
static struct cab_arena
fill (const struct cab_analysis *analysis, struct shared *shared, const struct events *e)
{
  struct cab_diag diag;
  struct cab_arena arena = shared_arena (shared, analysis->arena_bytes);
  memset (shared->bytes, 0, shared->used);
  analysis->open (&arena, arguments_of (analysis), &diag);
  feed (analysis, &arena, e, 0, e->n);
  shared->used = arena.used;
  return arena;
}

/* The process is killed while a state passes from thread 0 to thread 1. */
static void
check_killed_between (const struct cab_analysis *analysis)
{
  struct shared *shared = map_shared ();
  struct events e = make_events (60), f = make_events (60);
  CU_ASSERT_FATAL (shared != NULL);
  struct cab_arena arena = fill (analysis, shared, &e);
  feeding_thread = 1;
  analysis->begin_thread (&arena, 1);
  feed (analysis, &arena, &f, 0, f.n);
  shared->used = arena.used;
  struct rows want = rows_of (analysis, &arena);
  feeding_thread = 0;
  fill (analysis, shared, &e);
  feeding_thread = 1;
  bool good = begins (analysis, shared, &f, &want);
  feeding_thread = 0;
  if (!good)
    printf ("%s: killed while a thread begins\n", analysis->name);
  CU_ASSERT (good);
  free (want.row);
  free_events (&e);
  free_events (&f);
  unmap_shared (shared);
}

static void
test_killed_between_threads (void)
{
  for (int a = 0; cab_analyses[a]; a++)
    if (cab_analyses[a]->begin_thread)
      check_killed_between (cab_analyses[a]);
}

/* A place has more values than its table has room for: values leave, and the part that is cleared
   is cleared. */
static void
test_killed_values (void)
{
  struct shared *shared = map_shared ();
  struct events e = make_events (60);
  struct cab_arena arena = shared_arena (shared, cab_values.arena_bytes);
  struct cab_diag diag;
  size_t from = VALUE_PLACES - 1;
  CU_ASSERT_FATAL (shared != NULL);
  for (size_t i = 0; i < e.n; i++)
    {
      e.site[i] = 1;
      e.value_type[i] = CAB_VALUE_SIGNED;
      e.value[i] = i < from ? i : draw (3) ? draw (4) : draw (30);
    }
  cab_values.open (&arena, arguments_of (&cab_values), &diag);
  feed (&cab_values, &arena, &e, 0, from);
  shared->used = arena.used;
  CU_ASSERT (survives ((struct watched) { &cab_values, shared, &e, from, NULL, NULL }));
  free_events (&e);
  unmap_shared (shared);
}

static size_t
n_places (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct cab_calls_row call;
  struct cab_loops_row loop;
  size_t n = 0;
  for (uint64_t cursor = 0; analysis == &cab_calls && cab_calls_next (arena, &cursor, &call);)
    n++;
  for (uint64_t cursor = 0; analysis == &cab_loops && cab_loops_next (arena, &cursor, &loop);)
    n++;
  return n;
}

/* The first FROM events fill as many PLACES as the table takes before it moves. */
static void
check_killed_while_growing (const struct cab_analysis *analysis, size_t places)
{
  uint64_t start = seed;
  size_t from = 0;
  struct events e = make_events (6000);
  struct cab_arena arena;
  open_arena (&arena, analysis);
  while (n_places (analysis, &arena) < places && from < e.n)
    {
      feed (analysis, &arena, &e, from, from + 1);
      from++;
    }
  cab_heap_fini (&arena);
  free_events (&e);
  seed = start;
  check_killed (analysis, from + 4, from, false);
}

/* The tree is left out: its tables move in the same way (space.h), in five times as many
   instructions. */
static void
test_killed_while_growing (void)
{
  check_killed_while_growing (&cab_calls, 512);
  check_killed_while_growing (&cab_loops, 64);
}

/* Use one processor from now on: to wake another one for each instruction takes longer than a
   switch. */
static void
stay_here (void)
{
  cpu_set_t here;
  CPU_ZERO (&here);
  CPU_SET (sched_getcpu (), &here);
  sched_setaffinity (0, sizeof here, &here);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "killed at any instruction", test_killed },
    { "killed at any instruction: caches", test_killed_caches },
    { "killed at any instruction: regions", test_killed_regions },
    { "killed at any instruction: rounds", test_killed_rounds },
    { "killed at any instruction: values", test_killed_values },
    { "killed while a table grows", test_killed_while_growing },
    { "killed while a thread begins", test_killed_between_threads },
    CU_TEST_INFO_NULL
  };
  stay_here ();
  return run_seeded (argc, argv, "killed", tests);
}
