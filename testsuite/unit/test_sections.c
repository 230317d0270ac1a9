/* test_sections.c - the analysis `cache' counts the same by sections as access by access, also
 * where sections are full, events are long, and their misses do not fit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/cache_section.h"
#include "analyses/live/cache/cache_state.h"
#include "analyses/base/heap.h"
#include "analyses/wire/regions.h"
#include "analyses/live/cache/an_cache.h"
#include "testsuite/unit/section_feed.h"
#include "testsuite/unit/section_states.h"
#include "testsuite/unit/seeded.h"

/* The columns are those of region_events.c. The regions: one pass in one line; passes with steps; a
   part of a pass; accesses in two lines; a range, also of many passes; more accesses than passes
   are counted of; such with a range among them; more accesses than a section takes. */
static const char head[] = "R\t0\t1\t-\n"
			   "A\t0\t0\t0:1:1\tr\t8\t0\t0\t-\t0\t-\n"
			   "A\t1\t0\t0:1:2\tw\t8\t0\t8\t-\t0\t-\n"
			   "R\t1\t3\t2\n"
			   "A\t2\t1\t0:2:1\tr\t8\t0\t0\tw1\t0\t-\n"
			   "A\t3\t1\t0:2:2\tw\t4\t0\t96\t4\t0\t-\n"
			   "A\t4\t1\t0:2:3\tr\t8\t0\t1000\t-\t0\t-\n"
			   "R\t2\t2\t1\n"
			   "A\t5\t2\t0:3:1\tr\t8\t0\t4\t-8\t0\t-\n"
			   "A\t6\t2\t0:3:2\tw\t8\t0\t60\t8\t1\t-\n"
			   "A\t7\t2\t0:3:3\tw\t16\t0\t6000\t24\t2\t-\n"
			   "R\t3\t2\t-\n"
			   "A\t8\t3\t0:4:1\tr\t4\t0\t0\t-\t0\t-\n"
			   "A\t9\t3\t0:4:2\twg\t1\t0\t100\t-\t0\t-\n"
			   "R\t4\t3\t2\n"
			   "A\t10\t4\t0:5:1\trg\t1\t0\t0\t64\t0\t-\n"
			   "A\t11\t4\t0:5:2\tw\t8\t0\t8\t64\t0\t-\n"
			   "R\t5\t2\t1\n";
#define N_REGIONS 6   /* regions that events are drawn of */
#define LONG 6        /* one of long events */
#define MANY 70
#define LARGE 7       /* one with very many accesses */
#define VERY_MANY 9000
#define N_EVENTS 3000

/* WIDE: so many accesses of the large region miss in a section that their counters do not fit into
   its journal, and it is taken back. */
static struct cab_regions *
make_table (bool wide)
{
  static char text[sizeof head + (2 * MANY + VERY_MANY) * 60];
  char *at = stpcpy (text, head);
  for (int i = 0; i < MANY; i++)
    at += sprintf (at, "A\t%d\t5\t0:6:%d\tr\t8\t0\t%d\t8\t0\t-\n", 12 + i, i + 1, i * 40);
  at += sprintf (at, "R\t%d\t3\t2\n", LONG);
  for (int i = 0; i < MANY; i++)
    at += sprintf (at, "A\t%d\t%d\t0:7:%d\t%s\t0\t%d\t8\t0\t-\n", 12 + MANY + i, LONG, i + 1,
		   i == MANY / 2 ? "rg\t1" : "w\t8", i * 40);
  at += sprintf (at, "R\t%d\t2\t1\n", LARGE);
  for (int i = 0; i < VERY_MANY; i++)
    at += sprintf (at, "A\t%d\t%d\t0:8:%d\t%s\t8\t0\t%d\t8\t0\t-\n", 12 + 2 * MANY + i, LARGE,
		   i + 1, i % 5 ? "r" : "w", wide ? i * 72 % 200000 : i * 24 % 30000);
  struct cab_regions *table = table_of (text, at);
  if (table->n_regions != N_REGIONS + 2)
    abort ();
  return table;
}

/* Return a number, mostly small, sometimes more than a section holds. */
static uint64_t
draw_passes (void)
{
  return draw (20) ? draw (30) : draw (10) ? draw (3000) : draw (400000);
}

