/* test_keyed.c - rows that are split by key: whatever the number of parts, merged parts say what
 * one state says; rows of one key stay together, in order; accesses are cut at blocks' borders.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_loops.h"
#include "analyses/live/an_methods.h"
#include "analyses/live/an_paths.h"
#include "analyses/wire/keyed.h"
#include "testsuite/unit/analysis_events.h"

#define ROUNDS 40
#define EVENTS 4000

/* The parts that `feed_parts' feeds. */
static struct
{
  const struct cab_analysis *analysis;
  const struct cab_functions *functions;
  struct cab_arena part[CAB_KEYED_PARTS];
  uint64_t fed[CAB_KEYED_PARTS];
  uint32_t n;
  struct cab_keyed_split split;
  struct cab_keyed_rows rows[CAB_KEYED_PARTS];
} to;

static void
flush (uint32_t p)
{
  struct cab_batch *batch = &to.rows[p].batch;
  if (batch->n)
    to.analysis->feed (&to.part[p], batch, to.functions);
  to.fed[p] += cab_batch_events (batch);
  batch->n = 0;
}

static struct cab_keyed_rows *
room (void *host, uint32_t p, const struct cab_batch *batch, uint32_t n)
{
  struct cab_keyed_rows *rows = &to.rows[p];
  CU_ASSERT (!host && p < to.n && n && n <= CAB_KEYED_ROWS);
  if (rows->batch.n && cab_keyed_fits (rows, batch, n))
    return rows;
  flush (p);
  cab_keyed_begin (rows, batch);
  return rows;
}

static void
feed_parts (struct cab_arena *arena, const struct cab_batch *batch,
	    const struct cab_functions *own)
{
  const struct cab_keyed_host host = { NULL, room };
  (void) arena;
  to.functions = own;
  cab_keyed_rows (&to.split, to.analysis, batch, to.n, &host);
}

/* Feed E to N parts of ANALYSIS, which is LIKE another one but for its key, and merge them into
   INTO. */
static void
merge_parts (const struct cab_analysis *analysis, const struct cab_analysis *like, uint32_t n,
	     const struct events *e, struct cab_arena *into)
{
  struct cab_analysis stand_in = *analysis;
  struct cab_diag diag;
  uint64_t sum = 0;
  stand_in.feed = feed_parts;
  to.analysis = analysis;
  to.n = n;
  memset (to.fed, 0, sizeof to.fed);
  for (uint32_t p = 0; p < n; p++)
    open_arena (&to.part[p], like);
  for (size_t at = 0, end; at < e->n; at = end)
    {
      end = at + 1 + draw (e->n - at);
      feed (&stand_in, NULL, e, at, end);
    }
  open_arena (into, like);
  for (uint32_t p = 0; p < n; p++)
    {
      flush (p);
      CU_ASSERT_EQUAL (analysis->applied (&to.part[p]) + analysis->lost (&to.part[p]), to.fed[p]);
      CU_ASSERT (sound (analysis, &to.part[p]));
      CU_ASSERT_EQUAL (analysis->merge (into, &to.part[p], NULL, &diag), 0);
      sum += to.fed[p];
      cab_heap_fini (&to.part[p]);
    }
  CU_ASSERT_EQUAL (sum, events_in (analysis, e, e->n));
}

