/* decide.h - from measured runs to unroll factors: the stall matrix, both heuristics, noise, races.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     Schneider, Dynamic optimization with hardware feedback, 5.3: x_i = argmin_j s(i,j),
 *             S_j, S_opt, one factor per application or per loop.  Blocks, intervals and races are
 *             ours.
 * Model:      pure: numbers in, numbers out.  Runs come in rounds; each round has a run of each
 *             column, in another order.  A round is a block: what the machine's clock does between
 *             rounds is estimated from all its runs' times (round effect = mean of time / mean time
 *             of the column) and divided out.  What is left is noise: one relative deviation per
 *             loop, pooled over all columns, never less than what the number of samples allows
 *             (Poisson). One column may be for whole functions (struct cab_together). Column 0 is
 *             the compiler's default.  Ties go to the column with the smaller number, so to the
 *             default first.
 * Shapes:     cell (loop i, column j) at i * n_columns + j.
 * Units:      whatever the runs count; ratios are to the default.  Intervals are of 95 %, of pairs
 *             90 %.
 * Ownership:  cab_matrix_fini and cab_decision_fini free.
 */
#ifndef CAB_DECIDE_H
#define CAB_DECIDE_H

#include <stdbool.h>

/* One run. */
struct cab_figures
{
  int round, column;
  double time;              /* processor time of the whole program */
  const double *loops;      /* what each loop took, by the source; null if there are no loops */
};

struct cab_cell
{
  double mean, low, high;
  int n;                    /* runs; 0: nothing known, the others are 0 */
};

struct cab_matrix
{
  int n_loops, n_columns, n_rounds;
  struct cab_cell *cells;   /* [n_loops][n_columns] */
  struct cab_cell *time;    /* [n_columns] */
  double *noise;            /* relative standard deviation of one run, per loop; [n_loops] is the
			       time's */
  int df;                   /* degrees of freedom of all of them */
  double drift;             /* largest round effect / smallest - 1 */
};

/* GRAIN: what one sample counts, 0 if loops are not counted in samples. */
void cab_matrix_make (struct cab_matrix *matrix, int n_loops, int n_columns,
		      const struct cab_figures *runs, int n_runs, double grain);
void cab_matrix_fini (struct cab_matrix *matrix);

/* A ratio with its interval. */
struct cab_ratio
{
  double mean, low, high;
  int n;
};

/* Cell B / cell A, where one run has relative deviation NOISE. */
struct cab_ratio cab_ratio_of (const struct cab_cell *a, const struct cab_cell *b, double noise,
			       int df);

struct cab_loop_choice
{
  int best;                 /* x_i: the column where the loop took least; 0 = the default */
  bool gains;               /* ... by more than the noise */
  bool likely;              /* ... by more than a standard error, and WIDTH of the program's time:
			       worth a race */
  struct cab_ratio ratio;   /* of the best column */
};

struct cab_decision
{
  int n_loops, n_columns;
  double *sums;             /* S_j, the loops' */
  double sum_best;          /* S_opt = sum over i of min over j; of functions where a column is
			       theirs */
  struct cab_loop_choice *loops;
  int application;          /* argmin_j S_j */
  bool application_gains;   /* the time or the sum is less than the default's by more than the
			       noise */
  double application_predicted, loops_predicted;   /* ratio of the whole program's time */
  double correlation;       /* of S_j with the columns' times; NaN: fewer than 3 columns, or no
			       difference between them */
  bool decides;             /* the source does: it goes with the time, or is the time */
  bool settled;             /* no loop's answer waits for more runs */
};

/* A column that loops of one function take together, or none of them does. */
struct cab_together
{
  int column;               /* 0: there is none */
  const int *function;      /* of each loop; equal numbers: the same */
};

/* SHARES: each loop's part of the default's time, 0..1; loops below THRESHOLD, and those in SKIP
   (may be null), get no choice.  TOGETHER may be null. WIDTH: a difference of less than this part
   of the program's time need not be told from none. */
void cab_decide (struct cab_decision *decision, const struct cab_matrix *matrix,
		 const double *shares, const bool *skip, const struct cab_together *together,
		 double threshold, double width);
void cab_decision_fini (struct cab_decision *decision);

#define CAB_CORRELATES 0.7   /* our choice: from here on a source goes with the time */

/* Pairs (decide_pairs.c): of each round of a race the logarithm of one column's time over
   another's.  What the round had in common is gone from it, drift with it; and if both columns are
   alike, it is as often above 0 as below, whatever the noise.  So its signed ranks tell, with an
   exact chance of error (Wilcoxon), and a few slow runs weigh no more than their ranks.  The
   estimate is the median of the pairs' means (Hodges, Lehmann). */

#define CAB_PAIRS_ALPHA 0.05   /* chance of error at each end of an interval that is reported: 90
				  % */

/* Its interval errs by ALPHA at each end; it is unbounded where N pairs are too few to say so. */
struct cab_ratio cab_pairs_ratio (const double *logs, int n, double alpha);

/* What is known of a run's noise beside the pairs: relative deviation, degrees of freedom. */
struct cab_noise
{
  double deviation;
  int df;
};

/* That of A and B together. */
struct cab_noise cab_noise_pool (struct cab_noise a, struct cab_noise b);
/* For a few pairs: the interval of 90 % by NOISE. */
struct cab_ratio cab_pairs_ratio_by_noise (const double *logs, int n, struct cab_noise noise);

enum cab_verdict
{
  CAB_RACE_OPEN,   /* more rounds may tell */
  CAB_RACE_WON,    /* faster than the default beyond the noise */
  CAB_RACE_LOST    /* not so, or by less than WIDTH */
};

/* After N rounds of PLANNED at most: is it decided?  The last look takes an error of ALPHA; those
   before it need far more certainty, so that all of them together err little more often; and they
   give up where a gain has become unlikely.  RATIO: of 90 %. */
enum cab_verdict cab_pairs_judge (const double *logs, int n, int planned, struct cab_noise noise,
				  double alpha, double width, struct cab_ratio *ratio);

/* Quantile of Student's distribution where P lies above it, 0 < P < 0.5; infinite for less than 3
   degrees. */
double cab_student_above (double p, int df);
/* Student's two-sided 95 % quantile. */
double cab_student (int df);
/* Pearson's coefficient of N pairs; NaN where it is not defined. */
double cab_correlation (const double *x, const double *y, int n);

#endif