static void
make_words (const struct cab_region *r, unsigned region, uint64_t *words)
{
  static const uint64_t steps[] = { 8, 0, 64, -UINT64_C (8), 4096, 12 };
  words[0] = (UINT64_C (1) << 30) + draw (3) * (UINT64_C (1) << 39)
	   + draw (draw (2) ? 20000 : UINT64_C (1) << 22);
  if (region == 1)
    words[1] = steps[draw (6)];
  if (region == 3 || region == 4)
    words[1] = draw (10) ? draw (300) : draw (UINT64_C (3) << 20);
  bool few = region == 5 || (region == 4 && words[1] > 300);
  if (r->count != CAB_NO_WORD)
    words[r->count] = (few ? draw (60) : draw_passes () % (region == 4 ? 20000 : UINT64_MAX)) << 8
		    | draw (3);
}

/* Feed some rows, the last one perhaps long. */
static void
feed_rows (struct cab_arena *direct, struct cab_arena *by_sections)
{
  uint32_t site[50];
  uint8_t form[50];
  uint64_t address[50], bytes[50], other[50] = { 0 };
  uint32_t n = 1 + draw (50);
  for (uint32_t i = 0; i < n; i++)
    {
      site[i] = 100 + draw (20);
      form[i] = draw (8);
      address[i] = (UINT64_C (1) << 30) + draw (50000);
      bytes[i] = draw (9) ? UINT64_C (1) << draw (4)
	       : draw (9) ? draw (5000)
	       : draw (UINT64_C (1) << 21);
    }
  struct cab_batch batch = { .kind = CAB_EV_ACCESS,
			     .n = n,
			     .site = site,
			     .form = form,
			     .address = address,
			     .bytes = bytes,
			     .other = other };
  cab_cache.feed (direct, &batch, NULL);
  CU_ASSERT (feed_by_sections (by_sections, &batch, draw (2)));
}

static void
feed_events (const struct cab_regions *table, struct cab_arena *direct,
	     struct cab_arena *by_sections)
{
  static uint64_t raw[N_EVENTS][CAB_ACCESS_WORDS];
  static struct cab_region_event event[N_EVENTS];
  uint32_t n = 1 + draw (draw (3) ? 100 : N_EVENTS);
  for (uint32_t i = 0; i < n; i++)
    {
      unsigned which = n < 200 || !draw (20) ? draw (N_REGIONS) : 0;
      event[i] = (struct cab_region_event) { cab_regions_at (table, which), raw[i] };
      make_words (event[i].region, which, raw[i]);
    }
  struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = n, .region = event, .accesses = 1 };
  cab_cache.feed (direct, &batch, NULL);
  CU_ASSERT (feed_by_sections (by_sections, &batch, draw (2)));
}

/* Events are split into parts, with ranges longer than a section takes: what was looked up ends
   during a pass. */
static void
feed_long (const struct cab_regions *table, struct cab_arena *direct, struct cab_arena *by_sections)
{
  static const uint32_t piece = CAB_SECTION_PIECE / MANY;
  uint64_t raw[4][CAB_ACCESS_WORDS];
  struct cab_region_event event[4];
  for (int i = 0; i < 4; i++)
    {
      event[i] = (struct cab_region_event) { cab_regions_at (table, LONG), raw[i] };
      raw[i][0] = (UINT64_C (1) << 30) + draw (20000);
      raw[i][1] = i == 1 ? (CAB_SECTION_PIECE + 1 + draw (1000)) * 64 : draw (300);
      raw[i][2] = (i == 3 ? 1 + draw (3) : piece + 1 + draw (10)) << 8 | draw (MANY);
    }
  struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = 4, .region = event, .accesses = 1 };
  cab_cache.feed (direct, &batch, NULL);
  CU_ASSERT (feed_by_sections (by_sections, &batch, draw (2)));
}

/* One event has so many accesses that it takes many sections, each of which begins within it. */
static void
feed_large (const struct cab_regions *table, uint32_t passes, struct cab_arena *direct,
	    struct cab_arena *by_sections)
{
  uint64_t raw[CAB_ACCESS_WORDS] = { UINT64_C (1) << 30, (passes + draw (50)) << 8 };
  struct cab_region_event event = { cab_regions_at (table, LARGE), raw };
  struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = 1, .region = &event, .accesses = 1 };
  cab_cache.feed (direct, &batch, NULL);
  CU_ASSERT (feed_by_sections (by_sections, &batch, false));
}

