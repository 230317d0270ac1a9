/* test_analyses.c - the laws of analysis.h, for all analyses of the registry.
 * LINK: analyses/registry.c analyses/states.c analyses/an_methods.c analyses/an_calls.c analyses/an_tree.c analyses/an_paths.c analyses/an_loops.c analyses/an_accesses.c analyses/an_values.c analyses/an_blocks.c analyses/an_contexts.c analyses/an_reuse.c analyses/an_sharing.c analyses/lru.c analyses/an_cache.c analyses/cache_commit.c analyses/cache_cut.c analyses/cache_feed.c analyses/cache_rounds.c analyses/cache_section.c analyses/cache_streams.c analyses/section_d1.c analyses/an_offenders.c analyses/simulate.c analyses/live_caches.c analyses/live_steps.c analyses/cache_arguments.c analyses/host_caches.c analyses/choice.c analyses/cachesim_geometry.c analyses/cachesim.c analyses/cachesim_cachegrind.c analyses/cachesim_levels.c analyses/blocks.c analyses/strangers.c analyses/undo.c analyses/heap.c testsuite/unit/analysis_events.c testsuite/unit/analysis_rows.c testsuite/unit/state_rows.c testsuite/unit/value_rows.c testsuite/unit/region_events.c testsuite/unit/section_feed.c testsuite/unit/tiled.c analyses/regions.c analyses/regions_nest.c analyses/regions_shape.c analyses/record_line.c analyses/nest.c rt/expand.c rt/expand_part.c testsuite/unit/seeded.c */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/cache_arguments.h"
#include "analyses/heap.h"
#include "testsuite/unit/region_events.h"
#include "testsuite/unit/tiled.h"

static void
test_feed (void)
{
  for (int round = 0; round < 40; round++)
    {
      struct events e = make_events (draw (6000));
      for (int a = 0; cab_analyses[a]; a++)
	{
	  struct cab_arena arena;
	  open_arena (&arena, cab_analyses[a]);
	  CU_ASSERT (sound (cab_analyses[a], &arena));
	  for (size_t at = 0, to; at < e.n; at = to)
	    {
	      to = at + 1 + draw (e.n - at);
	      feed (cab_analyses[a], &arena, &e, at, to);
	    }
	  CU_ASSERT (holds (cab_analyses[a], &arena, &e, e.n));
	  cab_heap_fini (&arena);
	}
      free_events (&e);
    }
}

/* Rows that stand for many executions count as many, wherever in a batch they are. */
static void
test_runs (void)
{
  uint64_t fn = UINT64_C (2) << CAB_EV_FN_SHIFT, high = CAB_EV_RUN_HIGH | UINT64_C (3) << CAB_EV_RUN_SHIFT;
  uint64_t run = CAB_EV_RUN | UINT64_C (7) << CAB_EV_RUN_SHIFT, path = 1 << CAB_EV_PATH_SHIFT;
  uint64_t words[] = { fn | path | CAB_EV_PATH, fn | path | high, fn | path | run, fn | run, fn | path | CAB_EV_PATH_LAST };
  uint64_t times = (UINT64_C (3) << CAB_EV_RUN_BITS) + 7;
  struct cab_batch batch = { .kind = CAB_EV_PATH, .n = 5, .events = words, .has_runs = 1 };
  struct cab_arena arena;
  open_arena (&arena, &cab_paths);
  CU_ASSERT_EQUAL (cab_batch_events (&batch), times + 7 + 2);
  cab_paths.feed (&arena, &batch, &functions, NULL);
  CU_ASSERT_EQUAL (cab_paths.applied (&arena), times + 7 + 2);
  CU_ASSERT_EQUAL (cab_paths.lost (&arena), 0);
  struct rows got = rows_of (&cab_paths, &arena), want = { 0 };
  add (&want, COUNTERS_PER_FN + 2, 7);
  add (&want, COUNTERS_PER_FN + 3, times + 2);
  CU_ASSERT (equal (&got, &want));
  free (got.row);
  free (want.row);
  cab_heap_fini (&arena);
}

