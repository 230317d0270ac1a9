/* decode.c - words are decoded to batches: columns, order, limits, escapes, and words that are no
 * events.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "cabprof/event.h"
#include "judge.h"
#include "analyses/wire/decode.h"

static struct cab_decode d;

static uint64_t
call (unsigned form, uint64_t depth, uint64_t callee, uint64_t site)
{
  return depth << CAB_EV_DEPTH_SHIFT | callee << CAB_EV_CALLEE_SHIFT | site << CAB_EV_SITE_SHIFT
       | form;
}

static uint64_t
path (unsigned form, uint64_t fn, uint64_t number)
{
  return fn << CAB_EV_FN_SHIFT | number << CAB_EV_PATH_SHIFT | form;
}

static int
is_row (uint32_t i, uint32_t fn, uint64_t number, uint64_t times, unsigned form)
{
  uint64_t row = d.path.events[i];
  return i < d.path.n && cab_ev_fn (row) == fn && cab_ev_path (row) == number
      && cab_ev_times (row) == times && cab_ev_kind (row) == form;
}

static void
check_columns (void)
{
  const uint64_t words[] = { call (CAB_EV_CALL, 0xfffff, 0xffffe, 0xffffd),
			     path (CAB_EV_PATH, 7, CAB_EV_PATH_MASK),
			     0,
			     call (CAB_EV_TAIL, 1, 2, 3),
			     CAB_EV_MAGIC,
			     path (CAB_EV_PATH_LAST, 0xfffff, 0),
			     call (CAB_EV_UNDER, 4, 5, 0),
			     path (CAB_EV_PATH, 0, 1),
			     call (CAB_EV_CALL, 1, 0, 1),
			     0x10 | CAB_EV_ACCESS };
  d.n_unknown = d.n_unregistered = 0;
  CHECK (cab_decode (&d, words, 10, 3) == 10, "all taken");
  CHECK (d.call.n == 3 && d.call.kind == CAB_EV_CALL && d.call.thread == 3, "%u calls", d.call.n);
  CHECK (d.call.events[0] == words[0] && d.call.events[1] == words[3]
	   && d.call.events[2] == words[6],
	 "calls");
  CHECK (cab_ev_depth (words[3]) == 1 && cab_ev_callee (words[3]) == 2
	   && cab_ev_site (words[3]) == 3 && cab_ev_kind (words[3]) == CAB_EV_TAIL,
	 "fields");
  CHECK (d.path.n == 2 && d.path.kind == CAB_EV_PATH && !d.path.site && !d.path.node, "%u paths",
	 d.path.n);
  CHECK (is_row (0, 7, CAB_EV_PATH_MASK, 1, CAB_EV_PATH)
	   && is_row (1, 0xfffff, 0, 1, CAB_EV_PATH_LAST),
	 "paths");
  CHECK (d.n_unregistered == 2 && d.n_unknown == 1, "%lu %lu", d.n_unregistered, d.n_unknown);
}

/* Events of accesses take no room from the calls between them, and a batch has no more calls than
   it holds. */
static void
check_accesses_between (void)
{
  static uint64_t words[8 * CAB_BATCH_MAX];
  for (size_t i = 0; i < 8 * CAB_BATCH_MAX; i += 4)
    {
      words[i] = UINT64_C (1) << CAB_EV_FN_SHIFT | 2 << CAB_EV_WORDS_SHIFT | CAB_EV_ACCESS;
      words[i + 3] = call (CAB_EV_CALL, 1, 2, 3);
    }
  d.n_raw = d.n_accesses = 0;
  CHECK (cab_decode (&d, words, 3 * CAB_BATCH_MAX, 0) == 3 * CAB_BATCH_MAX
	   && d.call.n == 3 * CAB_BATCH_MAX / 4,
	 "%u calls", d.call.n);
  CHECK (d.n_accesses == 3 * CAB_BATCH_MAX / 4 && d.n_raw == 2 * d.n_accesses,
	 "%lu accesses, %lu raw words", d.n_accesses, d.n_raw);
  size_t taken = cab_decode (&d, words, 8 * CAB_BATCH_MAX, 0);
  CHECK (d.call.n <= CAB_BATCH_MAX && d.call.n > CAB_BATCH_MAX - 32 && taken / 4 == d.call.n,
	 "%zu words, %u calls", taken, d.call.n);
}

