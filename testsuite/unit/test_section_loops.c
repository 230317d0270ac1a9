/* test_section_loops.c - the analysis `cache' counts the same by sections as fed directly, and as
 * access by access: loops that walk along lines or across them, and events of one pass.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "analyses/live/cache/cache_state.h"
#include "analyses/base/heap.h"
#include "analyses/wire/regions.h"
#include "testsuite/unit/section_feed.h"
#include "testsuite/unit/section_states.h"
#include "testsuite/unit/seeded.h"
#include "analyses/live/cache/an_cache.h"

/* Make a region of a few accesses, of which most or few move by the same step: some less than a
   line apart, some or all whole rounds of D1, some anywhere, some stay. */
static char streams_text[4000];

struct walking
{
  int size, offset, by;
};

/* Make some that reach another line of the same set in each pass, then some that stay in it, then
   the first ones again; return how many. */
static int
make_rounds (struct walking *a)
{
  int coming = 1 + draw (4), staying = 1 + draw (12 - 2 * coming), n = 2 * coming + staying;
  for (int i = 0; i < n; i++)
    a[i] = i < coming ? (struct walking) { 8, (1 << 22) * (i + 1), 4096 * (1 + (int) draw (2)) }
	 : i < coming + staying ? (struct walking) { 8, (1 << 22) * 8 + 4096 * i, 0 }
	 : a[i - coming - staying];
  return n;
}

static struct cab_regions *
make_streams (void)
{
  static const int sizes[] = { 1, 2, 4, 8, 8, 8, 16 },
		   steps[] = { 8, 8, 8, -8, 4, -4, 16, 32, -32, 64, -64, 1, 2 },
		   other[] = { 0, 0, 0, 0, 8, 24, 128, -4096 },
		   any[] = { 0,	  0,  8,   8,	-8,  4,	   16,	 24,   40,    -40,    64,
			     -64, 72, 128, 192, 256, 1024, 1920, 4096, -4096, 1 << 18 };
  static const int places[] = { 0,   4096, 8192,    64 * 4096, 6144,	 64,
				128, 2048, 1 << 20, 4096 - 64, 4096 + 64 };
  char *text = streams_text, *at = text;
  int n = 1 + draw (draw (2) ? 4 : 11), alike = draw (6) ? 0 : 4096, all = draw (3),
      step = steps[draw (sizeof steps / sizeof *steps)], again = draw (4), rounds = draw (6);
  struct walking a[12];
  at += sprintf (at, "R\t0\t2\t1\n");
  for (int i = 0; i < n && rounds; i++)
    {
      int size = sizes[draw (7)],
	  far = alike ? i * alike : places[draw (11)] + (int) draw (draw (2) ? 1 : 16) * 64,
	  near = draw (3) ? draw (alike ? 3 : 16) * 8 : draw (256);
      int by = !all ? any[draw (21)] : draw (4) ? step : other[draw (8)];
      a[i].size = size;
      a[i].offset = (1 << 22) + far + (draw (20) ? near / size * size : near);
      a[i].by = by;
      if (!again && i && draw (2))   /* the same as one before */
	a[i] = a[draw (i)];
    }
  n = rounds ? n : make_rounds (a);
  for (int i = 0; i < n; i++)
    at += sprintf (at, "A\t%d\t0\t0:1:%d\t%s\t%d\t0\t%d\t%d\t%d\t-\n", i, i + 1,
		   draw (2) ? "r" : "w", a[i].size, a[i].offset, a[i].by, (int) draw (3));
  return table_of (text, at);
}

/* Feed the event of R at RAW, access by access. */
static void
feed_singly (struct cab_arena *arena, const struct cab_region *r, const uint64_t *raw)
{
  enum { MOST = 80 };
  uint32_t site[MOST];
  uint8_t form[MOST];
  uint64_t address[MOST], bytes[MOST], passes = cab_region_count (r, raw) >> 8,
				       part = cab_region_count (r, raw) & 255;
  for (uint64_t pass = 0; pass <= passes; pass++)
    {
      struct cab_batch batch = {
	.kind = CAB_EV_ACCESS, .site = site, .form = form, .address = address, .bytes = bytes
      };
      for (const struct cab_region_access *a = r->access; a < r->access + r->shape.n; a++)
	if (pass < passes || a->part < part)
	  {
	    uint32_t i = batch.n++;
	    site[i] = r->shape.site[a - r->access];
	    form[i] = a->form;
	    address[i] = raw[a->word] + a->offset + pass * a->step;
	    bytes[i] = a->bytes;
	  }
      cab_cache.feed (arena, &batch, NULL);
    }
}

