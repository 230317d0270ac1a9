/* tune_luck.c - see tune_luck.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_luck.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define LEAST_SAMPLES 400   /* of a loop in a run: with fewer, chance alone moves its time by more
			       than a few per cent */

static int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

/* Return the time of LOOP, or of the program if it is negative, in RUN; 0 if it is not known. */
static double
time_in (const struct cab_tune *tune, const struct cab_tune_run *run, int loop)
{
  if (loop < 0)
    return run->cpu_s;
  return run->loops && tune->grain > 0 && run->loops[loop] >= LEAST_SAMPLES * tune->grain
	 ? run->loops[loop]
	 : 0;
}

struct cab_tune_luck
cab_tune_luck_of (const struct cab_tune *tune, int loop)
{
  struct cab_tune_luck luck = { 0, 0, 0 };
  double *times = XCNEWVEC (double, tune->n_runs + 1);
  for (int k = 0, last = 0; k < tune->n_runs; k++)
    {
      const struct cab_tune_run *run = &tune->runs[k];
      double time = time_in (tune, run, loop);
      if (run->place <= last || strcmp (run->variant, tune->variants[0].name) || !(time > 0))
	continue;
      last = run->place;
      times[luck.n++] = time;
    }
  qsort (times, luck.n, sizeof *times, by_size);
  if (luck.n > 1)
    {
      double median = (times[(luck.n - 1) / 2] + times[luck.n / 2]) / 2;
      luck.low = times[0] / median;
      luck.high = times[luck.n - 1] / median;
    }
  else
    luck.n = 0;
  free (times);
  return luck;
}
