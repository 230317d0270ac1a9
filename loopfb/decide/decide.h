/* decide.h - derive unroll factors from measured runs: the stall matrix, both heuristics, noise,
 * races.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     Schneider, Dynamic optimization with hardware feedback, 5.3: x_i = argmin_j s(i,j),
 *             S_j, S_opt, one factor per application or per loop.  Blocks, intervals and races are
 *             ours.
 * Model:      pure: numbers in, numbers out.  Runs come in rounds; each round has a run of each
 *             column, in an order of its own.  A round is a block: how the machine's speed changes
 *             from round to round is estimated from the times of all its runs (round effect = mean
 *             of time / mean time of the column) and divided out.  What is left is noise: one
 *             relative deviation per loop, pooled over all columns, never less than what the number
 *             of samples allows (Poisson). One column may be for whole functions (struct
 *             cab_together). Column 0 is the compiler's default.  Ties go to the column with the
 *             smaller number, so to the default first.
 * Shapes:     cell (loop i, column j) at i * n_columns + j.
 * Units:      whatever the runs count; ratios are relative to the default.  Intervals are of 95 %,
 *             of pairs 90 %.
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
  const double *loops;      /* what each loop took, in units of the source; null if there are no
			       loops */
};

struct cab_matrix_cell
{
  double mean, low, high;
  int n;                    /* runs; 0: nothing is known, and the other members are 0 */
};

struct cab_matrix
{
  int n_loops, n_columns, n_rounds;
  struct cab_matrix_cell *cells;   /* [n_loops][n_columns] */
  struct cab_matrix_cell *time;    /* [n_columns] */
  double *noise;            /* relative standard deviation of one run, per loop; [n_loops] is that
			       of the time */
  int df;                   /* degrees of freedom of each noise */
  double drift;             /* largest round effect / smallest - 1 */
};

/* Make MATRIX of N_RUNS runs of N_COLUMNS columns.  GRAIN is what one sample counts, 0 if loops are
   not counted in samples. */
void cab_matrix_make (struct cab_matrix *matrix, int n_loops, int n_columns,
		      const struct cab_figures *runs, int n_runs, double grain);
void cab_matrix_fini (struct cab_matrix *matrix);

/* A ratio with its interval. */
struct cab_ratio
{
  double mean, low, high;
  int n;
};

/* Return cell B / cell A, where one run has relative deviation NOISE with DF degrees of freedom. */
struct cab_ratio cab_ratio_of (const struct cab_matrix_cell *a, const struct cab_matrix_cell *b,
			       double noise,
			       int df);

struct cab_loop_choice
{
  int best;                 /* x_i: the column in which the loop took least; 0 is the default */
  bool gains;               /* it is less than the default by more than the noise */
  bool likely;              /* it is less by more than a standard error, and by more than WIDTH of
			       the program's time: worth a race */
  struct cab_ratio ratio;   /* of the best column */
};

struct cab_decision
{
  int n_loops, n_columns;
  double *sums;             /* S_j, over the loops */
  double sum_best;          /* S_opt: the sum over all loops i of the minimum over j; over whole
			       functions where one column is for whole functions */
  struct cab_loop_choice *loops;
  int application;          /* argmin_j S_j */
  bool application_gains;   /* the time or the sum is less than the default's by more than the
			       noise */
  double application_predicted, loops_predicted;   /* ratios of the whole program's time */
  double correlation;       /* of S_j with the columns' times; NaN with fewer than 3 columns, or if
			       they do not differ */
  bool decides;             /* the source decides: it correlates with the time, or is the time */
  bool settled;             /* no loop's answer needs more runs */
};

/* A column that all loops of a function take together or not at all. */
struct cab_together
{
  int column;               /* 0 if there is none */
  const int *function;      /* of each loop; equal numbers are the same function */
};

/* Decide from MATRIX.  SHARES is each loop's part of the default's time, 0..1; loops below
   THRESHOLD, and those in SKIP (may be null), get no choice.  TOGETHER may be null.  WIDTH is the
   part of the program's time below which a difference need not be resolved. */
void cab_decide (struct cab_decision *decision, const struct cab_matrix *matrix,
		 const double *shares, const bool *skip, const struct cab_together *together,
		 double threshold, double width);
void cab_decision_fini (struct cab_decision *decision);

#define CAB_CORRELATES 0.7   /* our choice: with this correlation or more a source is taken to
				follow the time */

/* Pairs (decide_pairs.c) are the logarithms, one per round of a race, of one column's time over
   another's.  What is common to the round cancels out, drift included; and if both columns are
   equally fast, a logarithm is as often above 0 as below, whatever the noise.  So its signed ranks
   decide, with an exact chance of error (Wilcoxon), and a few slow runs weigh no more than their
   ranks.  The estimate is the median of the pairs' means (Hodges, Lehmann). */

#define CAB_PAIRS_ALPHA 0.05   /* chance of error at each end of a reported interval, which is thus
				  of 90 % */

/* Return the ratio of N pairs of LOGS.  Its interval errs by ALPHA at each end; it is unbounded
   where N pairs are too few for that. */
struct cab_ratio cab_pairs_ratio (const double *logs, int n, double alpha);

/* What is known about a run's noise besides the pairs: relative deviation, degrees of freedom. */
struct cab_noise
{
  double deviation;
  int df;
};

/* Return the noise of A and B together. */
struct cab_noise cab_noise_pool (struct cab_noise a, struct cab_noise b);
/* Return the ratio of a few pairs, with the interval of 90 % by NOISE. */
struct cab_ratio cab_pairs_ratio_by_noise (const double *logs, int n, struct cab_noise noise);

enum cab_verdict
{
  CAB_RACE_OPEN,   /* more rounds may decide */
  CAB_RACE_WON,    /* faster than the default beyond the noise */
  CAB_RACE_LOST    /* not faster, or by less than WIDTH */
};

/* Judge a race after N rounds of at most PLANNED.  The last look takes an error of ALPHA; those
   before it need far more certainty, so that all of them together err little more often, and they
   give up where a gain has become unlikely.  RATIO gets the ratio with its interval of 90 %. */
enum cab_verdict cab_pairs_judge (const double *logs, int n, int planned, struct cab_noise noise,
				  double alpha, double width, struct cab_ratio *ratio);

/* Return the quantile of Student's distribution that is exceeded with probability P, 0 < P < 0.5;
   infinite for less than 3 degrees of freedom. */
double cab_student_above (double p, int df);
/* Return Student's two-sided 95 % quantile; infinite without a degree of freedom. */
double cab_student (int df);
/* Return Pearson's coefficient of N pairs; NaN where it is not defined. */
double cab_correlation (const double *x, const double *y, int n);

#endif