/* Return true if counts and caches of BATCH's events are the same by sections, fed directly and, if
   SINGLY, access by access. */
static bool
agree (const char *arguments, const struct cab_batch *batch, bool singly)
{
  struct cab_arena direct, by_sections, one_by_one;
  CU_ASSERT_FATAL (cab_heap_open_with (&direct, &cab_cache, arguments, NULL) == 0
		   && cab_heap_open_with (&by_sections, &cab_cache, arguments, NULL) == 0);
  CU_ASSERT_FATAL (cab_heap_open_with (&one_by_one, &cab_cache, arguments, NULL) == 0);
  cab_cache.feed (&direct, batch, NULL);
  bool good = feed_by_sections (&by_sections, batch, draw (2)) && same (&direct, &by_sections)
	   && same_caches (&direct, &by_sections);
  for (uint32_t i = 0; singly && i < batch->n; i++)
    feed_singly (&one_by_one, batch->region[i].region, batch->region[i].words);
  good &= !singly || (same (&direct, &one_by_one) && same_caches (&direct, &one_by_one));
  cab_heap_fini (&direct);
  cab_heap_fini (&by_sections);
  cab_heap_fini (&one_by_one);
  return good;
}

/* Events walk along lines in step. */
static void
test_streams (void)
{
  static const char *const arguments[] = {
    "D1=32K/8/64:LL=256K/16/64", "D1=48K/12/64:LL=192K/12/64", "D1=4K/8/64:LL=64K/4/64",
    "D1=32K/8/64:LL=512K/8/128", "D1=32K/8/64:L2=64K/4/64:LL=192K/12/64:model=non-inclusive"
  };
  uint64_t n_failed = 0;
  for (unsigned i = 0; i < rounds (6000) && n_failed < 3; i++)
    {
      struct cab_regions *table = make_streams ();
      uint64_t raw[6][CAB_ACCESS_WORDS];
      struct cab_region_event event[6];
      for (int k = 0; k < 6; k++)
	{
	  event[k] = (struct cab_region_event) { cab_regions_at (table, 0), raw[k] };
	  raw[k][0] = (UINT64_C (1) << 30) + (draw (3) ? 0 : draw (1 << 16) * 8)
		    + (draw (10) ? 0 : UINT64_C (0x5678) << 32);
	  raw[k][1] = (uint64_t) (draw (4) ? draw (900) : draw (20)) << 8 | draw (3);
	}
      struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = 6, .region = event, .accesses = 1 };
      bool good = agree (arguments[i % 5], &batch, i % 8 == 0);
      if (!good)
	printf ("event %d, %s\n%s", i, arguments[i % 5], streams_text);
      n_failed += !good;
      free (table);
    }
  CU_ASSERT_EQUAL (n_failed, 0);
}

/* Regions have one pass each: accesses off some words, near each other or in one set, of any length
   up to a line, some in two lines. */
#define N_SHORT 12
static struct cab_regions *
make_short (void)
{
  static char text[N_SHORT * 80 * 50];
  char *at = text;
  for (int r = 0, k = 0; r < N_SHORT; r++)
    {
      int words = 1 + draw (6), n = 1 + draw (draw (4) ? 8 : 70);
      at += sprintf (at, "R\t%d\t%d\t-\n", r, words);
      for (int i = 0; i < n; i++)
	at += sprintf (at, "A\t%d\t%d\t0:%d:%d\t%s\t%d\t%d\t%d\t-\t0\t-\n", k++, r, r + 1, i + 1,
		       draw (3) ? "r" : "w", draw (5) ? 1 << draw (4) : 1 + (int) draw (64),
		       (int) draw (words), (int) draw (draw (2) ? 100 : 9000) - 40);
    }
  return table_of (text, at);
}

/* Return an address of a few pages, now and then one of many; FAR: also at the end of memory, or
   such that pages have the same tag. */