/* Regions as shapes, between accesses as rows of the same sites. */
static void
test_shapes (void)
{
  for (int round = 0; round < 30; round++)
    {
      struct events shapes = make_events (1 + draw (4000)), rows = make_events (draw (500));
      struct cab_arena arena, alone, both, small;
      struct cab_diag diag;
      make_shapes (&shapes, round % 3 ? 1000 : 1);
      cab_heap_open (&arena, &cab_accesses);
      cab_heap_open (&alone, &cab_accesses);
      cab_heap_open (&both, &cab_accesses);
      cab_heap_open (&small, &cab_accesses);
      for (size_t at = 0, to; at < shapes.n; at = to)
	{
	  to = at + 1 + draw (shapes.n - at);
	  feed (&cab_accesses, &arena, &shapes, at, to);
	}
      CU_ASSERT (holds (&cab_accesses, &arena, &shapes, shapes.n));
      feed (&cab_accesses, &alone, &rows, 0, rows.n);
      CU_ASSERT_EQUAL (cab_accesses.merge (&both, &arena, NULL, &diag), 0);
      CU_ASSERT (holds (&cab_accesses, &both, &shapes, shapes.n));
      CU_ASSERT_EQUAL (cab_accesses.merge (&both, &alone, NULL, &diag), 0);
      feed (&cab_accesses, &arena, &rows, 0, rows.n);
      struct rows got = rows_of (&cab_accesses, &arena), want = rows_of (&cab_accesses, &both);
      CU_ASSERT (equal (&got, &want) && sound (&cab_accesses, &arena));
      CU_ASSERT_EQUAL (cab_accesses.applied (&arena), events_in (&cab_accesses, &shapes, shapes.n) + rows.n);
      small.grow = NULL;
      small.cap = round % 2 ? small.used : 2200;
      feed (&cab_accesses, &small, &shapes, 0, shapes.n);
      CU_ASSERT_EQUAL (cab_accesses.applied (&small) + cab_accesses.lost (&small), events_in (&cab_accesses, &shapes, shapes.n));
      cab_heap_fini (&arena);
      cab_heap_fini (&alone);
      cab_heap_fini (&both);
      cab_heap_fini (&small);
      free (got.row);
      free (want.row);
      free_events (&shapes);
      free_events (&rows);
    }
}

/* Merging by idle maps: fn and site + 1, counters moved behind each other in the other order. */
struct maps
{
  uint32_t fn[N_FN + 1], site[N_SITE], n_counters[N_FN + 1];
  uint64_t from[N_FN + 1], to[N_FN + 1];
};

static struct cab_idmap
identity (struct maps *m)
{
  for (uint32_t i = 0; i <= N_FN; i++)
    {
      m->fn[i] = i;
      m->from[i] = m->to[i] = i ? (uint64_t) (i - 1) * COUNTERS_PER_FN : 0;
      m->n_counters[i] = i ? COUNTERS_PER_FN : 0;
    }
  for (uint32_t i = 0; i < N_SITE; i++)
    m->site[i] = i;
  return (struct cab_idmap) { m->fn, m->site, N_FN + 1, N_SITE, m->from, m->to, m->n_counters, m->site, N_SITE, NULL, 0, 0 };
}

static void
merge_all (const struct cab_analysis *analysis, struct cab_arena *into, struct cab_arena *parts, const int *order, int n,
	   const struct cab_idmap *map)
{
  struct cab_diag diag;
  open_arena (into, analysis);
  for (int i = 0; i < n; i++)
    CU_ASSERT_EQUAL (analysis->merge (into, &parts[order[i]], map, &diag), 0);
  CU_ASSERT (sound (analysis, into));
}

