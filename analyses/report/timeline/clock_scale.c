/* clock_scale.c - see clock_scale.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/clock_scale.h"
#include <math.h>
#include <time.h>
#include <x86intrin.h>

#define FAR_NS 1000000u      /* pairs that are this far apart give a rate exact to 1e-4 */
#define WHILE_NS 10000000u   /* how long the rate is measured here */
#define ALIKE 0.001          /* rates that differ by less are of the same counter */

static struct cab_clock_pair
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (struct cab_clock_pair) { __rdtsc (), (uint64_t) t.tv_sec * 1000000000 + t.tv_nsec };
}

/* Return the nanoseconds of a unit between the pairs A and B; 0: none. */
static double
rate (struct cab_clock_pair a, struct cab_clock_pair b)
{
  return a.ns && b.ns > a.ns && b.clock > a.clock ? (double) (b.ns - a.ns) / (b.clock - a.clock)
						  : 0;
}

/* Return the rate from FIRST up to now, if this machine's own rate is the same, else 0. */
static double
rate_here (struct cab_clock_pair first)
{
  const struct timespec a_while = { .tv_nsec = WHILE_NS };
  struct cab_clock_pair begin = now ();
  nanosleep (&a_while, NULL);
  struct cab_clock_pair end = now ();
  double own = rate (begin, end), whole = rate (first, end);
  return own && fabs (whole - own) < ALIKE * own ? whole : 0;
}

struct cab_clock_scale
cab_clock_scale_of (const struct cab_ledger *ledger)
{
  const struct cab_clock_pair *pairs = ledger->clocks, *latest = &pairs[0];
  struct cab_clock_scale scale = { .first = pairs[0], .varies = ledger->clock_varies };
  for (int i = 1; i < CAB_CLOCK_PAIRS; i++)
    latest = pairs[i].ns > latest->ns ? &pairs[i] : latest;
  scale.ns_per_unit = rate (pairs[0], *latest);
  if (scale.ns_per_unit && latest->ns - pairs[0].ns >= FAR_NS)
    return scale;
  double here = rate_here (pairs[0]);
  scale.is_rough = !here;
  scale.ns_per_unit = here ? here : scale.ns_per_unit ? scale.ns_per_unit : 1;
  return scale;
}
