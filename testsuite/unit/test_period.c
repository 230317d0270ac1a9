/* test_period.c - adaptive and randomised periods are right, with a simulated counter.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <CUnit/Basic.h>
#include <string.h>
#include "loopfb/sample/period.h"

#define ELEMENTS 8
#define SAMPLES 80000
#define MS UINT64_C (1000000)

enum how { FIXED, PER_WAKE_UP, PER_EXPIRY };

/* A program only goes through a loop of ELEMENTS parts of LENGTH events each, and is sampled every
   BASE events or so; return how many samples hit each part. After Schneider, 3.5.2: the counter is
   exact, so is the distribution. */
static void
simulate (uint64_t base, uint64_t length, enum how how, uint64_t hits[ELEMENTS])
{
  struct cab_period period;
  uint64_t count = 0, next = base;
  cab_period_init (&period, base, 1, UINT64_MAX, 0, 1, 0);
  memset (hits, 0, ELEMENTS * sizeof *hits);
  for (unsigned i = 0; i < SAMPLES; i++)
    {
      if (how == PER_EXPIRY || (how == PER_WAKE_UP && i % 50 == 0))
	next = cab_period_draw (&period);
      count += next;
      hits[count / length % ELEMENTS]++;
    }
}

static uint64_t
most_of (const uint64_t *hits)
{
  uint64_t most = 0;
  for (int i = 0; i < ELEMENTS; i++)
    most = hits[i] > most ? hits[i] : most;
  return most;
}

static uint64_t
least_of (const uint64_t *hits)
{
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < ELEMENTS; i++)
    least = hits[i] < least ? hits[i] : least;
  return least;
}

/* The loop's length divides the period. With a fixed period one part gets everything and the others
   nothing; randomised after each sample, each gets its eighth; randomised per wake-up, the worst is
   off by a factor, as the thesis found (around 4). */
static void
test_bias (void)
{
  uint64_t hits[ELEMENTS];
  simulate (100000, 1, FIXED, hits);
  CU_ASSERT_EQUAL (most_of (hits), SAMPLES);
  CU_ASSERT_EQUAL (least_of (hits), 0);
  simulate (100000, 1, PER_EXPIRY, hits);
  CU_ASSERT (most_of (hits) < 10500 && least_of (hits) > 9500);
  simulate (100000, 1, PER_WAKE_UP, hits);
  CU_ASSERT (most_of (hits) < 4 * least_of (hits));
}

/* Fig. 3.14: periods from 99,980 to 100,020. A fixed one is good by luck only; randomised ones are
   all good. */
static void
test_neighbours (void)
{
  unsigned n_wrong = 0;
  for (uint64_t base = 99980; base <= 100020; base++)
    {
      uint64_t hits[ELEMENTS];
      simulate (base, 1, FIXED, hits);
      n_wrong += most_of (hits) > 2 * least_of (hits);
      simulate (base, 1, PER_EXPIRY, hits);
      CU_ASSERT (most_of (hits) < 10600 && least_of (hits) > 9400);
    }
  CU_ASSERT (n_wrong > 10);
}

/* The same holds for a long loop: a quarter of the period. */
static void
test_long_loop (void)
{
  uint64_t hits[ELEMENTS];
  simulate (1 << 20, (1 << 18) / ELEMENTS, FIXED, hits);
  CU_ASSERT_EQUAL (most_of (hits), SAMPLES);
  simulate (1 << 20, (1 << 18) / ELEMENTS, PER_EXPIRY, hits);
  CU_ASSERT (most_of (hits) < 10600 && least_of (hits) > 9400);
}

static void
test_mean (void)
{
  static const uint64_t bases[] = { 0, 1, 7, 8, 200, 1000, 100000, 2000000, UINT64_C (1) << 40 };
  for (unsigned k = 0; k < sizeof bases / sizeof *bases; k++)
    {
      struct cab_period period;
      double sum = 0;
      cab_period_init (&period, bases[k], 0, UINT64_MAX, 0, 12345, 0);
      for (int i = 0; i < 20000; i++)
	{
	  uint64_t drawn = cab_period_draw (&period);
	  CU_ASSERT (drawn >= 1 && drawn <= 2 * bases[k] + 1);
	  sum += drawn;
	}
      CU_ASSERT (bases[k] < 100
		 || (sum / 20000 > 0.98 * bases[k] && sum / 20000 < 1.02 * bases[k]));
    }
  CU_ASSERT_EQUAL (cab_period_random_bits (100000), 14);
  CU_ASSERT_EQUAL (cab_period_random_bits (1000), 8);
  CU_ASSERT_EQUAL (cab_period_random_bits (3), 0);
}