static void
check_merges (const struct cab_analysis *analysis, struct cab_arena *parts)
{
  static const int orders[][4] = { { 0, 1, 2, 3 }, { 3, 1, 0, 2 }, { 2, 3, 1, 0 } };
  struct maps maps;
  struct cab_idmap map = identity (&maps);
  struct rows first = { 0 };
  uint64_t applied = 0;
  for (int i = 0; i < 4; i++)
    applied += analysis->applied (&parts[i]);
  for (int o = 0; o < 3; o++)
    {
      struct cab_arena into, grouped, both[2];
      merge_all (analysis, &into, parts, orders[o], 4, o ? &map : NULL);
      merge_all (analysis, &both[0], parts, orders[o], 2, &map);
      merge_all (analysis, &both[1], parts, orders[o] + 2, 2, &map);
      merge_all (analysis, &grouped, both, (int[]) { 0, 1 }, 2, &map);
      struct rows rows = rows_of (analysis, &into), other = rows_of (analysis, &grouped);
      CU_ASSERT_EQUAL (analysis->applied (&into), applied);
      CU_ASSERT (equal (&rows, &other));
      if (o)
	CU_ASSERT (equal (&rows, &first));
      free (other.row);
      free (o ? rows.row : NULL);
      first = o ? first : rows;
      cab_heap_fini (&into);
      cab_heap_fini (&grouped);
      cab_heap_fini (&both[0]);
      cab_heap_fini (&both[1]);
    }
  free (first.row);
}

static void
test_merge (void)
{
  for (int round = 0; round < 10; round++)
    for (int a = 0; cab_analyses[a]; a++)
      {
	struct cab_arena parts[4];
	for (int i = 0; i < 4; i++)
	  {
	    struct events e = make_events (i == 2 ? 0 : draw (3000));
	    open_arena (&parts[i], cab_analyses[a]);
	    feed (cab_analyses[a], &parts[i], &e, 0, e.n);
	    free_events (&e);
	  }
	check_merges (cab_analyses[a], parts);
	for (int i = 0; i < 4; i++)
	  cab_heap_fini (&parts[i]);
      }
}

/* A merge may rename: what maps to 0 or to nothing known is lost, and said to be. */
static void
test_merge_renames (void)
{
  struct maps maps;
  struct cab_idmap map = identity (&maps);
  struct cab_diag diag;
  for (uint32_t i = 1; i <= N_FN; i++)
    {
      maps.fn[i] = N_FN + 1 - i;
      maps.to[i] = (uint64_t) (N_FN - i) * COUNTERS_PER_FN;
    }
  struct events e = make_events (3000), renamed = make_events (3000);
  for (size_t i = 0; i < e.n; i++)
    {
      renamed.fn[i] = N_FN + 1 - e.fn[i];
      renamed.site[i] = e.site[i];
      renamed.depth[i] = e.depth[i];
      renamed.form[i] = e.form[i];
      renamed.path[i] = e.path[i];
      renamed.loop_form[i] = e.loop_form[i];
      renamed.count[i] = e.count[i];
      renamed.access_form[i] = e.access_form[i];
      renamed.address[i] = e.address[i];
      renamed.other[i] = e.other[i];
      renamed.bytes[i] = e.bytes[i];
      renamed.value[i] = e.value[i];
      renamed.value_type[i] = e.value_type[i];
    }
  for (int a = 0; cab_analyses[a]; a++)
    {
      struct cab_arena from, into;
      open_arena (&from, cab_analyses[a]);
      open_arena (&into, cab_analyses[a]);
      feed (cab_analyses[a], &from, &e, 0, e.n);
      CU_ASSERT_EQUAL (cab_analyses[a]->merge (&into, &from, &map, &diag), 0);
      CU_ASSERT (holds (cab_analyses[a], &into, &renamed, e.n));
      map.n_fn = map.n_access = 1;
      CU_ASSERT_EQUAL (cab_analyses[a]->merge (&into, &from, &map, &diag), 0);
      map.n_fn = N_FN + 1;
      map.n_access = N_SITE;
      CU_ASSERT_EQUAL (cab_analyses[a]->lost (&into) + cab_analyses[a]->applied (&into), 2 * e.n);
      if (cab_analyses[a] == &cab_sharing || cab_analyses[a] == &cab_samples)
	{
	  /* Of an access that is not known one keeps the bytes; the other has no numbers. */
	  CU_ASSERT_EQUAL (cab_analyses[a]->lost (&into), 0);
	}
      else if (cab_analyses[a]->kinds & 1u << CAB_EV_ACCESS)
	{
	  /* What hit no block has no name to lose. */
	  CU_ASSERT (cab_analyses[a]->lost (&into) > 0);
	}
      else
	{
	  CU_ASSERT_EQUAL (cab_analyses[a]->lost (&into), e.n);
	}
      cab_heap_fini (&from);
      cab_heap_fini (&into);
    }
  free_events (&e);
  free_events (&renamed);
}

