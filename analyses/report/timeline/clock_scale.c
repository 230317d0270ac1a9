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
#define NEAR_NS 10000        /* what two readings of the clocks may be off */

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

/* Return the latest of a process' pairs of clocks. */
static struct cab_clock_pair
latest_of (const struct cab_ledger *ledger)
{
  struct cab_clock_pair latest = ledger->clocks[0];
  for (int i = 1; i < CAB_CLOCK_PAIRS; i++)
    latest = ledger->clocks[i].ns > latest.ns ? ledger->clocks[i] : latest;
  return latest;
}

/* Return true if the pairs A and B are of one counter that runs at RATE. */
static bool
on_line (struct cab_clock_pair a, struct cab_clock_pair b, double ns_per_unit)
{
  double units = (double) (int64_t) (b.clock - a.clock), ns = (double) (int64_t) (b.ns - a.ns);
  return fabs (units * ns_per_unit - ns) <= ALIKE * fabs (ns) + NEAR_NS;
}

/* Return the rate of the process of MODEL that lasted longest, if it had the same counter as one
   that began at FIRST; 0 if there is none that lasted long enough. */
static double
rate_of_others (const struct cab_model *model, struct cab_clock_pair first)
{
  uint64_t longest = FAR_NS;
  double found = 0;
  for (uint32_t i = 0; i < model->n_processes; i++)
    {
      const struct cab_ledger *ledger = &model->processes[i].ledger;
      struct cab_clock_pair begin = ledger->clocks[0], end = latest_of (ledger);
      double its = rate (begin, end);
      if (!its || end.ns - begin.ns < longest || !on_line (begin, first, its))
	continue;
      longest = end.ns - begin.ns;
      found = its;
    }
  return found;
}

struct cab_clock_scale
cab_clock_scale_of (const struct cab_model *model, uint32_t process)
{
  const struct cab_ledger *ledger = &model->processes[process].ledger;
  struct cab_clock_pair first = ledger->clocks[0], latest = latest_of (ledger);
  struct cab_clock_scale scale = { .first = first,
				   .ns_per_unit = 1,
				   .varies = ledger->clock_varies == CAB_CLOCK_VARIES,
				   .is_call = ledger->clock_varies == CAB_CLOCK_IS_CALL };
  if (scale.is_call)
    return scale;
  scale.ns_per_unit = rate (first, latest);
  if (scale.ns_per_unit && latest.ns - first.ns >= FAR_NS)
    return scale;
  double better = rate_of_others (model, first);
  better = better ? better : rate_here (first);
  scale.is_rough = !better;
  scale.ns_per_unit = better ? better : scale.ns_per_unit ? scale.ns_per_unit : 1;
  return scale;
}