/* Watch a counter of PER_SECOND events for SECONDS; return the number of changes. */
static unsigned
adapt (struct cab_period *period, double per_second, unsigned seconds, uint64_t *now)
{
  unsigned n_changes = 0;
  double rest = 0;
  uint64_t last = 0;
  for (unsigned i = 0; i < 10 * seconds; i++)
    {
      *now += 100 * MS;
      double n = per_second / 10 / period->base + rest;
      rest = n - (uint64_t) n;
      cab_period_count (period, *now, n);
      if (cab_period_adapt (period, *now))
	{
	  CU_ASSERT (!last || *now - last >= CAB_PERIOD_HOLD_NS);
	  last = *now;
	  n_changes++;
	}
    }
  return n_changes;
}

static void
test_adapts (void)
{
  struct cab_period period;
  uint64_t now = 1000;
  cab_period_init (&period, 2000000, 1000, UINT64_MAX, 500, 1, now);
  adapt (&period, 4e9, 10, &now);
  CU_ASSERT (4e9 / period.base > 450 && 4e9 / period.base < 550);
  adapt (&period, 2e7, 20, &now);
  CU_ASSERT (2e7 / period.base > 450 && 2e7 / period.base < 550);
  /* A period at its rate stays. */
  CU_ASSERT_EQUAL (adapt (&period, period.base * 500.0, 10, &now), 0);
  /* A program that waits says nothing about the period. */
  uint64_t base = period.base;
  CU_ASSERT_EQUAL (adapt (&period, 0, 10, &now), 0);
  CU_ASSERT_EQUAL (period.base, base);
}

/* Run N windows of RATE samples in a second; return how often the period was changed. */
static unsigned
windows (struct cab_period *period, unsigned n, double rate, uint64_t *now)
{
  unsigned n_changes = 0;
  for (unsigned i = 0; i < n; i++)
    {
      *now += CAB_PERIOD_WINDOW_NS;
      cab_period_count (period, *now, rate / 10);
      n_changes += cab_period_adapt (period, *now);
    }
  return n_changes;
}

/* The mean is over the last 20 windows of 100 ms: one window at twice the rate among 20 is no
   reason for a change, two are; and older ones do not count. */
static void
test_average (void)
{
  struct cab_period period;
  uint64_t now = 0;
  cab_period_init (&period, 100000, 1000, UINT64_MAX, 1000, 1, now);
  CU_ASSERT_EQUAL (windows (&period, 20, 1000, &now), 0);
  CU_ASSERT_EQUAL (windows (&period, 1, 1900, &now), 0);
  CU_ASSERT_EQUAL (windows (&period, 19, 1000, &now), 0);
  CU_ASSERT_EQUAL (windows (&period, 1, 1000, &now), 0);
  CU_ASSERT_EQUAL (windows (&period, 1, 1900, &now), 0);
  CU_ASSERT_EQUAL (windows (&period, 18, 1000, &now), 0);
  CU_ASSERT_EQUAL (period.base, 100000);
  CU_ASSERT_EQUAL (windows (&period, 1, 1900, &now), 1);
  CU_ASSERT (period.base > 108900 && period.base < 109100);
  /* There is half a second from one change to the next, and from the start. */
  CU_ASSERT_EQUAL (windows (&period, 4, 3000, &now), 0);
  CU_ASSERT_EQUAL (windows (&period, 1, 3000, &now), 1);
  CU_ASSERT (period.base > 326000 && period.base < 328000);
  /* A window is not over before its 100 ms. */
  cab_period_init (&period, 100000, 1000, UINT64_MAX, 1000, 1, now = 0);
  for (int i = 1; i < 10; i++)
    cab_period_count (&period, i * CAB_PERIOD_WINDOW_NS / 10, 10);
  CU_ASSERT_EQUAL (period.n_windows, 0);
}

static void
test_bounds (void)
{
  struct cab_period period;
  uint64_t now = 0;
  cab_period_init (&period, 1000, 900, 5000, 100, 1, now);
  adapt (&period, 1e9, 10, &now);
  CU_ASSERT_EQUAL (period.base, 5000);
  adapt (&period, 1000, 100, &now);
  CU_ASSERT_EQUAL (period.base, 900);
  /* A fixed period does not move. */
  cab_period_init (&period, 1000, 900, 5000, 0, 1, now);
  CU_ASSERT_EQUAL (adapt (&period, 1e9, 10, &now), 0);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("period", NULL, NULL);
  CU_ADD_TEST (suite, test_bias);
  CU_ADD_TEST (suite, test_neighbours);
  CU_ADD_TEST (suite, test_long_loop);
  CU_ADD_TEST (suite, test_mean);
  CU_ADD_TEST (suite, test_adapts);
  CU_ADD_TEST (suite, test_average);
  CU_ADD_TEST (suite, test_bounds);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}