/* A chain of 1,200,000 frames, which is more than a depth field can say, and back by longjmp. */
static void
test_deep (void)
{
  enum { DEPTH = 1200000 };
  struct events e = make_events (DEPTH + 3);
  for (uint32_t i = 0; i < DEPTH; i++)
    {
      e.depth[i] = i;
      e.form[i] = CAB_EV_CALL;
    }
  static const uint32_t back[] = { DEPTH - 1, DEPTH - 1000000, 100000 };
  for (uint32_t i = 0; i < 3; i++)
    {
      e.depth[DEPTH + i] = back[i];
      e.form[DEPTH + i] = CAB_EV_CALL;
    }
  struct cab_arena arena;
  open_arena (&arena, &cab_tree);
  feed (&cab_tree, &arena, &e, 0, e.n);
  CU_ASSERT (holds (&cab_tree, &arena, &e, e.n));
  cab_heap_fini (&arena);
  free_events (&e);
}

/* Frames whose events were dropped stand for their nearest known caller. */
static void
test_gap (void)
{
  const uint64_t events[] = {
    cab_ev_call (CAB_EV_CALL, 0, 1, 0), cab_ev_call (CAB_EV_CALL, 3, 2, 1), cab_ev_call (CAB_EV_CALL, 4, 3, 2), cab_ev_call (CAB_EV_CALL, 2, 4, 3)
  };
  struct cab_batch batch = { .kind = CAB_EV_CALL, .n = 4, .events = events };
  struct cab_arena arena;
  open_arena (&arena, &cab_tree);
  cab_tree.feed (&arena, &batch, NULL, NULL);
  CU_ASSERT_EQUAL_FATAL (cab_tree_n (&arena), 5);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 2)->parent, 1);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 3)->parent, 2);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 4)->parent, 1);
  cab_heap_fini (&arena);
}

/* Of memory that is not a thread's own, so many addresses have rows of their own, further ones rows by line; no access is lost. */
static void
test_sharing_first (void)
{
  enum { MORE = 640, N = CAB_SHARING_FIRST + MORE };
  struct events e = make_events (N);
  struct cab_arena arena;
  struct cab_sharing_row row;
  uint32_t first = 0, by_line = 0;
  for (uint32_t i = 0; i < N; i++)
    {
      e.access_form[i] = CAB_ROW_WRITE;
      e.address[i] = 4096 + 4 * i;
      e.bytes[i] = 4;
      e.site[i] = 1;
    }
  open_arena (&arena, &cab_sharing);
  for (int round = 1; round <= 2; round++)
    {
      feed (&cab_sharing, &arena, &e, 0, N);
      first = by_line = 0;
      for (uint64_t cursor = 0; cab_sharing_next (&arena, &cursor, &row);)
	{
	  first += !row.by_line && row.written == UINT64_C (15) << row.address % 64 && row.writes == (unsigned) round;
	  by_line += row.by_line && row.written == UINT64_MAX && row.address % 64 == 0 && row.writes == 16 * (unsigned) round;
	}
      CU_ASSERT_EQUAL (first, CAB_SHARING_FIRST);
      CU_ASSERT_EQUAL (by_line, MORE / 16);
      CU_ASSERT_EQUAL (cab_sharing.applied (&arena), (unsigned) round * N);
    }
  cab_heap_fini (&arena);
  free_events (&e);
}