static void
test_parts (void)
{
  const struct
  {
    const struct cab_analysis *analysis;
    enum cab_key key;
  } keyed[] = { { &cab_values, CAB_KEY_SITE },	  { &cab_calls, CAB_KEY_SITE },
		{ &cab_methods, CAB_KEY_TARGET }, { &cab_paths, CAB_KEY_SITE },
		{ &cab_loops, CAB_KEY_SITE },	  { &cab_accesses, CAB_KEY_SITE },
		{ &cab_calls, CAB_KEY_TARGET } };
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < sizeof keyed / sizeof *keyed; i++)
      {
	struct cab_analysis analysis = *keyed[i].analysis;
	struct events e = make_events (1 + draw (EVENTS));
	struct cab_arena whole, empty, merged;
	struct cab_diag diag;
	analysis.shard = CAB_SHARD_KEY;
	analysis.key = keyed[i].key;
	open_arena (&whole, keyed[i].analysis);
	feed (keyed[i].analysis, &whole, &e, 0, e.n);
	open_arena (&empty, keyed[i].analysis);
	CU_ASSERT_EQUAL (analysis.merge (&empty, &whole, NULL, &diag), 0);
	merge_parts (&analysis, keyed[i].analysis, 1 + draw (CAB_KEYED_PARTS), &e, &merged);
	struct rows want = rows_of (keyed[i].analysis, &empty),
		    got = rows_of (keyed[i].analysis, &merged);
	CU_ASSERT (equal (&want, &got));
	free (want.row);
	free (got.row);
	cab_heap_fini (&whole);
	cab_heap_fini (&empty);
	cab_heap_fini (&merged);
	free_events (&e);
      }
}

/* An analysis by blocks of memory that only looks at what it gets: each byte that rows touch is
   recorded at its address, by the row that touches it next. */
#define MEMORY 70000u
static uint32_t seen_by[MEMORY][8], n_seen[MEMORY], part_of_block[(MEMORY >> 6) + 1];
static uint32_t feeding;

static void
look (struct cab_arena *arena, const struct cab_batch *batch, const struct cab_functions *own)
{
  (void) own;
  uint32_t part = arena - to.part + 1;
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t first = batch->address[i], bytes = batch->bytes[i], last = first + bytes - !!bytes;
      CU_ASSERT (first >> feeding == last >> feeding);
      CU_ASSERT (!part_of_block[first >> feeding] || part_of_block[first >> feeding] == part);
      part_of_block[first >> feeding] = part;
      for (uint64_t at = first; bytes && at <= last; at++)
	seen_by[at][n_seen[at]++ % 8] = batch->site[i];
    }
}

/* Accesses of any size at any address: each byte is seen by the same rows, in the same order, as
   without parts, and each block is seen by one part. */
static void
test_blocks (void)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      static uint32_t want[MEMORY][8], n_want[MEMORY];
      uint32_t site[CAB_BATCH_MAX], n = 1 + draw (CAB_BATCH_MAX);
      uint8_t form[CAB_BATCH_MAX];
      uint64_t address[CAB_BATCH_MAX], bytes[CAB_BATCH_MAX];
      struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = n, .site = site, .form = form,
				 .address = address, .bytes = bytes };
      struct cab_analysis analysis = { .kinds = 1u << CAB_EV_ACCESS, .shard = CAB_SHARD_KEY,
				       .key = CAB_KEY_ADDRESS, .feed = look };
      feeding = analysis.key_log2 = CAB_KEY_LOG2_LEAST + draw (8);
      memset (want, 0, sizeof want), memset (n_want, 0, sizeof n_want);
      memset (seen_by, 0, sizeof seen_by), memset (n_seen, 0, sizeof n_seen);
      memset (part_of_block, 0, sizeof part_of_block);
      for (uint32_t i = 0; i < n; i++)
	{
	  site[i] = i + 1;
	  form[i] = 1 + draw (2);
	  bytes[i] = draw (4) ? draw (65) : draw (3000);
	  address[i] = draw (MEMORY - 3001);
	  for (uint64_t at = address[i]; at < address[i] + bytes[i]; at++)
	    want[at][n_want[at]++ % 8] = site[i];
	}
      to.analysis = &analysis;
      to.n = 1 + draw (CAB_KEYED_PARTS);
      feed_parts (NULL, &batch, NULL);
      for (uint32_t p = 0; p < to.n; p++)
	flush (p);
      CU_ASSERT (!memcmp (want, seen_by, sizeof want) && !memcmp (n_want, n_seen, sizeof n_want));
    }
}

