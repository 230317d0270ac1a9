/* decide_pairs.c - decide whether a build is faster than the default, from the rounds of a race,
 * pair by pair.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/decide/decide.h"
#include <math.h>
#include <stdlib.h>
#include <libiberty/libiberty.h>

#define EARLY_NOISE 0.001   /* chance of error of a look before the last, by the noise known from
			       elsewhere */
#define EARLY_RANKS 0.001  /* chance of error of a look before the last, by the ranks */
#define FEW 5               /* fewer pairs than these cannot be distinguished by ranks: 1 / 2^5 <
			       CAB_PAIRS_ALPHA < 1 / 2^4 */
#define FIRST 3             /* pairs at the first look */

/* Return the value of the normal distribution that is exceeded with probability P, by Newton's
   steps from 0, on erfc. */
static double
normal_above (double p)
{
  double z = 0;
  for (int step = 0; step < 50; step++)
    {
      double off = erfc (z / M_SQRT2) / 2 - p, slope = exp (-z * z / 2) / sqrt (2 * M_PI);
      z += off / slope;
      if (fabs (off) < 1e-12)
	break;
    }
  return z;
}

/* Use Cornish and Fisher's expansion (Abramowitz and Stegun, 26.7.5). */
double
cab_student_above (double p, int df)
{
  if (df < 3)
    return INFINITY;
  double z = normal_above (p), v = df, z2 = z * z;
  return z + z * (z2 + 1) / (4 * v) + z * ((5 * z2 + 16) * z2 + 3) / (96 * v * v)
	 + z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * v * v * v);
}

/* Return the largest K for which the sum of ranks 1 .. N, each taken with chance 1/2, is below K
   with a chance of at most ALPHA: K of the pairs' means may be cut off at each end.  0 if there is
   none. */
static int
ranks_below (int n, double alpha)
{
  int most = n * (n + 1) / 2, k = 0;
  double *chance = xcalloc (most + 1, sizeof *chance), below = 0;
  chance[0] = 1;
  for (int rank = 1; rank <= n; rank++)
    for (int sum = most; sum >= 0; sum--)
      chance[sum] = (chance[sum] + (sum >= rank ? chance[sum - rank] : 0)) / 2;
  while (k <= most && below + chance[k] <= alpha)
    below += chance[k++];
  free (chance);
  return k;
}

static int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Return the means of all pairs of LOGS, each paired with itself too, sorted; to be freed. */
static double *
means_of (const double *logs, int n, int *n_means)
{
  double *means = xcalloc (n * (n + 1) / 2 + 1, sizeof *means);
  *n_means = 0;
  for (int i = 0; i < n; i++)
    for (int k = i; k < n; k++)
      means[(*n_means)++] = (logs[i] + logs[k]) / 2;
  qsort (means, *n_means, sizeof *means, by_size);
  return means;
}

struct cab_ratio
cab_pairs_ratio (const double *logs, int n, double alpha)
{
  struct cab_ratio ratio = { NAN, 0, INFINITY, n };
  int n_means, cut = n > 0 ? ranks_below (n, alpha) : 0;
  double *means = means_of (logs, n, &n_means);
  if (n > 0)
    ratio.mean = exp ((means[(n_means - 1) / 2] + means[n_means / 2]) / 2);
  if (cut > 0)
    ratio.low = exp (means[cut - 1]), ratio.high = exp (means[n_means - cut]);
  free (means);
  return ratio;
}

struct cab_noise
cab_noise_pool (struct cab_noise a, struct cab_noise b)
{
  if (a.df < 1 || b.df < 1)
    return a.df < 1 ? b : a;
  int df = a.df + b.df;
  return (struct cab_noise) {
    sqrt ((a.deviation * a.deviation * a.df + b.deviation * b.deviation * b.df) / df), df
  };
}

/* Return the ratio with the interval whose ends err by ALPHA each, by NOISE.  A pair is two
   runs. */
static struct cab_ratio
by_noise (const double *logs, int n, struct cab_noise noise, double alpha)
{
  struct cab_ratio ratio = cab_pairs_ratio (logs, n, 0);
  double half = n > 0 && noise.df > 0
		? cab_student_above (alpha, noise.df) * noise.deviation * sqrt (2.0 / n)
		: INFINITY;
  if (n > 0 && isfinite (half))
    ratio.low = ratio.mean * exp (-half), ratio.high = ratio.mean * exp (half);
  return ratio;
}

struct cab_ratio
cab_pairs_ratio_by_noise (const double *logs, int n, struct cab_noise noise)
{
  return by_noise (logs, n, noise, CAB_PAIRS_ALPHA);
}

static bool
all_faster (const double *logs, int n)
{
  for (int i = 0; i < n; i++)
    if (logs[i] >= 0)
      return false;
  return true;
}

/* Return true if a gain is certain enough for a look that is not the last. */
static bool
is_clear (const double *logs, int n, struct cab_noise noise, const struct cab_ratio *ratio)
{
  bool ranks_agree = n < FEW ? all_faster (logs, n) : ratio->high < 1;
  return (ranks_agree && by_noise (logs, n, noise, EARLY_NOISE).high < 1)
      || cab_pairs_ratio (logs, n, EARLY_RANKS).high < 1;
}

/* Return true if more rounds will hardly find a gain: the interval leaves no gain of WIDTH, or half
   of the rounds are done and the estimate is no such gain. */
static bool
is_hopeless (const double *logs, int n, int planned, struct cab_noise noise, double width,
	     const struct cab_ratio *ratio)
{
  return by_noise (logs, n, noise, CAB_PAIRS_ALPHA).low > 1 - width
      || (2 * n >= planned && ratio->mean > 1 - width);
}

enum cab_verdict
cab_pairs_judge (const double *logs, int n, int planned, struct cab_noise noise, double alpha,
		 double width, struct cab_ratio *ratio)
{
  *ratio = n < FEW ? by_noise (logs, n, noise, CAB_PAIRS_ALPHA)
		   : cab_pairs_ratio (logs, n, CAB_PAIRS_ALPHA);
  if (n < FIRST)
    return CAB_RACE_OPEN;
  if (is_clear (logs, n, noise, ratio))
    return CAB_RACE_WON;
  if (n >= planned)
    return ratio->high < 1 && cab_pairs_ratio (logs, n, alpha).high < 1 ? CAB_RACE_WON
									: CAB_RACE_LOST;
  return is_hopeless (logs, n, planned, noise, width, ratio) ? CAB_RACE_LOST : CAB_RACE_OPEN;
}