static int
refuse_growth (struct cab_arena *arena, size_t cap)
{
  (void) arena, (void) cap;
  return -1;
}

/* An arena that cannot grow: every event is either held or counted as lost. */
static void
test_no_room (void)
{
  struct events e = make_events (20000);
  for (size_t i = 0; i < e.n; i++)
    e.site[i] = draw (CAB_EV_ID_MAX);
  for (int a = 0; cab_analyses[a]; a++)
    for (int slack = 0; slack < 3; slack++)
      {
	struct cab_arena arena;
	open_arena (&arena, cab_analyses[a]);
	arena.grow = refuse_growth;
	arena.cap = slack == 0 ? arena.used : slack == 1 ? arena.cap / 3 : arena.cap;
	feed (cab_analyses[a], &arena, &e, 0, e.n);
	CU_ASSERT_EQUAL (cab_analyses[a]->applied (&arena) + cab_analyses[a]->lost (&arena), e.n);
	CU_ASSERT (sound (cab_analyses[a], &arena));
	cab_heap_fini (&arena);
      }
  free_events (&e);
}

/* Bytes from a file: check refuses them, or they can be read, merged and fed without harm. */
static void
test_mangled (void)
{
  struct events e = make_events (3000), shapes = make_events (300);
  make_shapes (&shapes, 3);
  for (int round = 0; round < 600; round++)
    for (int a = 0; cab_analyses[a]; a++)
      {
	struct cab_arena arena, into;
	struct cab_diag diag = { "" };
	open_arena (&arena, cab_analyses[a]);
	feed (cab_analyses[a], &arena, round % 2 ? &shapes : &e, 0, 300);
	size_t used = round % 3 ? arena.used : draw (arena.used + 1);
	unsigned char *copy = xmalloc (used + 1);
	memcpy (copy, arena.base, used);
	for (uint64_t n = draw (6); used && n > 0; n--)
	  copy[draw (draw (2) ? used : used < 128 ? used : 128)] = draw (2) ? draw (256) : 255;
	cab_heap_fini (&arena);
	cab_heap_adopt (&arena, copy, used, used);
	if (cab_analyses[a]->check (&arena, &diag) == 0)
	  {
	    struct rows rows = rows_of (cab_analyses[a], &arena);
	    free (rows.row);
	    cab_analyses[a]->applied (&arena);
	    open_arena (&into, cab_analyses[a]);
	    cab_analyses[a]->merge (&into, &arena, NULL, &diag);
	    CU_ASSERT (sound (cab_analyses[a], &into));
	    cab_heap_fini (&into);
	    feed (cab_analyses[a], &arena, &e, 300, 600);
	    CU_ASSERT (sound (cab_analyses[a], &arena));
	  }
	else
	  CU_ASSERT (strstr (diag.text, cab_analyses[a]->name) != NULL);
	cab_heap_fini (&arena);
      }
  free_events (&shapes);
  free_events (&e);
}

static void
test_registry (void)
{
  for (int a = 0; cab_analyses[a]; a++)
    CU_ASSERT_PTR_EQUAL (cab_analysis_find (cab_analyses[a]->name), cab_analyses[a]);
  CU_ASSERT_PTR_NULL (cab_analysis_find ("no such"));
}

static void
test_arguments (void)
{
  for (int a = 0; cab_analyses[a]; a++)
    {
      struct cab_diag diag = { "" };
      struct cab_arena arena;
      /* Of one that takes arguments the host looks at the keys. */
      if (cab_analyses[a]->options)
	continue;
      cab_heap_open (&arena, cab_analyses[a]);
      CU_ASSERT (cab_analyses[a]->open (&arena, "key=value", &diag) < 0);
      CU_ASSERT (strstr (diag.text, "takes no arguments") != NULL);
      cab_heap_fini (&arena);
    }
}

