/* decide.c - choose factors from the matrix.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/decide/decide.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

static const struct cab_matrix_cell *
cell (const struct cab_matrix *matrix, int i, int j)
{
  return &matrix->cells[i * matrix->n_columns + j];
}

/* Return true if column J is one for whole functions. */
static bool
is_together (const struct cab_together *together, int j)
{
  return together && together->column && j == together->column;
}

/* Return x_i among the columns that are for single loops, or the default where nothing is known.  A
   loop without a sample has not become infinitely fast: its code is counted for another loop
   there. */
static int
best_column (const struct cab_matrix *matrix, const struct cab_together *together, int i)
{
  int best = 0;
  for (int j = 1; j < matrix->n_columns; j++)
    if (!is_together (together, j) && cell (matrix, i, j)->n && cell (matrix, i, j)->mean > 0
	&& cell (matrix, i, j)->mean < cell (matrix, i, best)->mean)
      best = j;
  return best;
}

/* Return true if the answer for a loop of SHARE needs no more runs: the interval of its best column
   lies on one side of 1, or its half width matters less than WIDTH to the program. */
static bool
is_settled (const struct cab_ratio *ratio, double share, double width)
{
  return ratio->high < 1 || ratio->low > 1 || (ratio->high - ratio->low) / 2 * share < width;
}

static bool
is_likely (const struct cab_ratio *ratio, int df, double share, double width)
{
  double error = df > 0 ? (ratio->high - ratio->mean) / cab_student (df) : INFINITY;
  return ratio->mean + error < 1 && share * (1 - ratio->mean) > width;
}

static void
choose_for_loop (struct cab_decision *decision, const struct cab_matrix *matrix,
		 const struct cab_together *together, int i, double share, double width)
{
  struct cab_loop_choice *choice = &decision->loops[i];
  choice->best = best_column (matrix, together, i);
  choice->ratio = cab_ratio_of (cell (matrix, i, 0), cell (matrix, i, choice->best),
				matrix->noise[i], matrix->df);
  choice->gains = choice->best && choice->ratio.high < 1;
  choice->likely = choice->best
		&& (choice->gains || is_likely (&choice->ratio, matrix->df, share, width));
  if (!choice->best)
    {
      /* Nothing is better so far.  The answer is settled only if no column can turn out better with
	 more runs. */
      for (int j = 1; j < matrix->n_columns; j++)
	{
	  struct cab_ratio ratio = cab_ratio_of (cell (matrix, i, 0), cell (matrix, i, j),
						 matrix->noise[i], matrix->df);
	  decision->settled &= !cell (matrix, i, j)->n || is_together (together, j)
			    || is_settled (&ratio, share, width);
	}
    }
  else
    decision->settled &= is_settled (&choice->ratio, share, width);
}

/* The loops of one function, taken as one. */
struct whole
{
  struct cab_matrix_cell base, there;   /* with the default; in the column for whole functions */
  double best;                   /* with each loop's best column */
  double noise, share;
  bool chooses, has_best;        /* some loop gets a choice; some loop has a column that is
				    better */
};

/* Sum up the function whose first loop is FIRST.  MAY says which loops get a choice; null means
   all. */
static struct whole
whole_of (const struct cab_matrix *matrix, const struct cab_together *together, int first,
	  const double *shares, const bool *may)
{
  struct whole w = { .base.n = cell (matrix, first, 0)->n,
		     .there.n = cell (matrix, first, together->column)->n };
  double squares = 0;
  for (int i = first; i < matrix->n_loops; i++)
    if (together->function[i] == together->function[first])
      {
	int best = !may || may[i] ? best_column (matrix, together, i) : 0;
	w.base.mean += cell (matrix, i, 0)->mean;
	w.there.mean += cell (matrix, i, together->column)->mean;
	w.best += cell (matrix, i, best)->mean;
	w.share += shares ? shares[i] : 0;
	w.chooses |= !may || may[i];
	w.has_best |= best > 0;
	squares += pow (matrix->noise[i] * cell (matrix, i, 0)->mean, 2);
      }
  w.noise = w.base.mean > 0 ? sqrt (squares) / w.base.mean : INFINITY;
  return w;
}

static bool
is_better_together (const struct whole *w)
{
  return w->there.n && w->there.mean > 0 && w->there.mean < w->best;
}

static bool
is_first (const struct cab_together *together, int loop)
{
  for (int i = 0; i < loop; i++)
    if (together->function[i] == together->function[loop])
      return false;
  return true;
}

/* Give the loops of a function, of which FIRST is the first one, the column for whole functions, if
   that is better than what they have chosen. */
static void
choose_for_function (struct cab_decision *decision, const struct cab_matrix *matrix,
		     const struct cab_together *together, int first, const double *shares,
		     const bool *may, double width)
{
  struct whole w = whole_of (matrix, together, first, shares, may);
  struct cab_ratio ratio = cab_ratio_of (&w.base, &w.there, w.noise, matrix->df);
  if (!w.chooses || !w.there.n)
    return;
  decision->settled &= (!is_better_together (&w) && w.has_best)
		    || is_settled (&ratio, w.share, width);
  for (int i = first; i < matrix->n_loops && is_better_together (&w); i++)
    if (together->function[i] == together->function[first] && may[i])
      {
	struct cab_loop_choice *choice = &decision->loops[i];
	choice->best = together->column;
	choice->ratio = cab_ratio_of (cell (matrix, i, 0), cell (matrix, i, choice->best),
				      matrix->noise[i], matrix->df);
	choice->gains = ratio.high < 1;
	choice->likely = choice->gains || is_likely (&ratio, matrix->df, w.share, width);
      }
}