/* A damaged profile may say anything. */
static void
test_huge (void)
{
  uint32_t site = 1;
  uint8_t form = CAB_ROW_READ | CAB_ROW_RANGE;
  uint64_t sizes[] = { 0, UINT64_MAX, UINT64_C (1) << 50, UINT64_C (1) << 32 };
  static const struct cab_analysis analysis
    = { .kinds = 1u << CAB_EV_ACCESS, .shard = CAB_SHARD_KEY, .key = CAB_KEY_ADDRESS };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      uint64_t address = UINT64_MAX - 9999, bytes = sizes[i];
      struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = 1, .site = &site, .form = &form,
				 .address = &address, .bytes = &bytes };
      struct cab_arena *none = NULL;
      struct cab_analysis counting = analysis;
      counting.feed = cab_methods.feed;   /* takes no accesses */
      to.analysis = &counting;
      to.n = 3;
      memset (to.fed, 0, sizeof to.fed);
      feed_parts (none, &batch, NULL);
      uint64_t n = 0;
      for (uint32_t p = 0; p < 3; p++)
	{
	  n += to.fed[p] + to.rows[p].batch.n;
	  to.rows[p].batch.n = 0;
	}
      CU_ASSERT_EQUAL (n, 1);
    }
}

/* Keys that do not belong to what an analysis takes are refused. */
static void
test_wrong (void)
{
  struct cab_analysis a = { .kinds = 1u << CAB_EV_ACCESS, .shard = CAB_SHARD_KEY };
  CU_ASSERT_PTR_NULL (cab_keyed_wrong (&a));
  a.wants = CAB_WANTS_SHAPES;
  CU_ASSERT_PTR_NOT_NULL (cab_keyed_wrong (&a));
  a.wants = 0;
  a.key = CAB_KEY_TARGET;
  CU_ASSERT_PTR_NOT_NULL (cab_keyed_wrong (&a));
  a.key = CAB_KEY_OWN;
  CU_ASSERT_PTR_NOT_NULL (cab_keyed_wrong (&a));
  a.key = CAB_KEY_ADDRESS;
  a.key_log2 = CAB_KEY_LOG2_MOST + 1;
  CU_ASSERT_PTR_NOT_NULL (cab_keyed_wrong (&a));
  a.key_log2 = CAB_KEY_LOG2_MOST;
  CU_ASSERT_PTR_NULL (cab_keyed_wrong (&a));
  a.key = (enum cab_key) 99;
  CU_ASSERT_PTR_NOT_NULL (cab_keyed_wrong (&a));
}

/* Neighbouring numbers, and addresses at strides of powers of two, go to all parts about alike. */
static void
test_balance (void)
{
  for (unsigned log2 = 0; log2 < 24; log2++)
    for (uint32_t n = 2; n <= 64; n *= 2)
      {
	uint32_t site[CAB_KEYED_ROWS];
	uint8_t form[CAB_KEYED_ROWS];
	struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = CAB_KEYED_ROWS, .site = site,
				   .form = form };
	struct cab_analysis analysis = { .kinds = 1u << CAB_EV_ACCESS, .shard = CAB_SHARD_KEY,
					 .feed = cab_methods.feed };
	for (uint32_t i = 0; i < CAB_KEYED_ROWS; i++)
	  {
	    site[i] = i << (log2 < 23 ? log2 : 23);
	    form[i] = CAB_ROW_READ;
	  }
	to.analysis = &analysis;
	to.n = n;
	feed_parts (NULL, &batch, NULL);
	for (uint32_t p = 0; p < n; p++)
	  {
	    CU_ASSERT (to.rows[p].batch.n <= 3 * CAB_KEYED_ROWS / n);
	    to.rows[p].batch.n = 0;
	  }
      }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = { { "parts by key", test_parts }, { "blocks of memory", test_blocks },
			  { "accesses of any size", test_huge }, { "wrong keys", test_wrong },
			  { "balance", test_balance }, CU_TEST_INFO_NULL };
  return run_seeded (argc, argv, "keyed", tests);
}