/* Caches of all models, with lines of all lengths, give what the simulator of traces gives. */
static void
test_caches (void)
{
  static const char *const arguments[] = { "D1=512/2/32:LL=2K/4/32", "D1=1K/4/64:LL=1K/16/16", "D1=96/3/32:LL=1536/3/64:L2=none",
    "D1=512/2/16:L2=1K/2/32:LL=3K/6/64", "D1=512/32/16:L2=1K/2/32:LL=1K/1/128:model=inclusive", "D1=192/3/16:LL=768/3/32:model=inclusive",
    "D1=64/1/64:LL=64/1/64:model=non-inclusive:L2=none" };
  for (size_t i = 0; i < 7 * 4; i++)
    {
      struct cab_arena arena;
      struct events e = make_events (6000);
      cache_arguments = arguments[i % 7];
      const struct cab_analysis *analysis = i % 2 ? &cab_cache : &cab_offenders;
      open_arena (&arena, analysis);
      feed (analysis, &arena, &e, 0, e.n);
      CU_ASSERT (holds (analysis, &arena, &e, e.n));
      cab_heap_fini (&arena);
      free_events (&e);
    }
}

/* Regions give what their accesses give one by one: small caches, of one way or many, in which passes evict what they bring in. */
static void
test_cache_regions (void)
{
  static const char *const arguments[] = { "D1=512/2/64:LL=2K/4/64", "D1=1K/1/64:LL=4K/2/64", "D1=2K/4/32:LL=6K/3/64", "D1=64/1/64:LL=64/1/64",
    "D1=1088/17/64:LL=4K/64/64", "D1=512/1/32:LL=512/16/32:model=cachegrind", "D1=1K/8/64:L2=1K/2/64:LL=2K/2/128:model=inclusive",
    "D1=192/3/16:LL=768/3/32:model=non-inclusive:L2=none", "D1=2K/8/64:LL=4K/16/64:model=cachegrind",
    "D1=768/12/64:LL=2304/9/64:model=non-inclusive:L2=none", "D1=4K/8/64:L2=4K/4/64:LL=18K/9/128",
    "D1=3K/12/64:LL=4K/16/64:model=cachegrind", "D1=6K/12/64:L2=8K/4/64:LL=24K/12/128",
    "D1=96K/12/64:LL=192K/16/64:model=cachegrind", "D1=8K/8/64:LL=24K/12/64:model=cachegrind", "D1=768/3/64:LL=1K/16/16:model=cachegrind" };
  const size_t n = sizeof arguments / sizeof *arguments;
  for (size_t i = 0; i < n * 5; i++)
    {
      struct cab_arena arena, merged;
      struct cab_diag diag;
      struct region_events e = make_region_events (300, true);
      cache_arguments = arguments[i % n];
      open_arena (&arena, &cab_cache);
      open_arena (&merged, &cab_cache);
      feed_region_events (&arena, &e);
      bool good = holds (&cab_cache, &arena, &e.rows, e.rows.n);
      CU_ASSERT_EQUAL (cab_cache.merge (&merged, &arena, NULL, &diag), 0);
      good = good && holds (&cab_cache, &merged, &e.rows, e.rows.n);
      if (!good)
	printf ("%s\n", cache_arguments);
      CU_ASSERT (good);
      cab_heap_fini (&arena);
      cab_heap_fini (&merged);
      free_region_events (&e);
    }
  cache_arguments = arguments[0];
}

