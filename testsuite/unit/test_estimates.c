/* test_estimates.c - what a share of the events says about all of them: the intervals hold the true
 * counts as often as they promise, and the bursts of strata are as good as random ones, replayed
 * over the same events with many seeds.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <CUnit/Basic.h>
#include "analyses/base/heap.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/bursts/an_estimates.h"
#include "analyses/live/an_methods.h"
#include "analyses/live/an_paths.h"
#include "analyses/live/bursts/strata.h"
#include "analyses/profile/partial/estimated.h"

#define EVENTS 400000u
#define CALLEES 40u
#define BURST 8u
#define SEEDS 30u

static uint64_t events[EVENTS];
static uint64_t truth[CALLEES + 1];

static uint64_t random_state;

static uint32_t
draw (uint32_t n)
{
  random_state = random_state * UINT64_C (6364136223846793005) + 1442695040888963407;
  return (random_state >> 33) % n;
}

/* Make the calls of a program that has phases, each with a loop that calls a few functions in turn,
   and now and then rare ones: frequencies range from a third of all to a few hundred. */
static void
make_events (void)
{
  uint32_t phase = 0, left = 0, turn = 0;
  random_state = 1;
  memset (truth, 0, sizeof truth);
  for (uint32_t i = 0; i < EVENTS; i++)
    {
      if (!left--)
	{
	  phase = draw (6);
	  left = 200 + draw (5000) / (1 + phase);
	}
      uint32_t callee = draw (60) ? 1 + phase * 3 + turn++ % (1 + phase % 3)
				  : 19 + draw (22) * draw (22) / 22;
      events[i] = CAB_EV_CALL | (uint64_t) callee << CAB_EV_CALLEE_SHIFT
		| (uint64_t) (callee % 7) << CAB_EV_SITE_SHIFT;
      truth[callee]++;
    }
}

/* Feed burst NUMBER with WEIGHT to both states. */
static void
feed_burst (struct cab_arena *calls, struct cab_arena *estimates, uint64_t number, uint32_t weight)
{
  struct cab_burst burst = { number, BURST, weight };
  struct cab_batch batch = { .kind = CAB_EV_CALL,
			     .n = BURST,
			     .events = events + number * BURST,
			     .burst = &burst,
			     .n_bursts = 1 };
  cab_calls.feed (calls, &batch, NULL);
  cab_estimates.feed (estimates, &batch, NULL);
}

/* What many runs together say. */
struct verdict
{
  uint64_t n, held;     /* intervals, and those that hold the true count */
  double error;         /* sum of relative errors */
  double sum[CALLEES + 1];
};

static void
judge (struct verdict *v, const struct cab_arena *calls, const struct cab_arena *estimates,
       uint64_t least)
{
  uint64_t count[CALLEES + 1] = { 0 };
  struct cab_calls_row row;
  for (uint64_t cursor = 0; cab_calls_next (calls, &cursor, &row);)
    count[row.callee] = row.count;
  for (uint32_t i = 1; i <= CALLEES; i++)
    {
      double off = fabs ((double) count[i] - truth[i]);
      v->sum[i] += count[i];
      if (truth[i] < least)
	continue;
      double variance = cab_estimates_variance (estimates, CAB_ESTIMATE_CALL, i % 7, i);
      v->n++;
      v->held += off <= cab_estimate_within (variance, count[i]);
      v->error += off / truth[i];
    }
}

/* Estimate SEEDS times at RATE, by strata or by bursts that are each drawn by themselves. */
static struct verdict
estimate (uint32_t rate, bool by_strata)
{
  struct verdict v = { 0 };
  uint32_t n = EVENTS / BURST, w = CAB_RATE_WHOLE / rate;
  for (uint32_t seed = 1; seed <= SEEDS; seed++)
    {
      struct cab_arena calls, estimates;
      struct cab_strata s;
      cab_heap_open (&calls, &cab_calls);
      cab_heap_open (&estimates, &cab_estimates);
      cab_strata_begin (&s, rate, seed);
      random_state = seed;
      if (by_strata)
	for (uint64_t b; (b = cab_strata_next (&s, 0)) < n;)
	  feed_burst (&calls, &estimates, b, cab_strata_read (&s, false));
      else
	for (uint32_t b = 0; b < n; b++)
	  if (!draw (w))
	    feed_burst (&calls, &estimates, b, w);
      judge (&v, &calls, &estimates, 10 * w);
      CU_ASSERT_EQUAL (cab_calls.applied (&calls), cab_estimates.applied (&estimates));
      cab_heap_fini (&calls);
      cab_heap_fini (&estimates);
    }
  return v;
}

