/* test_reuse.c - distances between uses of a line: random accesses against a list, and against the
 * simulator's fully associative caches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/space.h"
#include "analyses/live/an_reuse.h"
#include "cabprof/cachesim.h"
#include "testsuite/unit/seeded.h"

#define EVENTS 20000
#define LINE 16
#define DEPTH 512

struct trace
{
  uint32_t site[EVENTS];
  uint8_t form[EVENTS];
  uint64_t address[EVENTS], other[EVENTS], bytes[EVENTS];
};

/* Make walks, returns to what was used before, and now and then a block longer than what is
   kept. */
static struct trace *
make_trace (uint64_t space)
{
  struct trace *t = XCNEW (struct trace);
  uint64_t at = 0;
  for (size_t i = 0; i < EVENTS; i++)
    {
      unsigned what = draw (10);
      at = what < 5 ? at + 8 : what < 8 ? draw (space) : t->address[i ? draw (i) : 0];
      t->site[i] = 1 + draw (5);
      t->form[i] = what == 9 ? CAB_ROW_WRITE | CAB_ROW_RANGE : CAB_ROW_READ;
      t->address[i] = at;
      t->bytes[i] = what == 9 ? draw (draw (20) ? 200 : 40000) : 8;
      if (!draw (50))
	t->form[i] = CAB_ROW_ALLOCATED;
    }
  return t;
}

static void
feed (struct cab_arena *arena, const struct trace *t)
{
  for (size_t at = 0, n; at < EVENTS; at += n)
    {
      n = 1 + draw (CAB_BATCH_MAX);
      n = n < EVENTS - at ? n : EVENTS - at;
      struct cab_batch batch = { .kind = CAB_EV_ACCESS,
				 .n = n,
				 .site = t->site + at,
				 .form = t->form + at,
				 .address = t->address + at,
				 .other = t->other + at,
				 .bytes = t->bytes + at };
      cab_reuse.feed (arena, &batch, NULL);
    }
}

/* Return each line of each event, in order. */
static struct cab_access *
lines_of (const struct trace *t, size_t *n)
{
  struct cab_access *list = NULL;
  size_t room = 0;
  *n = 0;
  for (size_t i = 0; i < EVENTS; i++)
    for (uint64_t line = t->address[i] / LINE; t->form[i] != CAB_ROW_ALLOCATED && t->bytes[i]
	 && line <= (t->address[i] + t->bytes[i] - 1) / LINE; line++)
      {
	if (*n == room)
	  list = XRESIZEVEC (struct cab_access, list, room = 2 * room + 1024);
	list[(*n)++] = (struct cab_access) { line * LINE, 1, CAB_ACCESS_READ };
      }
  return list;
}

static void
expected (const struct cab_access *use, size_t n, uint64_t *by_distance)
{
  uint64_t kept[DEPTH];
  size_t n_kept = 0;
  for (size_t u = 0; u < n; u++)
    {
      size_t d = 0;
      while (d < n_kept && kept[d] != use[u].address)
	d++;
      by_distance[d < n_kept ? d : DEPTH]++;
      n_kept += d == n_kept && n_kept < DEPTH;
      memmove (kept + 1, kept, (d < n_kept ? d : n_kept - 1) * sizeof *kept);
      kept[0] = use[u].address;
    }
}

static void
open_with (struct cab_arena *arena, const char *arguments)
{
  CU_ASSERT_EQUAL_FATAL (cab_heap_open_with (arena, &cab_reuse, arguments, NULL), 0);
}

static void
test_distances (void)
{
  for (int round = 0; round < 4; round++)
    {
      static const uint64_t spaces[] = { 3000, 9000, 20000, 10000000 };
      struct trace *t = make_trace (spaces[round]);
      uint64_t want[DEPTH + 1] = { 0 }, wrong = 0, sum = 0;
      struct cab_arena arena;
      struct cab_diag diag = { "" };
      struct cab_reuse_row row;
      size_t n;
      struct cab_access *use = lines_of (t, &n);
      open_with (&arena, "depth=512:line=16");
      feed (&arena, t);
      expected (use, n, want);
      for (uint64_t d = 0; d <= DEPTH; d++)
	wrong += cab_reuse_uses (&arena, d) != want[d];
      CU_ASSERT_EQUAL (wrong, 0);
      for (uint64_t cursor = 0; cab_reuse_next (&arena, &cursor, &row);)
	sum += cab_state_sum (row.n, CAB_REUSE_BUCKETS);
      CU_ASSERT_EQUAL (sum, n);
      CU_ASSERT_EQUAL (cab_reuse.applied (&arena), EVENTS);
      CU_ASSERT_EQUAL (cab_reuse.lost (&arena), 0);
      CU_ASSERT_EQUAL (cab_reuse.check (&arena, &diag), 0);
      cab_heap_fini (&arena);
      free (use);
      free (t);
    }
}