/* Rounds that come again count what they count when they are fed, and so does what follows; no round fewer is enough. */
static void
test_cache_rounds (void)
{
  static const char *const arguments[] = { "D1=512/2/64:LL=2K/4/64:model=cachegrind", "D1=192/3/16:L2=512/2/32:LL=768/3/64:model=non-inclusive", "D1=1088/17/64:LL=4K/64/64:L2=none",
    "D1=2K/8/64:LL=4K/16/64:model=cachegrind", "D1=256/1/64:L2=512/2/64:LL=1536/3/128", "D1=512/32/16:LL=1K/1/128:L2=none" };
  for (size_t i = 0; i < 6 * 60; i++)
    {
      struct cab_arena arena, merged;
      struct cab_diag diag;
      bool three = strstr (arguments[i % 6], "L2=") && !strstr (arguments[i % 6], "none");
      size_t round = 1 + draw (draw (2) ? 12 : 200);
      struct tiles t = { .before = draw (300), .round = round, .fed = three ? 4 : 3, .again = draw (5), .ahead = draw (round), .behind = draw (300) };
      struct events e = make_tiles (&t);
      cache_arguments = arguments[i % 6];
      open_arena (&arena, &cab_cache);
      open_arena (&merged, &cab_cache);
      struct cab_cache_round last = feed_tiles (&arena, &e, &t);
      repeat_tiles (&arena, &last, &t);
      free (last.words);
      CU_ASSERT_EQUAL (cab_cache.applied (&arena), tiles_ahead (&t) + t.ahead);
      CU_ASSERT_EQUAL (cab_cache_again (&arena), t.again * t.round);
      CU_ASSERT (sound (&cab_cache, &arena));
      feed_ahead (&arena, &e);
      CU_ASSERT (holds (&cab_cache, &arena, &e, tiles_ahead (&t) + t.ahead));
      feed (&cab_cache, &arena, &e, e.n - t.behind, e.n);
      CU_ASSERT (holds (&cab_cache, &arena, &e, e.n));
      CU_ASSERT (cab_cache.merge (&merged, &arena, NULL, &diag) == 0 && cab_cache.merge (&merged, &arena, NULL, &diag) == 0);
      CU_ASSERT_EQUAL (cab_cache_again (&merged), 2 * t.again * t.round);
      cab_heap_fini (&arena);
      cab_heap_fini (&merged);
      free_events (&e);
    }
}

/* What evicts lines from other levels knows no rounds; a state that says it has more words to come than there are is refused. */
static void
test_no_rounds (void)
{
  struct cab_arena arena;
  struct cab_diag diag;
  struct events e = make_events (500);
  cache_arguments = "D1=512/2/64:LL=2K/4/64:model=inclusive";
  open_arena (&arena, &cab_cache);
  CU_ASSERT_EQUAL (cab_cache_rounds_fed (&arena), 0);
  feed (&cab_cache, &arena, &e, 0, e.n);
  CU_ASSERT_EQUAL (cab_cache_rounds_fed (&arena), 0);
  cab_heap_fini (&arena);
  cache_arguments = "D1=512/2/64:LL=2K/4/64";
  open_arena (&arena, &cab_cache);
  feed (&cab_cache, &arena, &e, 0, e.n);
  uint64_t *room = cab_cache_ahead_room (&arena, 5000);
  CU_ASSERT_FATAL (room != NULL);
  cab_cache_state (&arena)->ahead.n = 5000;
  CU_ASSERT (cab_cache.check (&arena, &diag) == 0);
  struct cab_live_caches *caches = &cab_cache_state (&arena)->caches.caches;
  uint64_t *journal = cab_space_elements (&arena, caches->journal);
  journal[0] = offsetof (struct cab_cache_state, ahead.n);
  journal[1] = 1 << 22;   /* taken back, that is what it would be */
  caches->n_saved = 2;
  CU_ASSERT (cab_cache.check (&arena, &diag) < 0);
  journal[1] = 5000;
  CU_ASSERT (cab_cache.check (&arena, &diag) == 0);
  caches->n_saved = 0;
  cab_cache_state (&arena)->ahead.n = UINT64_MAX;
  CU_ASSERT (cab_cache.check (&arena, &diag) < 0);
  CU_ASSERT (strstr (diag.text, "more words to come") != NULL);
  cab_heap_fini (&arena);
  free_events (&e);
}

