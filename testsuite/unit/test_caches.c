/* test_caches.c - the analysis `cache' counts what the simulator of traces counts, also by region
 * and by rounds; its arguments; states with different caches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/cache_arguments.h"
#include "analyses/base/heap.h"
#include "testsuite/unit/region_events.h"
#include "testsuite/unit/tiled.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/an_offenders.h"

/* Caches of all models, with lines of all lengths, give what the simulator of traces gives. */
static void
test_caches (void)
{
  static const char *const arguments[] = { "D1=512/2/32:LL=2K/4/32",
					   "D1=1K/4/64:LL=1K/16/16",
					   "D1=96/3/32:LL=1536/3/64:L2=none",
					   "D1=512/2/16:L2=1K/2/32:LL=3K/6/64",
					   "D1=512/32/16:L2=1K/2/32:LL=1K/1/128:model=inclusive",
					   "D1=192/3/16:LL=768/3/32:model=inclusive",
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

/* Regions give what their accesses give one by one, in small caches, of one way or many, in which
   passes evict what they bring in. */
static void
test_cache_regions (void)
{
  static const char *const arguments[] = { "D1=512/2/64:LL=2K/4/64",
					   "D1=1K/1/64:LL=4K/2/64",
					   "D1=2K/4/32:LL=6K/3/64",
					   "D1=64/1/64:LL=64/1/64",
					   "D1=1088/17/64:LL=4K/64/64",
					   "D1=512/1/32:LL=512/16/32:model=cachegrind",
					   "D1=1K/8/64:L2=1K/2/64:LL=2K/2/128:model=inclusive",
					   "D1=192/3/16:LL=768/3/32:model=non-inclusive:L2=none",
					   "D1=2K/8/64:LL=4K/16/64:model=cachegrind",
					   "D1=768/12/64:LL=2304/9/64:model=non-inclusive:L2=none",
					   "D1=4K/8/64:L2=4K/4/64:LL=18K/9/128",
					   "D1=3K/12/64:LL=4K/16/64:model=cachegrind",
					   "D1=6K/12/64:L2=8K/4/64:LL=24K/12/128",
					   "D1=96K/12/64:LL=192K/16/64:model=cachegrind",
					   "D1=8K/8/64:LL=24K/12/64:model=cachegrind",
					   "D1=768/3/64:LL=1K/16/16:model=cachegrind" };
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

/* Repeated rounds count what they count when they are fed, and so does what follows; no round fewer
   is enough. How many are fed depends on how far they miss. */
static void
test_cache_rounds (void)
{
  size_t times[5] = { 0 };
  static const char *const arguments[] = {
    "D1=512/2/64:LL=2K/4/64:model=cachegrind",
    "D1=192/3/16:L2=512/2/32:LL=768/3/64:model=non-inclusive",
    "D1=1088/17/64:LL=4K/64/64:L2=none",
    "D1=8K/8/64:LL=64K/16/64:model=cachegrind",
    "D1=256/1/64:L2=512/2/64:LL=1536/3/128",
    "D1=512/32/16:LL=1K/1/128:L2=none"
  };
  for (size_t i = 0; i < 6 * 60; i++)
    {
      struct cab_arena arena, merged;
      struct cab_diag diag;
      bool three = strstr (arguments[i % 6], "L2=") && !strstr (arguments[i % 6], "none");
      size_t round = 1 + draw (draw (2) ? 12 : 200);
      struct tiles t = { .before = draw (300),
			 .round = round,
			 .fed = three ? 4 : 3,
			 .again = draw (5),
			 .ahead = draw (round),
			 .behind = draw (300) };
      struct events e = make_tiles (&t);
      cache_arguments = arguments[i % 6];
      open_arena (&arena, &cab_cache);
      open_arena (&merged, &cab_cache);
      struct cab_section_round last = feed_tiles (&arena, &e, &t);
      times[t.fed]++;
      repeat_tiles (&arena, &last, &t);
      free (last.words);
      CU_ASSERT_EQUAL (cab_cache.applied (&arena), tiles_ahead (&t) + t.ahead);
      CU_ASSERT_EQUAL (cab_cache_again (&arena), t.again * t.round);
      CU_ASSERT (sound (&cab_cache, &arena));
      feed_ahead (&arena, &e);
      CU_ASSERT (holds (&cab_cache, &arena, &e, tiles_ahead (&t) + t.ahead));
      feed (&cab_cache, &arena, &e, e.n - t.behind, e.n);
      CU_ASSERT (holds (&cab_cache, &arena, &e, e.n));
      CU_ASSERT (cab_cache.merge (&merged, &arena, NULL, &diag) == 0
		 && cab_cache.merge (&merged, &arena, NULL, &diag) == 0);
      CU_ASSERT_EQUAL (cab_cache_again (&merged), 2 * t.again * t.round);
      cab_heap_fini (&arena);
      cab_heap_fini (&merged);
      free_events (&e);
    }
  for (size_t i = 1; i < 5; i++)
    CU_ASSERT (times[i] > 10);
}

/* Caches that evict lines from other levels do not count rounds; a state that claims more words to
   come than there are is refused. */
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

/* The counts of states with different caches add up, whatever the order, and the states say so. */
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
  CU_ASSERT (cab_cache.merge (&into[0], &from[0], NULL, &diag) == 0
	     && cab_cache_config (&into[0], &config[1]));
  CU_ASSERT (!memcmp (&config[0], &config[1], sizeof config[0]));
  CU_ASSERT_EQUAL (cab_cache.merge (&into[0], &from[1], NULL, &diag), 0);
  CU_ASSERT (cab_cache.merge (&into[1], &from[1], NULL, &diag) == 0
	     && cab_cache.merge (&into[1], &from[0], NULL, &diag) == 0);
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
    { "D1=32K/8/64/", "D1=32K/8/64/: write SIZE" },
    { "D1=/8/64", "write SIZE" },
    { "D1=5000000000/8/64", "write SIZE" },
    { "D1=32K/8/60", "its lines are no power of two" },
    { "LL=32K/0/64", "its associativity is 0" },
    { "LL=1000/2/64", "its size is no multiple" },
    { "model=best", "known are cachegrind, non-inclusive, inclusive" },
    { "L2=1M/8/64:model=cachegrind", "L2=1M/8/64: cachegrind's model has none" },
    { "L2=yes", "L2=yes: write SIZE" },
    { "D1=4K/4/64:LL=8K/4/32:model=inclusive", "LL: its lines are shorter" }
  };
  struct cab_cachesim_config config;
  char full[200], again[200];
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    {
      struct cab_diag diag = { "" };
      CU_ASSERT (cab_cache_configure (bad[i][0], &config, &diag) < 0
		 && cab_cache_settle (bad[i][0], full, sizeof full, &diag) < 0);
      CU_ASSERT (strstr (diag.text, bad[i][1]) != NULL);
    }
  CU_ASSERT_EQUAL (cab_cache_settle ("D1=4K/4/64:L2=1M/8/64:LL=2M/8/128", full, sizeof full, NULL),
		   0);
  CU_ASSERT_STRING_EQUAL (full,
			  "D1=4096/4/64:L2=1048576/8/64:LL=2097152/8/128:model=non-inclusive");
  CU_ASSERT_EQUAL (cab_cache_settle ("", full, sizeof full, NULL), 0);
  CU_ASSERT (cab_cache_settle (full, again, sizeof again, NULL) == 0 && !strcmp (full, again));
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "arguments", test_cache_arguments },
    { "caches", test_caches },
    { "by region", test_cache_regions },
    { "rounds that come again", test_cache_rounds },
    { "no rounds", test_no_rounds },
    { "mixed caches", test_mixed_caches },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "caches", tests);
}
