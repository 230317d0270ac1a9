/* period.c - the period of a sampling source: adaptive, randomised.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/period.h"

#define CLOSE_ENOUGH 0.05     /* a rate this close to the wanted one needs no new period */
#define LARGEST_STEP 16.0     /* one change is at most by this factor: the first windows of a run do
				 not represent it well */

void
cab_period_init (struct cab_period *period, uint64_t base, uint64_t least, uint64_t most,
		 double rate, uint64_t seed, uint64_t now_ns)
{
  if (base < least)
    base = least;
  *period = (struct cab_period) { .base = base,
				  .least = least,
				  .most = most,
				  .rate = rate,
				  .random = seed | 1,
				  .window_start = now_ns,
				  .changed = now_ns };
}

void
cab_period_count (struct cab_period *period, uint64_t now_ns, uint64_t n)
{
  uint64_t passed = now_ns - period->window_start;
  period->in_window += n;
  if (passed < CAB_PERIOD_WINDOW_NS)
    return;
  if (period->in_window)
    period->rates[period->n_windows++ % CAB_PERIOD_WINDOWS] = period->in_window * 1e9 / passed;
  period->in_window = 0;
  period->window_start = now_ns;
}

static double
mean_rate (const struct cab_period *period)
{
  uint32_t n = period->n_windows < CAB_PERIOD_WINDOWS ? period->n_windows : CAB_PERIOD_WINDOWS;
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += period->rates[i];
  return n ? sum / n : 0;
}

bool
cab_period_adapt (struct cab_period *period, uint64_t now_ns)
{
  double mean = mean_rate (period), factor = period->rate > 0 ? mean / period->rate : 1;
  if (now_ns - period->changed < CAB_PERIOD_HOLD_NS || mean == 0
      || (factor > 1 - CLOSE_ENOUGH && factor < 1 + CLOSE_ENOUGH))
    return false;
  if (factor > LARGEST_STEP)
    factor = LARGEST_STEP;
  if (factor < 1 / LARGEST_STEP)
    factor = 1 / LARGEST_STEP;
  double next = period->base * factor;
  uint64_t base = next < period->least ? period->least
		: next > period->most ? period->most
		: (uint64_t) next;
  if (base == period->base)
    return false;
  period->base = base;
  period->changed = now_ns;
  period->n_windows = 0;      /* rates under another period say nothing about this one */
  return true;
}

/* Draw random bits by xorshift64* (Vigna, 2016). */
static uint64_t
draw_bits (struct cab_period *period)
{
  uint64_t x = period->random;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  period->random = x;
  return x * UINT64_C (0x2545f4914f6cdd1d);
}

unsigned
cab_period_random_bits (uint64_t base)
{
  unsigned digits = base ? 64 - __builtin_clzll (base) : 0;
  if (digits < 4)
    return 0;
  return digits - 3 >= 8 ? digits - 3 : digits - 2 < 8 ? digits - 2 : 8;
}

uint64_t
cab_period_draw (struct cab_period *period)
{
  unsigned bits = cab_period_random_bits (period->base);
  if (!bits)
    return period->base ? period->base : 1;
  uint64_t drawn = period->base - (UINT64_C (1) << (bits - 1))
		 + (draw_bits (period) >> (64 - bits));
  return drawn ? drawn : 1;
}
