/* period.h - the period of a sampling source: adaptive, randomised.  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     Schneider, 2009, 3.4.3: p = p * M / L, M the mean rate of the last 20 windows of 100
 *             ms, L the rate that is wanted; at most every half second.  3.5: the low bits of the
 *             period are random, so that no loop of the program runs in step with it.
 * Model:      the caller passes the time.  Windows without a sample (the program waits) do not
 *             count.  The random part keeps the mean: base - 2^(bits - 1) + [0, 2^bits), with bits
 *             three less than the base has, and 8 or more where the base has them.
 * Units:      now_ns: any clock that does not go back.  Periods: in what the source counts.
 * Errors:     none.
 */
#ifndef CAB_PERIOD_H
#define CAB_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#define CAB_PERIOD_WINDOW_NS 100000000u
#define CAB_PERIOD_WINDOWS 20
#define CAB_PERIOD_HOLD_NS 500000000u

struct cab_period
{
  uint64_t base;                 /* without the random part */
  uint64_t least, most;          /* bounds of base, not of what is drawn */
  double rate;                   /* wanted, per second; 0 if base is fixed */
  uint64_t random;               /* state of the generator */
  uint64_t window_start, changed;
  uint64_t in_window;            /* samples */
  uint32_t n_windows;            /* windows with samples since the base was changed */
  double rates[CAB_PERIOD_WINDOWS];
};

/* Start with period BASE, between LEAST and MOST, aiming at RATE samples per second.  SEED is of
   the random bits. */
void cab_period_init (struct cab_period *period, uint64_t base, uint64_t least, uint64_t most,
		      double rate, uint64_t seed, uint64_t now_ns);

/* Count N samples since the last call. */
void cab_period_count (struct cab_period *period, uint64_t now_ns, uint64_t n);

/* Change the base if it is time to and the rate asks for it; return true if it was changed. */
bool cab_period_adapt (struct cab_period *period, uint64_t now_ns);

/* Return the period to program: the base with its low bits random. */
uint64_t cab_period_draw (struct cab_period *period);
/* Return the number of random low bits of a period BASE. */
unsigned cab_period_random_bits (uint64_t base);

#endif