static void
test_intervals (void)
{
  static const uint32_t rates[] = { 10000, 50000, 200000, 500000 };
  make_events ();
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    {
      struct verdict strata = estimate (rates[i], true), bursts = estimate (rates[i], false);
      double ratio = strata.error / bursts.error, share = (double) strata.held / strata.n;
      printf ("%u: %lu intervals, %.3f hold (random bursts: %.3f), error %.4f (%.4f)\n", rates[i],
	      (unsigned long) strata.n, share, (double) bursts.held / bursts.n,
	      strata.error / strata.n, bursts.error / bursts.n);
      CU_ASSERT (strata.n >= SEEDS * 10);
      CU_ASSERT (share >= 0.95);
      CU_ASSERT (bursts.held >= 0.94 * bursts.n);
      CU_ASSERT (ratio <= 1.2);
      for (uint32_t k = 1; k <= CALLEES; k++)
	CU_ASSERT (fabs (strata.sum[k] / SEEDS - truth[k])
		   <= 0.02 * truth[k] + 4 * sqrt (truth[k] * 8e6 / rates[i] / SEEDS));
    }
}

/* All events are read at 100 %: the counts are exact, and say so. */
static void
test_whole (void)
{
  struct cab_arena calls, estimates;
  struct cab_strata s;
  struct cab_calls_row row;
  make_events ();
  cab_heap_open (&calls, &cab_calls);
  cab_heap_open (&estimates, &cab_estimates);
  cab_strata_begin (&s, CAB_RATE_WHOLE, 3);
  for (uint64_t b; (b = cab_strata_next (&s, 0)) < EVENTS / BURST;)
    feed_burst (&calls, &estimates, b, cab_strata_read (&s, false));
  for (uint64_t cursor = 0; cab_calls_next (&calls, &cursor, &row);)
    {
      CU_ASSERT_EQUAL (row.count, truth[row.callee]);
      CU_ASSERT_EQUAL (cab_estimates_variance (&estimates, CAB_ESTIMATE_CALL, row.site, row.callee),
		       0);
    }
  cab_heap_fini (&calls);
  cab_heap_fini (&estimates);
}

/* Each stratum has one burst, and the weights of those read add up to all bursts, whatever the
   width. */
static void
test_strata (void)
{
  static const uint32_t rates[] = { 1, 333, 30000, 50000, 666667, 750000, 1000000 };
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    {
      struct cab_strata s;
      uint64_t n = 0, sum = 0, last = 0;
      cab_strata_begin (&s, rates[i], 7);
      while (n < 3000)
	{
	  uint64_t b = cab_strata_next (&s, 0);
	  CU_ASSERT (!n || b > last);
	  CU_ASSERT (b >= s.begin && b < s.end && s.begin == sum);
	  last = b;
	  sum += cab_strata_read (&s, false);
	  n++;
	}
      CU_ASSERT_DOUBLE_EQUAL ((double) sum * rates[i] / CAB_RATE_WHOLE / n, 1, 0.001);
    }
  struct cab_strata none;
  cab_strata_begin (&none, 0, 1);
  CU_ASSERT_EQUAL (cab_strata_next (&none, 0), UINT64_MAX);
}

/* What could not be read is made up for by what is read next. */
static void
test_owed (void)
{
  struct cab_strata s;
  uint64_t sum = 0, b = 0;
  cab_strata_begin (&s, 50000, 5);
  for (int i = 0; i < 1000; i++)
    {
      b = cab_strata_next (&s, i == 500 ? b + 100000 : 0);   /* a lap that nobody read */
      if (i % 3)
	sum += cab_strata_read (&s, i == 998);
      else
	cab_strata_miss (&s);
    }
  CU_ASSERT_EQUAL (sum + s.owed, s.end);
  CU_ASSERT (s.owed <= 20);
}

/* The rate is halved on request, within bounds, and doubled after idle chunks, up to the one that
   was asked for. */
static void
test_rate (void)
{
  struct cab_strata s;
  cab_strata_begin (&s, 50000, 5);
  uint64_t width = s.width;
  CU_ASSERT (cab_strata_slow (&s, 100) && s.width == 2 * width);
  CU_ASSERT (cab_strata_slow (&s, 100) && s.width == 4 * width);
  CU_ASSERT (!cab_strata_slow (&s, 100) && s.width == 4 * width);
  for (int i = 0; i < 15; i++)
    CU_ASSERT (!cab_strata_note (&s, true));
  CU_ASSERT (!cab_strata_note (&s, false));
  CU_ASSERT_EQUAL (s.width, 4 * width);
  for (int i = 0; i < 16; i++)
    CU_ASSERT_EQUAL (cab_strata_note (&s, true), i == 15);
  CU_ASSERT_EQUAL (s.width, 2 * width);
  for (int i = 0; i < 100; i++)
    cab_strata_note (&s, true);
  CU_ASSERT_EQUAL (s.width, width);
}

