/* decide_trials.h - what trials of a loop (cabprof/trials.h) say, from their figures alone.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     trimmed means with winsorised variances: Yuen 1974.  The rest is ours.
 * Model:      pure.  In each round each copy had a block; the cost of an execution in a block,
 *             divided by that of the reference in the same round, is one figure.  The reference is
 *             the function without a hint with the heads of its loops aligned, which was compiled
 *             twice (columns 2 and 3); columns 0 and 1 are the function as the compiler has it,
 *             also twice.  A fifth of the figures at each end is left out.  If processes differ by
 *             more than rounds do, they are the units.  What the two equal copies of the reference
 *             differ by, in the worst process, is an error that all ratios have: the floor.
 * Units:      ratios to the reference: 0.9 is a tenth faster.  Intervals are of 95 %.
 */
#ifndef CAB_DECIDE_TRIALS_H
#define CAB_DECIDE_TRIALS_H

#include "loopfb/decide/decide.h"

#define CAB_TRIALS_CONTROLS 4        /* columns without a hint */
#define CAB_TRIALS_LEAST 8           /* rounds, below which nothing is said */
#define CAB_TRIALS_TOLERANCE 0.01    /* what equal copies may differ by */
#define CAB_TRIALS_WIDE 0.2          /* of the interval of equal copies, above which nothing is said
					of copies that seem no faster */

/* What one process measured: the cost of an execution at [round][column], above 0. */
struct cab_trials_process
{
  const double *cost;
  int n_rounds;
};

enum cab_trials_verdict
{
  CAB_TRIALS_MEASURED,
  CAB_TRIALS_TOO_SHORT,         /* fewer than CAB_TRIALS_LEAST rounds */
  CAB_TRIALS_NOT_MEASURABLE     /* equal copies surely differ by more than the tolerance */
};

struct cab_trials_estimate
{
  enum cab_trials_verdict verdict;
  int n_rounds, n_columns;
  struct cab_ratio *ratio;      /* [n_columns], to the reference; null: too short */
  struct cab_ratio same;        /* one copy of the reference to the other */
  struct cab_ratio placed;      /* one copy of the function as it is to the other: luck of place */
  double floor;                 /* relative error that equal copies show */
};

/* Estimate from N processes with N_COLUMNS columns each.  The caller ends ESTIMATE. */
void cab_trials_estimate (struct cab_trials_estimate *estimate,
			  const struct cab_trials_process *processes, int n, int n_columns);
void cab_trials_estimate_fini (struct cab_trials_estimate *estimate);

/* Return true if it is not known well enough how alike equal copies are to say that no copy is
   faster. */
bool cab_trials_is_noisy (const struct cab_trials_estimate *estimate);

/* Return the fastest column that is not a control, for which WANTED is true, and that is faster
   than the reference beyond the error, and than both copies of the function as it is; -1 if there
   is none, or nothing can be said.  Columns whose means lie in the fastest's interval are as good;
   the first of them is returned, which changes least. */
int cab_trials_best (const struct cab_trials_estimate *estimate, const bool *wanted);

#endif