static uint64_t
draw_address (bool far)
{
  if (far && !draw (300))
    return UINT64_MAX - draw (3000);
  return (far && !draw (20) ? UINT64_C (1) << 44 : 0) + (UINT64_C (1) << 30)
       + draw (draw (4) ? 600 : 60000) * 8 + draw (2) * draw (8)
       + (draw (3) ? 0 : UINT64_C (1) << 34);
}

/* Counts are the same as access by access. */
static void
test_short (void)
{
  static const char *const arguments[] = { "D1=32K/8/64:LL=256K/16/64",
					   "D1=48K/12/64:LL=192K/12/64",
					   "D1=2K/8/64:LL=8K/8/64",
					   "D1=3K/12/64:L2=12K/4/64:LL=96K/12/64",
					   "D1=128K/8/64:LL=1M/16/64:model=cachegrind",
					   "D1=32K/8/64:LL=512K/8/128" };
  uint64_t n_failed = 0, n_short = 0;
  for (unsigned i = 0; i < rounds (200) && n_failed < 3; i++)
    {
      struct cab_regions *table = make_short ();
      static uint64_t raw[2000][CAB_ACCESS_WORDS];
      static struct cab_region_event event[2000];
      bool far = !draw (5);
      struct cab_batch batch = {
	.kind = CAB_EV_ACCESS, .n = 1 + draw (2000), .region = event, .accesses = 1
      };
      for (uint32_t k = 0; k < batch.n; k++)
	{
	  event[k] = (struct cab_region_event) { cab_regions_at (table, draw (N_SHORT)), raw[k] };
	  for (unsigned word = 0; word < event[k].region->words; word++)
	    raw[k][word] = draw (3) || !k ? draw_address (far) : raw[k - 1][word];
	  n_short += event[k].region->short_id != 0;
	}
      bool good = agree (arguments[i % 6], &batch, true);
      if (!good)
	printf ("round %d, %s\n", i, arguments[i % 6]);
      n_failed += !good;
      free (table);
    }
  CU_ASSERT_EQUAL (n_failed, 0);
  CU_ASSERT (n_short > 500 * rounds (200));
}

/* An access that reaches another line in each pass, as along a column, crosses a page whose tag is
   0, or reaches the place where tags of pages start again. */
static void
test_walk_over_zero_page (void)
{
  static const char *const arguments[] = {
    "D1=32K/8/64:LL=256K/16/64", "D1=48K/12/64:LL=192K/12/64",
    "D1=32K/8/64:L2=64K/4/64:LL=192K/12/64:model=non-inclusive"
  };
  static const int64_t steps[] = {
    64, 192, -64, -192, 1024, INT64_C (1) << 40, -(INT64_C (1) << 41)
  };
  uint64_t n_failed = 0;
  for (unsigned i = 0; i < rounds (210); i++)
    {
      char text[300], *at = text;
      int64_t step = steps[i % 7];
      bool two = draw (2);
      at += sprintf (at, "R\t0\t2\t1\n" "A\t0\t0\t0:1:1\tr\t8\t0\t0\t%jd\t0\t-\n", (intmax_t) step);
      if (two)
	at += sprintf (at, "A\t1\t0\t0:1:2\tw\t8\t0\t2048\t%jd\t0\t-\n",
		       (intmax_t) (step == 64 ? 192 : 2 * step));
      for (int k = 0; k < 6; k++)
	at += sprintf (at, "A\t%d\t0\t0:1:%d\tr\t8\t0\t%d\t0\t0\t-\n", 1 + two + k, 3 + k,
		       20000 + 64 * k);
      struct cab_regions *table = table_of (text, at);
      uint64_t raw[CAB_ACCESS_WORDS] = { (UINT64_C (1) << 44) - step * (int64_t) (1 + draw (150)),
					 UINT64_C (300) << 8 };
      struct cab_region_event event = { cab_regions_at (table, 0), raw };
      struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = 1, .region = &event, .accesses = 1 };
      n_failed += !agree (arguments[i % 3], &batch, true);
      free (table);
    }
  CU_ASSERT_EQUAL (n_failed, 0);
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "streams", test_streams },
    { "short events", test_short },
    { "a walk over a page with the tag 0", test_walk_over_zero_page },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "section_loops", tests);
}