/* Events of one burst count together, also where they come in several batches, and as a path that
   was taken several times. */
static void
test_variance (void)
{
  struct cab_arena a;
  uint64_t fn = UINT64_C (2) << CAB_EV_FN_SHIFT, path = 1 << CAB_EV_PATH_SHIFT;
  uint64_t one = fn | path | CAB_EV_PATH,
	   three = fn | path | CAB_EV_RUN | UINT64_C (3) << CAB_EV_RUN_SHIFT;
  uint64_t words[] = { one, three, one };
  struct cab_burst bursts[] = { { 4, 2, 10 }, { 5, 3, 20 } };
  struct cab_batch batch = { .kind = CAB_EV_PATH, .n = 3, .events = words, .has_runs = 1,
			     .burst = bursts, .n_bursts = 2 };
  cab_heap_open (&a, &cab_estimates);
  cab_estimates.feed (&a, &batch, NULL);
  CU_ASSERT_EQUAL (cab_batch_events (&batch), 4 * 10 + 20);
  CU_ASSERT_EQUAL (cab_estimates.applied (&a), 60);
  double variance = 10 * 9 * 16 + 20 * 19;
  CU_ASSERT_EQUAL (cab_estimates_variance (&a, CAB_ESTIMATE_PATH, 2, 1), variance);
  struct cab_burst rest = { 5, 1, 20 };
  batch.n = batch.n_bursts = 1;
  batch.burst = &rest;
  cab_estimates.feed (&a, &batch, NULL);
  CU_ASSERT_EQUAL (cab_estimates_variance (&a, CAB_ESTIMATE_PATH, 2, 1),
		   variance + 20 * 19 * 3);
  cab_heap_fini (&a);
}

/* Accesses count by the weights of their bursts, of the same size or not, whether a weight is odd
   or even; those of one burst count together. */
static void
test_accesses (void)
{
  struct cab_arena accesses, a;
  struct cab_accesses_row row;
  const uint32_t site[] = { 3, 5, 3, 5, 5 };
  const uint8_t form[] = { CAB_ROW_READ, CAB_ROW_WRITE, CAB_ROW_READ, CAB_ROW_WRITE, CAB_ROW_READ };
  const uint64_t address[] = { 8, 16, 24, 32, 40 }, bytes[] = { 4, 8, 4, 16, 1 };
  const struct cab_burst bursts[] = { { 7, 3, 10 }, { 9, 5, 3 } };
  struct cab_batch batch = { .kind = CAB_EV_ACCESS, .n = 5, .site = site, .form = form,
			     .address = address, .bytes = bytes, .burst = bursts, .n_bursts = 2 };
  cab_heap_open (&accesses, &cab_accesses);
  cab_heap_open (&a, &cab_estimates);
  cab_accesses.feed (&accesses, &batch, NULL);
  cab_estimates.feed (&a, &batch, NULL);
  CU_ASSERT_EQUAL (cab_batch_events (&batch), 3 * 10 + 2 * 3);
  CU_ASSERT_EQUAL (cab_accesses.applied (&accesses), 36);
  CU_ASSERT_EQUAL (cab_estimates.applied (&a), 36);
  uint64_t cursor = 0;
  CU_ASSERT (cab_accesses_next (&accesses, &cursor, &row));
  CU_ASSERT (row.number == 3 && row.n[CAB_ROW_READ] == 20 && row.bytes == 80);
  CU_ASSERT (cab_accesses_next (&accesses, &cursor, &row));
  CU_ASSERT (row.number == 5 && row.n[CAB_ROW_WRITE] == 13 && row.n[CAB_ROW_READ] == 3);
  CU_ASSERT_EQUAL (row.bytes, 10 * 8 + 3 * 16 + 3 * 1);
  CU_ASSERT (!cab_accesses_next (&accesses, &cursor, &row));
  CU_ASSERT_EQUAL (cab_estimates_variance (&a, CAB_ESTIMATE_ACCESS, 3, 0), 10 * 9 * 4);
  CU_ASSERT_EQUAL (cab_estimates_variance (&a, CAB_ESTIMATE_ACCESS, 5, 0), 10 * 9 + 3 * 2 * 4);
  cab_heap_fini (&accesses);
  cab_heap_fini (&a);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("estimates", NULL, NULL);
  CU_add_test (suite, "intervals hold the true counts", test_intervals);
  CU_add_test (suite, "100 % is exact", test_whole);
  CU_add_test (suite, "strata", test_strata);
  CU_add_test (suite, "what is owed", test_owed);
  CU_add_test (suite, "the rate adapts", test_rate);
  CU_add_test (suite, "variance", test_variance);
  CU_add_test (suite, "accesses", test_accesses);
  CU_basic_set_mode (CU_BRM_NORMAL);
  CU_basic_run_tests ();
  int failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