/* Return S_opt. */
static double
sum_of_best (const struct cab_matrix *matrix, const struct cab_together *together)
{
  double sum = 0;
  for (int i = 0; i < matrix->n_loops; i++)
    if (!together || !together->column)
      sum += cell (matrix, i, best_column (matrix, NULL, i))->mean;
    else if (is_first (together, i))
      {
	struct whole w = whole_of (matrix, together, i, NULL, NULL);
	sum += is_better_together (&w) ? w.there.mean : w.best;
      }
  return sum;
}

/* Sum up the columns over the loops; where there are no loops, the sums are the times. */
static void
sum_columns (struct cab_decision *decision, const struct cab_matrix *matrix,
	     const struct cab_together *together)
{
  for (int j = 0; j < matrix->n_columns; j++)
    {
      decision->sums[j] = matrix->n_loops ? 0 : matrix->time[j].mean;
      for (int i = 0; i < matrix->n_loops; i++)
	decision->sums[j] += cell (matrix, i, j)->mean;
    }
  decision->sum_best = matrix->n_loops ? sum_of_best (matrix, together) : INFINITY;
  for (int j = 0; j < matrix->n_columns && !matrix->n_loops; j++)
    if (matrix->time[j].n)
      decision->sum_best = fmin (decision->sum_best, decision->sums[j]);
}

/* Return the relative deviation of one run's sum over the loops in column J, taking the loops as
   independent. */
static double
noise_of_sum (const struct cab_matrix *matrix, int j, double sum)
{
  double squares = 0;
  for (int i = 0; i < matrix->n_loops; i++)
    squares += pow (matrix->noise[i] * cell (matrix, i, j)->mean, 2);
  return sum > 0 ? sqrt (squares) / sum : INFINITY;
}

static void
choose_for_application (struct cab_decision *decision, const struct cab_matrix *matrix,
			const double *shares)
{
  double in_loops = 0;
  for (int j = 1; j < matrix->n_columns; j++)
    if (matrix->time[j].n && decision->sums[j] < decision->sums[decision->application])
      decision->application = j;
  int best = decision->application;
  struct cab_matrix_cell base = { decision->sums[0], 0, 0, matrix->time[0].n },
		  there = { decision->sums[best], 0, 0, matrix->time[best].n };
  double noise = matrix->n_loops ? noise_of_sum (matrix, best, there.mean) : matrix->noise[0];
  struct cab_ratio of_sum = cab_ratio_of (&base, &there, noise, matrix->df);
  struct cab_ratio of_time = cab_ratio_of (&matrix->time[0], &matrix->time[best],
					   matrix->noise[matrix->n_loops], matrix->df);
  decision->application_gains = best && (of_sum.high < 1 || of_time.high < 1);
  for (int i = 0; i < matrix->n_loops; i++)
    in_loops += shares[i];
  in_loops = matrix->n_loops ? fmin (in_loops, 1) : 1;
  decision->application_predicted = decision->sums[0] > 0
				    ? 1 + in_loops * (decision->sums[best] / decision->sums[0] - 1)
				    : 1;
  decision->loops_predicted = 1;
  for (int i = 0; i < matrix->n_loops; i++)
    if (decision->loops[i].gains)
      decision->loops_predicted += shares[i] * (decision->loops[i].ratio.mean - 1);
  if (!matrix->n_loops)
    decision->settled = !best || of_time.high < 1 || (of_time.high - of_time.low) / 2 < 0.01;
}

/* Decide whether the source follows the time.  Where the columns' times do not differ beyond the
   noise there is nothing to follow, and the source decides. */
static void
judge_source (struct cab_decision *decision, const struct cab_matrix *matrix)
{
  double *x = xcalloc (matrix->n_columns, sizeof *x), *y = xcalloc (matrix->n_columns, sizeof *y);
  bool differ = false;
  int n = 0;
  for (int j = 0; j < matrix->n_columns; j++)
    if (matrix->time[j].n)
      {
	struct cab_ratio ratio = cab_ratio_of (&matrix->time[0], &matrix->time[j],
					       matrix->noise[matrix->n_loops], matrix->df);
	differ |= j && (ratio.high < 1 || ratio.low > 1);
	x[n] = decision->sums[j];
	y[n++] = matrix->time[j].mean;
      }
  decision->correlation = differ ? cab_correlation (x, y, n) : NAN;
  decision->decides = !matrix->n_loops || isnan (decision->correlation)
		   || decision->correlation >= CAB_CORRELATES;
  free (x);
  free (y);
}

void
cab_decide (struct cab_decision *decision, const struct cab_matrix *matrix, const double *shares,
	    const bool *skip, const struct cab_together *together, double threshold, double width)
{
  bool *may = xcalloc (matrix->n_loops + 1, sizeof *may);
  *decision = (struct cab_decision) {
    .n_loops = matrix->n_loops,
    .n_columns = matrix->n_columns,
    .sums = xcalloc (matrix->n_columns + 1, sizeof *decision->sums),
    .loops = xcalloc (matrix->n_loops + 1, sizeof *decision->loops),
    .settled = true
  };
  for (int i = 0; i < matrix->n_loops; i++)
    if ((may[i] = shares[i] >= threshold && !(skip && skip[i])))
      choose_for_loop (decision, matrix, together, i, shares[i], width);
    else
      decision->loops[i].ratio.mean = NAN;
  for (int i = 0; together && together->column && i < matrix->n_loops; i++)
    if (is_first (together, i))
      choose_for_function (decision, matrix, together, i, shares, may, width);
  free (may);
  sum_columns (decision, matrix, together);
  choose_for_application (decision, matrix, shares);
  judge_source (decision, matrix);
}

void
cab_decision_fini (struct cab_decision *decision)
{
  free (decision->sums);
  free (decision->loops);
  memset (decision, 0, sizeof *decision);
}