static void
test_sections (void)
{
  static const char *const arguments[] = { "D1=2K/8/64:LL=64K/16/64:model=cachegrind",
					   "D1=48K/12/64:LL=1M/16/64:model=cachegrind",
					   "D1=6K/12/64:LL=24K/12/64",
					   "D1=32K/8/64:L2=256K/4/128:LL=1M/16/128",
					   "D1=768K/12/64:LL=3M/12/64" };
  struct cab_regions *table = make_table (false), *wide = make_table (true);
  for (unsigned i = 0; i < rounds (15); i++)
    {
      struct cab_arena direct, by_sections;
      struct cab_diag diag;
      CU_ASSERT_FATAL (cab_heap_open_with (&direct, &cab_cache, arguments[i % 5], &diag) == 0
		       && cab_heap_open_with (&by_sections, &cab_cache, arguments[i % 5], &diag)
			    == 0);
      for (int round = 0; round < 10; round++)
	{
	  feed_events (table, &direct, &by_sections);
	  feed_rows (&direct, &by_sections);
	}
      if (i < 5)
	feed_long (table, &direct, &by_sections);
      if (i == 1)
	feed_large (table, 1000, &direct, &by_sections);
      if (i == 0 || i == 3)
	feed_large (wide, 20, &direct, &by_sections);
      bool good = same (&direct, &by_sections) && same_caches (&direct, &by_sections)
	       && cab_cache.check (&by_sections, &diag) == 0;
      if (!good)
	printf ("%s\n", arguments[i % 5]);
      CU_ASSERT (good && cab_cache.applied (&direct) > 0);
      cab_heap_fini (&direct);
      cab_heap_fini (&by_sections);
    }
  free (table);
  free (wide);
}

/* As in `head', except that all accesses of region 1 move as its word says, or stay. */
static const char columns[] = "R\t0\t1\t-\n"
			      "A\t0\t0\t0:1:1\tr\t8\t0\t0\t-\t0\t-\n"
			      "A\t1\t0\t0:1:2\tw\t8\t0\t8\t-\t0\t-\n"
			      "R\t1\t3\t2\n"
			      "A\t2\t1\t0:2:1\tr\t8\t0\t0\tw1\t0\t-\n"
			      "A\t3\t1\t0:2:2\tw\t4\t0\t96\tw1\t0\t-\n"
			      "A\t4\t1\t0:2:3\tr\t8\t0\t1000\t-\t0\t-\n"
			      "R\t2\t2\t1\n"
			      "A\t5\t2\t0:3:1\tr\t8\t0\t4\t-8\t0\t-\n"
			      "A\t6\t2\t0:3:2\tw\t8\t0\t60\t8\t1\t-\n";

/* Events mostly reach the lines of those a few before them, as loops do that walk along
   neighbouring columns, and now and then others. */
static void
feed_columns (const struct cab_regions *table, struct cab_arena *direct,
	      struct cab_arena *by_sections)
{
  static const uint64_t steps[] = { 64, 4096, 128, 0, 8 };
  static uint64_t raw[N_EVENTS][CAB_ACCESS_WORDS];
  static struct cab_region_event event[N_EVENTS];
  uint32_t n = N_EVENTS, round = 1 + draw (5);
  for (uint32_t i = 0; i < n; i++)
    {
      unsigned which = i % round ? draw (3) : 1;
      bool again = i >= round && draw (50);
      event[i] = again ? (struct cab_region_event) { event[i - round].region, raw[i] }
		       : (struct cab_region_event) { cab_regions_at (table, which), raw[i] };
      if (again)
	memcpy (raw[i], raw[i - round], sizeof raw[i]);
      else
	make_words (event[i].region, which, raw[i]);
      if (again)
	raw[i][0] += draw (6) ? 8 * (i % round == 0) : draw (2) * 64;
      else if (which == 1)
	raw[i][1] = steps[draw (5)];
      if (!again && event[i].region->count != CAB_NO_WORD)
	raw[i][event[i].region->count] = draw (300) << 8 | !draw (4);
    }
  struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = n, .region = event, .accesses = 1 };
  cab_cache.feed (direct, &batch, NULL);
  CU_ASSERT (feed_by_sections (by_sections, &batch, false));
}

static void
test_again (void)
{
  static const char *const arguments[] = { "D1=2K/8/64:LL=64K/16/64:model=cachegrind",
					   "D1=48K/12/64:LL=1M/16/64", "D1=6K/12/64:LL=24K/12/64",
					   "D1=32K/8/64:L2=256K/4/128:LL=1M/16/128" };
  struct cab_regions *table = table_of (columns, columns + sizeof columns - 1);
  for (unsigned i = 0; i < rounds (24); i++)
    {
      struct cab_arena direct, by_sections;
      CU_ASSERT_FATAL (cab_heap_open_with (&direct, &cab_cache, arguments[i % 4], NULL) == 0
		       && cab_heap_open_with (&by_sections, &cab_cache, arguments[i % 4], NULL)
			    == 0);
      feed_columns (table, &direct, &by_sections);
      feed_columns (table, &direct, &by_sections);
      CU_ASSERT (same (&direct, &by_sections) && same_caches (&direct, &by_sections));
      cab_heap_fini (&direct);
      cab_heap_fini (&by_sections);
    }
  free (table);
}