/* Misses of a fully associative cache are the uses at its size or beyond. */
static void
test_simulator (void)
{
  struct trace *t = make_trace (9000);
  struct cab_arena arena;
  size_t n;
  struct cab_access *use = lines_of (t, &n);
  open_with (&arena, "depth=512:line=16");
  feed (&arena, t);
  for (uint32_t lines = 1; lines <= DEPTH; lines = lines * 3 / 2 + 1)
    {
      struct cab_cachesim_config config = { .model = CAB_CACHESIM_NON_INCLUSIVE,
					    .i1 = { LINE, 1, LINE },
					    .d1 = { lines * LINE, lines, LINE } };
      struct cab_diag diag;
      struct cab_cachesim_counts counts;
      size_t bytes = cab_cachesim_bytes (&config, &diag);
      CU_ASSERT_FATAL (bytes > 0);
      void *memory = aligned_alloc (64, bytes);
      memset (memory, 0, bytes);
      struct cab_cachesim *sim = cab_cachesim_init (memory, &config);
      cab_cachesim_feed (sim, use, n, NULL);
      cab_cachesim_counts (sim, &counts);
      uint64_t misses = cab_reuse_uses (&arena, DEPTH);
      for (uint64_t d = lines; d < DEPTH; d++)
	misses += cab_reuse_uses (&arena, d);
      CU_ASSERT_EQUAL (misses, counts.misses[CAB_CACHESIM_READS][0]);
      free (memory);
    }
  cab_heap_fini (&arena);
  free (use);
  free (t);
}

/* The sum over different depths has the least of them; lines of different lengths do not add up. */
static void
test_merge (void)
{
  struct trace *t = make_trace (9000);
  struct cab_arena deep, shallow, into;
  struct cab_diag diag = { "" };
  open_with (&deep, "line=16");
  open_with (&shallow, "depth=128:line=16");
  feed (&deep, t);
  feed (&shallow, t);
  open_with (&into, "");
  CU_ASSERT_EQUAL (cab_reuse.merge (&into, &deep, NULL, &diag), 0);
  CU_ASSERT_EQUAL (cab_reuse_depth (&into), 1 << 18);
  CU_ASSERT_EQUAL (cab_reuse.merge (&into, &shallow, NULL, &diag), 0);
  CU_ASSERT_EQUAL (cab_reuse_depth (&into), 128);
  uint64_t wrong = 0;
  for (uint64_t d = 0; d <= 128; d++)
    wrong += cab_reuse_uses (&into, d) != 2 * cab_reuse_uses (&shallow, d);
  CU_ASSERT_EQUAL (wrong, 0);
  CU_ASSERT_EQUAL (cab_reuse.applied (&into), 2 * EVENTS);
  cab_heap_fini (&shallow);
  open_with (&shallow, "line=64");
  feed (&shallow, t);
  CU_ASSERT (cab_reuse.merge (&into, &shallow, NULL, &diag) < 0);
  CU_ASSERT (strstr (diag.text, "different lengths") != NULL);
  cab_heap_fini (&deep);
  cab_heap_fini (&shallow);
  cab_heap_fini (&into);
  free (t);
}

/* An arena that grows only so far has the depth that there was room for, and is exact up to it. */
static size_t room;
static int (*grow) (struct cab_arena *arena, size_t cap);

static int
grow_little (struct cab_arena *arena, size_t cap)
{
  return cap <= room ? grow (arena, cap) : -1;
}

static void
test_little_room (void)
{
  struct trace *t = make_trace (20000);
  struct cab_arena all, arena;
  open_with (&all, "depth=4096:line=16");
  feed (&all, t);
  uint64_t last = 0;
  for (room = 20000; room < 400000; room += 30000)
    {
      open_with (&arena, "depth=4096:line=16");
      arena.cap = 20000;
      grow = arena.grow;
      arena.grow = grow_little;
      feed (&arena, t);
      uint64_t depth = cab_reuse_depth (&arena), wrong = 0;
      CU_ASSERT_EQUAL (cab_reuse.applied (&arena) + cab_reuse.lost (&arena), EVENTS);
      for (uint64_t d = 0; d < depth && !cab_reuse.lost (&arena); d++)
	wrong += cab_reuse_uses (&arena, d) != cab_reuse_uses (&all, d);
      CU_ASSERT_EQUAL (wrong, 0);
      last = cab_reuse.lost (&arena) ? last : depth;
      cab_heap_fini (&arena);
    }
  CU_ASSERT (last > 512);
  cab_heap_fini (&all);
  free (t);
}

static void
test_arguments (void)
{
  static const char *const bad[] = {
    "depth=100", "depth=64", "depth=33554432", "depth=", "depth=x", "line=4", "line=131072",
    "line=-8", "line=48"
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    {
      struct cab_arena arena;
      CU_ASSERT (cab_heap_open_with (&arena, &cab_reuse, bad[i], NULL) < 0);
    }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "distances, against a list", test_distances },
    { "misses, against the simulator", test_simulator },
    { "merge", test_merge },
    { "little room", test_little_room },
    { "arguments", test_arguments },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "reuse", tests);
}