static void
check_limits (void)
{
  static uint64_t words[3 * CAB_BATCH_MAX];
  for (size_t i = 0; i < 3 * CAB_BATCH_MAX; i++)
    words[i] = path (CAB_EV_PATH, 1, i);
  CHECK (cab_decode (&d, words, 3 * CAB_BATCH_MAX, 0) == CAB_BATCH_MAX && d.path.n == CAB_BATCH_MAX,
	 "a batch");
  CHECK (cab_decode (&d, words, 5, 0) == 5 && d.path.n == 5 && d.call.n == 0, "a short batch");
  CHECK (cab_decode (&d, words, 0, 0) == 0 && d.path.n == 0, "nothing");
  words[CAB_BATCH_MAX - 1] = UINT64_C (10) << 4 | CAB_EV_ESCAPE;
  CHECK (cab_decode (&d, words, 3 * CAB_BATCH_MAX, 0) == CAB_BATCH_MAX + 10
	   && d.path.n == CAB_BATCH_MAX - 1,
	 "an escape at the end");
  words[0] = UINT64_C (4000) << 4 | CAB_EV_ESCAPE;
  CHECK (cab_decode (&d, words, 100, 0) == 100 && d.path.n == 0, "an escape that is cut off");
}

/* Paths and runs are left in place where they are adjacent, and gathered once otherwise. */
static void
check_rows (void)
{
  static uint64_t words[CAB_BATCH_MAX];
  for (uint64_t i = 0; i < CAB_BATCH_MAX; i++)
    words[i] = path (CAB_EV_PATH, 1, i);
  CHECK (cab_decode (&d, words, 100, 0) == 100 && d.path.events == words && !d.path.has_runs
	   && cab_batch_events (&d.path) == 100,
	 "in place");
  words[70] = path (CAB_EV_RUN, 3, (uint64_t) 0x1ffffff << 15 | 0x7fff);
  words[71] = path (CAB_EV_RUN_HIGH, 3, 2 << 15 | 5);
  CHECK (cab_decode (&d, words, 100, 0) == 100 && d.path.n == 100 && d.path.has_runs, "runs");
  CHECK (is_row (70, 3, 0x7fff, 0x1ffffff, CAB_EV_RUN)
	   && is_row (71, 3, 5, UINT64_C (2) << 25, CAB_EV_RUN_HIGH),
	 "times");
  CHECK (cab_batch_events (&d.path) == 98 + 0x1ffffff + (UINT64_C (2) << 25), "%lu events",
	 cab_batch_events (&d.path));
  words[80] = 0;
  words[200] = call (CAB_EV_CALL, 1, 1, 1);
  CHECK (cab_decode (&d, words, CAB_BATCH_MAX, 0) == CAB_BATCH_MAX && d.path.n == CAB_BATCH_MAX - 2
	   && d.call.n == 1,
	 "%u", d.path.n);
  for (uint32_t i = 0, at = 0; i < d.path.n; i++, at++)
    {
      at += at == 80 || at == 200;
      CHECK (d.path.events[i] == words[at], "row %u", i);
    }
}

/* Calls of any form are gathered too; those of no function are left out. */
static void
check_calls (void)
{
  static uint64_t words[200];
  for (uint64_t i = 0; i < 200; i++)
    words[i] = call (i % 3 == 0 ? CAB_EV_CALL
		     : i % 3 == 1 ? CAB_EV_TAIL
		     : CAB_EV_UNDER,
		     i, 1 + i, i);
  CHECK (cab_decode (&d, words, 200, 0) == 200 && d.call.n == 200 && d.call.events == words,
	 "in place");
  words[0] = 0;
  CHECK (cab_decode (&d, words, 200, 0) == 200 && d.call.n == 199 && d.call.events == words + 1,
	 "in place from the first on");
  words[50] = call (CAB_EV_CALL, 1, 0, 1);
  d.n_unregistered = 0;
  CHECK (cab_decode (&d, words, 200, 0) == 200 && d.call.n == 198 && d.n_unregistered == 1, "%u",
	 d.call.n);
  for (uint32_t i = 0; i < 198; i++)
    CHECK (d.call.events[i] == words[i + (i < 49 ? 1 : 2)], "call %u", i);
}

/* Return a PACK of the N numbers at NUMBER. */
static uint64_t
pack (uint64_t fn, unsigned width, unsigned n, const uint32_t *number)
{
  uint64_t paths = 1u << 31 % width;
  for (unsigned i = 0; i < n; i++)
    paths = paths << width | number[i];
  return fn << CAB_EV_FN_SHIFT | paths << CAB_EV_PACK_SHIFT | width << 4 | CAB_EV_PACK;
}