/* A section that is cut off, or whose counters do not fit into its journal, leaves everything as it
   was, for a reader and for a later feed. */
static void
test_taken_back (void)
{
  static const char *const arguments[] = { "D1=2K/8/64:LL=64K/16/64", "D1=48K/12/64:LL=1M/16/64",
					   "D1=32K/8/64:LL=768K/12/64",
					   "D1=32K/8/64:L2=256K/4/128:LL=1M/16/128" };
  struct cab_regions *table = make_table (true);
  for (unsigned i = 0; i < rounds (80); i++)
    {
      struct cab_arena arena, by_sections;
      bool fits = i % 2;
      uint32_t region = fits ? draw (N_REGIONS) : LARGE;
      uint64_t raw[CAB_ACCESS_WORDS] = { (UINT64_C (1) << 30) + draw (4000) * 8, 1 << 8, 1 << 8 };
      struct cab_region_event event = { cab_regions_at (table, region), raw };
      struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = 1, .region = &event, .accesses = 1 };
      CU_ASSERT_FATAL (cab_heap_open_with (&arena, &cab_cache, arguments[i / 2 % 4], NULL) == 0);
      CU_ASSERT_FATAL (cab_heap_open_with (&by_sections, &cab_cache, arguments[i / 2 % 4], NULL)
		       == 0);
      feed_events (table, &arena, &by_sections);
      cab_cache.feed (&arena, &batch, NULL);
      raw[0] += draw (3) * 64;
      if (fits)
	/* no more than three sections */
	raw[event.region->count == CAB_NO_WORD ? 1 : event.region->count] = draw (400) << 8;
      struct cab_arena before = arena;
      before.base = xmemdup (arena.base, arena.used, arena.used);
      CU_ASSERT (begin_one_section (&arena, &batch) == fits);
      CU_ASSERT (same (&arena, &before) && same_caches (&arena, &before) && same (&arena, &before));
      free (before.base);
      cab_heap_fini (&arena);
      cab_heap_fini (&by_sections);
    }
  free (table);
}

/* The tag of a page in a section's D1 would be 0, also within a range that ends soon after it. */
static void
test_zero_page (void)
{
  static const struct
  {
    const char *arguments;
    uint64_t n_sets;
  } d1[] = { { "D1=2K/8/64:LL=64K/16/64", 4 },
	     { "D1=32K/8/64:LL=64K/16/64", 64 },
	     { "D1=48K/12/64:LL=1M/16/64", 64 } };
  for (unsigned i = 0; i < rounds (60); i++)
    {
      struct cab_arena direct, by_sections;
      uint64_t page = d1[i % 3].n_sets * 64, before = draw (CAB_SECTION_PIECE / 2) * 64;
      uint32_t site = 1;
      uint8_t form = CAB_ROW_READ | CAB_ROW_RANGE;
      uint64_t address = (page << 32) * (1 + draw (6)) - before,
	       bytes = before + 1 + draw (12 * page), other = 0;
      struct cab_batch batch = { .kind = CAB_EV_ACCESS,
				 .n = 1,
				 .site = &site,
				 .form = &form,
				 .address = &address,
				 .bytes = &bytes,
				 .other = &other };
      CU_ASSERT_FATAL (cab_heap_open_with (&direct, &cab_cache, d1[i % 3].arguments, NULL) == 0);
      CU_ASSERT_FATAL (cab_heap_open_with (&by_sections, &cab_cache, d1[i % 3].arguments, NULL)
		       == 0);
      cab_cache.feed (&direct, &batch, NULL);
      CU_ASSERT (feed_by_sections (&by_sections, &batch, false));
      CU_ASSERT (same (&direct, &by_sections) && same_caches (&direct, &by_sections));
      cab_heap_fini (&direct);
      cab_heap_fini (&by_sections);
    }
}

/* Without memory for their tables, sections are fed directly; events without room are lost, and
   nothing else. */