/* States with different caches: their counts add up, whatever the order, and they say so. */
static void
test_mixed_caches (void)
{
  static const char *const arguments[] = { "D1=512/2/32:LL=2K/4/32", "D1=1K/4/64:LL=1K/16/64", "" };
  struct cab_arena from[2], into[2];
  struct cab_cachesim_config config[2];
  struct cab_diag diag;
  struct events e = make_events (2000);
  for (int i = 0; i < 2; i++)
    {
      cache_arguments = arguments[i];
      open_arena (&from[i], &cab_cache);
      feed (&cab_cache, &from[i], &e, 0, e.n);
      cab_heap_open (&into[i], &cab_cache);
    }
  CU_ASSERT (cab_cache_config (&from[0], &config[0]));
  CU_ASSERT (cab_cache.merge (&into[0], &from[0], NULL, &diag) == 0 && cab_cache_config (&into[0], &config[1]));
  CU_ASSERT (!memcmp (&config[0], &config[1], sizeof config[0]));
  CU_ASSERT_EQUAL (cab_cache.merge (&into[0], &from[1], NULL, &diag), 0);
  CU_ASSERT (cab_cache.merge (&into[1], &from[1], NULL, &diag) == 0 && cab_cache.merge (&into[1], &from[0], NULL, &diag) == 0);
  CU_ASSERT (!cab_cache_config (&into[0], &config[0]) && !cab_cache_config (&into[1], &config[1]));
  CU_ASSERT (!memcmp (&config[0], &config[1], sizeof config[0]));
  CU_ASSERT_EQUAL (cab_cache.applied (&into[0]), 2 * e.n);
  for (int i = 0; i < 2; i++)
    {
      cab_heap_fini (&from[i]);
      cab_heap_fini (&into[i]);
    }
  free_events (&e);
}

static void
test_cache_arguments (void)
{
  static const char *const bad[][2] = {
    { "D1=32K", "simulated caches: D1=32K: write SIZE/WAYS/LINE, such as 32K/8/64" },
    { "D1=32K/8/64/", "D1=32K/8/64/: write SIZE" }, { "D1=/8/64", "write SIZE" }, { "D1=5000000000/8/64", "write SIZE" },
    { "D1=32K/8/60", "its lines are no power of two" }, { "LL=32K/0/64", "its associativity is 0" },
    { "LL=1000/2/64", "its size is no multiple" }, { "model=best", "known are cachegrind, non-inclusive, inclusive" },
    { "L2=1M/8/64:model=cachegrind", "L2=1M/8/64: cachegrind's model has none" }, { "L2=yes", "L2=yes: write SIZE" },
    { "D1=4K/4/64:LL=8K/4/32:model=inclusive", "LL: its lines are shorter" }
  };
  struct cab_cachesim_config config;
  char full[200], again[200];
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    {
      struct cab_diag diag = { "" };
      CU_ASSERT (cab_cache_configure (bad[i][0], &config, &diag) < 0 && cab_cache_settle (bad[i][0], full, sizeof full, &diag) < 0);
      CU_ASSERT (strstr (diag.text, bad[i][1]) != NULL);
    }
  CU_ASSERT_EQUAL (cab_cache_settle ("D1=4K/4/64:L2=1M/8/64:LL=2M/8/128", full, sizeof full, NULL), 0);
  CU_ASSERT_STRING_EQUAL (full, "D1=4096/4/64:L2=1048576/8/64:LL=2097152/8/128:model=non-inclusive");
  CU_ASSERT_EQUAL (cab_cache_settle ("", full, sizeof full, NULL), 0);
  CU_ASSERT (cab_cache_settle (full, again, sizeof again, NULL) == 0 && !strcmp (full, again));
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "registry", test_registry },
    { "arguments", test_arguments },
    { "arguments of cache", test_cache_arguments },
    { "caches", test_caches },
    { "caches by region", test_cache_regions },
    { "caches, rounds that come again", test_cache_rounds },
    { "caches, no rounds", test_no_rounds },
    { "mixed caches", test_mixed_caches },
    { "feed, split anywhere", test_feed },
    { "rows of many executions", test_runs },
    { "shapes", test_shapes },
    { "merge", test_merge },
    { "merge that renames", test_merge_renames },
    { "deep stack", test_deep },
    { "dropped frames", test_gap },
    { "rows of sharing", test_sharing_first },
    { "no room", test_no_room },
    { "mangled states", test_mangled },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "analyses", tests);
}