static void
check_packs (void)
{
  static uint64_t words[2000];
  for (unsigned width = 1; width <= 15; width++)
    for (unsigned n = 1; n <= 31 / width; n++)
      {
	uint32_t number[31];
	for (unsigned i = 0; i < n; i++)
	  number[i] = (i * 0x2f35 + width) & ((1u << width) - 1);
	words[0] = path (CAB_EV_PATH, 5, 9);
	words[1] = pack (0xfffff, width, n, number);
	words[2] = path (CAB_EV_PATH_LAST, 5, 8);
	d.n_unknown = 0;
	CHECK (cab_decode (&d, words, 3, 0) == 3 && d.path.n == n + 2 && d.n_extra == n - 1
		 && !d.n_unknown,
	       "%u of width %u: %u", n, width, d.path.n);
	CHECK (is_row (0, 5, 9, 1, CAB_EV_PATH) && is_row (n + 1, 5, 8, 1, CAB_EV_PATH_LAST),
	       "around %u of width %u", n, width);
	for (unsigned i = 0; i < n; i++)
	  CHECK (is_row (1 + i, 0xfffff, number[i], 1, CAB_EV_PATH), "row %u of %u of width %u", i,
		 n, width);
      }
}

/* Words that stand for more than a batch holds come in several batches, each path once and in
   order; what is no pack is counted. */
static void
check_pack_limits (void)
{
  static uint64_t words[2000];
  uint32_t number[31], at = 0;
  uint64_t expected = 0;
  for (unsigned i = 0; i < 2000; i++)
    {
      for (unsigned k = 0; k < 7; k++)
	number[k] = (7 * i + k) & 15;
      words[i] = i % 10 < 7 ? pack (3, 4, 7, number) : path (CAB_EV_PATH, 3, (7 * i) & 15);
      expected += i % 10 < 7 ? 7 : 1;
    }
  for (size_t i = 0, taken; i < 2000; i += taken)
    {
      taken = cab_decode (&d, words + i, 2000 - i, 0);
      CHECK (taken && d.path.n <= CAB_BATCH_MAX && d.path.n == taken + d.n_extra,
	     "%zu words, %u rows", taken, d.path.n);
      at += d.path.n;
    }
  CHECK (at == expected, "%u paths", at);
  const uint64_t bad[] = { pack (0, 4, 2, number),
			   CAB_EV_PACK | 4 << 4 | UINT64_C (1) << CAB_EV_FN_SHIFT,
			   pack (3, 4, 0, number), pack (3, 5, 1, number) ^ 1 << 4 };
  d.n_unknown = d.n_unregistered = 0;
  CHECK (cab_decode (&d, bad, 4, 0) == 4 && d.path.n == 0 && d.n_unknown == 3
	   && d.n_unregistered == 1,
	 "%u rows, %lu unknown", d.path.n, d.n_unknown);
  for (unsigned i = 0; i < 4; i++)
    {
      const uint64_t among[] = { pack (3, 4, 7, number), bad[i], path (CAB_EV_RUN, 3, 5 << 15 | 2),
				 path (CAB_EV_PATH, 0, 1), pack (4, 4, 1, number) };
      d.n_unknown = d.n_unregistered = 0;
      CHECK (cab_decode (&d, among, 5, 0) == 5 && d.path.n == 9 && d.n_extra == 6
	       && d.path.has_runs,
	     "%u rows around %u", d.path.n, i);
      CHECK (is_row (7, 3, 2, 5, CAB_EV_RUN) && is_row (8, 4, number[0], 1, CAB_EV_PATH)
	       && d.n_unknown + d.n_unregistered == 2,
	     "behind %u", i);
    }
}

static void
check_runs (void)
{
  const uint64_t words[] = { 0,
			     call (CAB_EV_CALL, 0, 1, 0),
			     call (CAB_EV_TAIL, 0, 1, 0),
			     0,
			     path (CAB_EV_PATH, 1, 0),
			     path (CAB_EV_PATH_LAST, 1, 0),
			     call (CAB_EV_CALL, 0, 1, 0) };
  CHECK (cab_decode_run (words, 7) == 4, "calls");
  CHECK (cab_decode_run (words + 4, 3) == 2, "paths");
  CHECK (cab_decode_run (words + 6, 1) == 1, "the rest");
}

/* Any words give at most as many batches as words, and nothing out of bounds. */
static void
check_noise (void)
{
  uint64_t words[700], seed = 1;
  for (int round = 0; round < 2000; round++)
    {
      size_t n = round % 700, at = 0, events = 0;
      for (size_t i = 0; i < n; i++)
	words[i] = seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407,
	words[i] ^= words[i] >> 33;
      while (at < n)
	{
	  size_t taken = cab_decode (&d, words + at, n - at, 0);
	  CHECK (taken > 0 && taken <= n - at, "taken %zu of %zu", taken, n - at);
	  events += d.call.n + d.path.n - d.n_extra;
	  at += taken;
	}
      CHECK (events <= n, "%zu events of %zu words", events, n);
    }
}

int
main (void)
{
  check_columns ();
  check_limits ();
  check_accesses_between ();
  check_rows ();
  check_calls ();
  check_runs ();
  check_packs ();
  check_pack_limits ();
  check_noise ();
  return 0;
}
