/* decide_trials.c - see decide_trials.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/decide/decide_trials.h"
#include <math.h>
#include <stdlib.h>

/* A mean of logarithms, with the variance of this mean. */
struct mean
{
  double value, variance;
  int df;
};

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Return the trimmed mean of the N values at X, which are sorted here. */
static struct mean
trimmed (double *x, int n)
{
  int cut = n / 5, kept = n - 2 * cut;
  double sum = 0, all = 0, squares = 0;
  qsort (x, n, sizeof *x, compare);
  for (int i = 0; i < n; i++)
    {
      double winsorised = x[i < cut ? cut : i >= n - cut ? n - cut - 1 : i];
      all += winsorised;
      if (i >= cut && i < n - cut)
	sum += x[i];
    }
  for (int i = 0; i < n; i++)
    {
      double d = x[i < cut ? cut : i >= n - cut ? n - cut - 1 : i] - all / n;
      squares += d * d;
    }
  return (struct mean) { kept ? sum / kept : NAN,
			 kept > 1 ? squares / ((double) kept * (kept - 1)) : 0, kept - 1 };
}

/* Return the mean of what column B costs more than columns A0 and A1 in a round of PROCESS, as a
   logarithm.  SCRATCH has room for a number per round. */
static struct mean
of_process (const struct cab_trials_process *process, int n_columns, int a0, int a1, int b,
	    double *scratch)
{
  for (int i = 0; i < process->n_rounds; i++)
    {
      const double *cost = process->cost + (size_t) i * n_columns;
      scratch[i] = log (cost[b]) - (log (cost[a0]) + log (cost[a1])) / 2;
    }
  return trimmed (scratch, process->n_rounds);
}

/* Return the mean over N processes, weighted by their rounds, of which there are N_ROUNDS. */
static struct mean
over_processes (const struct mean *means, const struct cab_trials_process *processes, int n,
		int n_rounds)
{
  struct mean result = { 0, 0, 0 };
  double between = 0;
  for (int p = 0; p < n; p++)
    {
      double weight = (double) processes[p].n_rounds / n_rounds;
      if (!processes[p].n_rounds)
	continue;
      result.value += weight * means[p].value;
      result.variance += weight * weight * means[p].variance;
      result.df += means[p].df;
    }
  int used = 0;
  for (int p = 0; p < n; p++)
    if (processes[p].n_rounds)
      {
	double d = means[p].value - result.value;
	between += (double) processes[p].n_rounds / n_rounds * d * d;
	used++;
      }
  between = used > 1 ? between / (used - 1) : 0;
  if (between > result.variance)
    {
      result.variance = between;
      result.df = used - 1;
    }
  return result;
}

static int
count_rounds (const struct cab_trials_process *processes, int n, int *most)
{
  int all = 0;
  *most = 0;
  for (int p = 0; p < n; p++)
    {
      all += processes[p].n_rounds;
      *most = processes[p].n_rounds > *most ? processes[p].n_rounds : *most;
    }
  return all;
}

/* What the estimates are made of. */
struct figures
{
  const struct cab_trials_process *processes;
  int n, n_columns, n_rounds;
  double *scratch;          /* a number per round */
  struct mean *means;       /* a mean per process, of the last ratio */
};

/* Return the ratio of column B to columns A0 and A1, with an error of FLOOR besides its own. */
static struct cab_ratio
ratio_of (struct figures *f, int a0, int a1, int b, double floor)
{
  for (int p = 0; p < f->n; p++)
    f->means[p] = of_process (&f->processes[p], f->n_columns, a0, a1, b, f->scratch);
  struct mean mean = over_processes (f->means, f->processes, f->n, f->n_rounds);
  double half = mean.variance > 0 ? cab_student (mean.df) * sqrt (mean.variance) : 0;
  half = hypot (half, floor);
  return (struct cab_ratio) { exp (mean.value), exp (mean.value - half), exp (mean.value + half),
			      f->n_rounds };
}

/* Return the largest mean of a process, of those of the last ratio. */
static double
worst (const struct figures *f)
{
  double most = 0;
  for (int p = 0; p < f->n; p++)
    if (f->processes[p].n_rounds && fabs (f->means[p].value) > most)
      most = fabs (f->means[p].value);
  return most;
}

void
cab_trials_estimate (struct cab_trials_estimate *estimate,
		     const struct cab_trials_process *processes, int n, int n_columns)
{
  int most;
  struct figures f = { processes, n, n_columns, count_rounds (processes, n, &most), NULL, NULL };
  *estimate = (struct cab_trials_estimate) { .verdict = CAB_TRIALS_TOO_SHORT,
					     .n_rounds = f.n_rounds,
					     .n_columns = n_columns };
  if (f.n_rounds < CAB_TRIALS_LEAST || n_columns < CAB_TRIALS_CONTROLS)
    return;
  f.scratch = malloc (most * sizeof *f.scratch);
  f.means = malloc (n * sizeof *f.means);
  estimate->ratio = malloc (n_columns * sizeof *estimate->ratio);
  if (!f.scratch || !f.means || !estimate->ratio)
    abort ();
  estimate->placed = ratio_of (&f, 0, 0, 1, 0);
  estimate->same = ratio_of (&f, 2, 2, 3, 0);
  estimate->floor = worst (&f);
  for (int k = 0; k < n_columns; k++)
    estimate->ratio[k] = ratio_of (&f, 2, 3, k, estimate->floor);
  estimate->verdict = estimate->same.low > 1 + CAB_TRIALS_TOLERANCE
			  || estimate->same.high < 1 - CAB_TRIALS_TOLERANCE
			? CAB_TRIALS_NOT_MEASURABLE
			: CAB_TRIALS_MEASURED;
  free (f.scratch);
  free (f.means);
}

void
cab_trials_estimate_fini (struct cab_trials_estimate *estimate)
{
  free (estimate->ratio);
  estimate->ratio = NULL;
}

bool
cab_trials_is_noisy (const struct cab_trials_estimate *estimate)
{
  return estimate->ratio && estimate->same.high - estimate->same.low > CAB_TRIALS_WIDE;
}

/* Return true if column K is faster than the reference beyond the error, and than both copies of
   the function as it is. */
static bool
is_faster (const struct cab_trials_estimate *estimate, int k)
{
  const struct cab_ratio *ratio = estimate->ratio;
  return ratio[k].high < 1 && ratio[k].mean < ratio[0].mean && ratio[k].mean < ratio[1].mean;
}

int
cab_trials_best (const struct cab_trials_estimate *estimate, const bool *wanted)
{
  int best = -1;
  if (estimate->verdict != CAB_TRIALS_MEASURED)
    return -1;
  for (int k = CAB_TRIALS_CONTROLS; k < estimate->n_columns; k++)
    if (wanted[k] && is_faster (estimate, k)
	&& (best < 0 || estimate->ratio[k].mean < estimate->ratio[best].mean))
      best = k;
  for (int k = CAB_TRIALS_CONTROLS; k < best; k++)
    if (wanted[k] && is_faster (estimate, k)
	&& estimate->ratio[k].mean <= estimate->ratio[best].high)
      return k;
  return best;
}