static void
test_no_memory (void)
{
  struct cab_regions *table = make_table (false);
  for (int i = 0; i < 20; i++)
    {
      struct cab_arena direct, by_sections;
      CU_ASSERT_FATAL (cab_heap_open_with (&direct, &cab_cache, "D1=2K/8/64:LL=64K/16/64", NULL)
		       == 0);
      CU_ASSERT_FATAL (
	cab_heap_open_with (&by_sections, &cab_cache, "D1=2K/8/64:LL=64K/16/64", NULL) == 0);
      feed_rows (&direct, &by_sections);
      by_sections.grow = NULL;
      if (i % 2)
	by_sections.cap = by_sections.used;
      feed_events (table, &direct, &by_sections);
      feed_rows (&direct, &by_sections);
      CU_ASSERT_EQUAL (cab_cache.applied (&by_sections) + cab_cache.lost (&by_sections),
		       cab_cache.applied (&direct));
      cab_heap_fini (&direct);
      cab_heap_fini (&by_sections);
    }
  free (table);
}

/* A journal may come from a file, too: one that changes what no step does is refused. */
static void
test_hostile (void)
{
  struct cab_regions *table = make_table (false);
  struct cab_arena arena, direct;
  struct cab_diag diag;
  CU_ASSERT_FATAL (cab_heap_open_with (&arena, &cab_cache, "D1=32K/8/64:LL=64K/16/64", NULL) == 0
		   && cab_heap_open_with (&direct, &cab_cache, "", NULL) == 0);
  feed_events (table, &direct, &arena);
  const struct cab_live_caches *caches = &cab_cache_state (&arena)->caches.caches;
  uint64_t *journal = cab_space_elements (&arena, caches->journal),
	   order = UINT64_C (0xfedcba9876543210);
  uint64_t tally = (unsigned char *) ((struct cab_tally *) cab_space_elements (
					&arena, cab_cache_state (&arena)->tallies)
				      + 1)
		 - arena.base;
  uint64_t sets = (unsigned char *) cab_space_elements (&arena, caches->tags) - arena.base,
	   tags = sets + 64 * sizeof (struct cab_live_set);
  uint64_t behind = tags + 32 * 1024 / 64 * 8;   /* the first set of LL */
  const struct { uint64_t at, was; bool good;
  } cases[] = { { tally, 5, true },
		{ tally + offsetof (struct cab_tally, missed[1]), 7, true },
		{ sets, order, true },
		{ tags, 12345, true },
		{ tally + 1, 5, false },
		{ 0, 5, false },
		{ offsetof (struct cab_cache_state, tallies), 5, false },
		{ UINT64_MAX - 7, 5, false },
		{ sets, order + 1, false },
		{ sets + 8, order, false },
		{ sets, 0, false },
		{ behind, order, true },
		{ behind, order + 1, false },
		{ behind, 0, true } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      journal[0] = cases[i].at;
      journal[1] = cases[i].was;
      ((struct cab_live_caches *) caches)->n_saved = 2;
      bool good = cab_cache.check (&arena, &diag) == 0;
      CU_ASSERT_EQUAL (good, cases[i].good);
      if (good)
	cab_cache.resume (&arena);
      else
	cab_cache.let_go (&arena);
      CU_ASSERT (!caches->n_saved && cab_cache.check (&arena, &diag) == 0);
      CU_ASSERT_EQUAL (good && *(uint64_t *) (arena.base + cases[i].at) == cases[i].was, good);
    }
  ((struct cab_live_caches *) caches)->n_saved = cab_space_capacity (&arena, caches->journal) + 2;
  CU_ASSERT (cab_cache.check (&arena, &diag) < 0);
  cab_heap_fini (&arena);
  cab_heap_fini (&direct);
  free (table);
}

/* These caches do not allow sections. */
static void
test_others (void)
{
  static const char *const arguments[] = { "D1=32K/8/32:LL=1M/16/64", "D1=32K/4/64:LL=1M/16/64",
					   "D1=32K/8/64:LL=1M/16/64:model=inclusive",
					   "D1=1M/8/64:LL=4M/16/64",
					   "D1=32K/8/64:LL=1M/16/32:model=cachegrind" };
  for (int i = 0; i < 5; i++)
    {
      struct cab_arena arena;
      struct cab_diag diag;
      struct cab_batch none = { .kind = CAB_EV_ACCESS };
      CU_ASSERT_FATAL (cab_heap_open_with (&arena, &cab_cache, arguments[i], &diag) == 0);
      CU_ASSERT (!feed_by_sections (&arena, &none, false));
      cab_heap_fini (&arena);
    }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "sections", test_sections },
    { "the same lines again", test_again },
    { "sections taken back", test_taken_back },
    { "a page with the tag 0", test_zero_page },
    { "sections without memory", test_no_memory },
    { "hostile journals", test_hostile },
    { "other caches", test_others },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "sections", tests);
}
