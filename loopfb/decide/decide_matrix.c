/* decide_matrix.c - compute the matrix of what loops took, from runs in rounds, and its noise.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/decide/decide.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

double
cab_student (int df)
{
  static const double table[] = { 0,	 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
				  2.306, 2.262,	 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
				  2.120, 2.110,	 2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
				  2.064, 2.060,	 2.056, 2.052, 2.048, 2.045, 2.042 };
  if (df < 1)
    return INFINITY;
  return df <= 30 ? table[df] : 1.96 + 2.4 / df;
}

double
cab_correlation (const double *x, const double *y, int n)
{
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < n; i++)
    mx += x[i] / n, my += y[i] / n;
  for (int i = 0; i < n; i++)
    {
      xx += (x[i] - mx) * (x[i] - mx);
      yy += (y[i] - my) * (y[i] - my);
      xy += (x[i] - mx) * (y[i] - my);
    }
  return n < 3 || xx <= 0 || yy <= 0 ? NAN : xy / sqrt (xx * yy);
}

/* Estimate how slow the machine was in each round, and each column's time without that.  The two
   are fitted by turns, which converges at once where rounds are complete. */
static void
fit_rounds (const struct cab_figures *runs, int n_runs, double *rounds, int n_rounds,
	    double *columns, int n_columns)
{
  double *sum = xcalloc (n_rounds + n_columns, sizeof *sum);
  int *count = xcalloc (n_rounds + n_columns, sizeof *count);
  for (int r = 0; r < n_rounds; r++)
    rounds[r] = 1;
  for (int pass = 0; pass < 20; pass++)
    {
      memset (sum, 0, (n_rounds + n_columns) * sizeof *sum);
      memset (count, 0, (n_rounds + n_columns) * sizeof *count);
      for (int k = 0; k < n_runs; k++)
	sum[runs[k].column] += runs[k].time / rounds[runs[k].round], count[runs[k].column]++;
      for (int j = 0; j < n_columns; j++)
	columns[j] = count[j] ? sum[j] / count[j] : 0;
      for (int k = 0; k < n_runs; k++)
	if (columns[runs[k].column] > 0)
	  sum[n_columns + runs[k].round] += runs[k].time / columns[runs[k].column],
	    count[n_columns + runs[k].round]++;
      for (int r = 0; r < n_rounds; r++)
	rounds[r] = count[n_columns + r] && sum[n_columns + r] > 0
		    ? sum[n_columns + r] / count[n_columns + r]
		    : 1;
    }
  free (sum);
  free (count);
}

/* Return what RUN says about loop I, or about the time (I = N_LOOPS), without the effect of its
   round. */
static double
value (const struct cab_figures *run, int i, int n_loops, const double *rounds)
{
  double raw = i == n_loops ? run->time : run->loops ? run->loops[i] : 0;
  return raw / rounds[run->round];
}

/* Fill in the means of row I, and return its noise. */
static double
fill_row (struct cab_matrix_cell *row, int i, int n_loops, int n_columns,
	  const struct cab_figures *runs,
	  int n_runs, const double *rounds, int df)
{
  double squares = 0;
  for (int k = 0; k < n_runs; k++)
    {
      struct cab_matrix_cell *cell = &row[runs[k].column];
      cell->n++;
      cell->mean += (value (&runs[k], i, n_loops, rounds) - cell->mean) / cell->n;
    }
  for (int k = 0; k < n_runs; k++)
    if (row[runs[k].column].mean > 0)
      {
	double e = value (&runs[k], i, n_loops, rounds) / row[runs[k].column].mean - 1;
	squares += e * e;
      }
  (void) n_columns;
  return df > 0 ? sqrt (squares / df) : INFINITY;
}

static void
set_intervals (struct cab_matrix_cell *row, int n_columns, double noise, int df)
{
  for (int j = 0; j < n_columns; j++)
    if (row[j].n)
      {
	double half = df > 0 ? row[j].mean * cab_student (df) * noise / sqrt (row[j].n)
			     : row[j].mean;
	row[j].low = row[j].mean > half ? row[j].mean - half : 0;
	row[j].high = row[j].mean + half;
      }
}

/* Raise NOISE to the scatter of counted samples, which is at least that of Poisson's
   distribution. */
static double
at_least_poisson (double noise, const struct cab_matrix_cell *row, double grain)
{
  double floor = grain > 0 && row[0].mean > 0 ? sqrt (grain / row[0].mean) : 0;
  return noise > floor ? noise : floor;
}

static int
count_columns (const struct cab_figures *runs, int n_runs, int n_columns)
{
  bool *seen = xcalloc (n_columns + 1, sizeof *seen);
  int n = 0;
  for (int k = 0; k < n_runs; k++)
    n += !seen[runs[k].column], seen[runs[k].column] = true;
  free (seen);
  return n;
}

void
cab_matrix_make (struct cab_matrix *matrix, int n_loops, int n_columns,
		 const struct cab_figures *runs, int n_runs, double grain)
{
  int n_rounds = 0;
  for (int k = 0; k < n_runs; k++)
    n_rounds = runs[k].round >= n_rounds ? runs[k].round + 1 : n_rounds;
  double *rounds = xcalloc (n_rounds + 1, sizeof *rounds),
	 *columns = xcalloc (n_columns + 1, sizeof *columns);
  double least = INFINITY, most = 0;
  fit_rounds (runs, n_runs, rounds, n_rounds, columns, n_columns);
  for (int r = 0; r < n_rounds; r++)
    least = fmin (least, rounds[r]), most = fmax (most, rounds[r]);
  *matrix = (struct cab_matrix) { n_loops,
				  n_columns,
				  n_rounds,
				  xcalloc (n_loops * n_columns + 1, sizeof *matrix->cells),
				  xcalloc (n_columns + 1, sizeof *matrix->time),
				  xcalloc (n_loops + 1, sizeof *matrix->noise),
				  0,
				  n_rounds ? most / least - 1 : 0 };
  /* There are as many degrees of freedom as runs, less one for each column and for each round but
     the first. */
  matrix->df = n_runs - count_columns (runs, n_runs, n_columns) - (n_rounds - 1);
  for (int i = 0; i <= n_loops; i++)
    {
      struct cab_matrix_cell *row = i < n_loops ? &matrix->cells[i * n_columns] : matrix->time;
      double noise = fill_row (row, i, n_loops, n_columns, runs, n_runs, rounds, matrix->df);
      matrix->noise[i] = i < n_loops ? at_least_poisson (noise, row, grain) : noise;
      set_intervals (row, n_columns, matrix->noise[i], matrix->df);
    }
  free (rounds);
  free (columns);
}

void
cab_matrix_fini (struct cab_matrix *matrix)
{
  free (matrix->cells);
  free (matrix->time);
  free (matrix->noise);
  memset (matrix, 0, sizeof *matrix);
}

struct cab_ratio
cab_ratio_of (const struct cab_matrix_cell *a, const struct cab_matrix_cell *b, double noise,
	      int df)
{
  struct cab_ratio ratio = { NAN, 0, INFINITY, b->n };
  if (!a->n || !b->n || a->mean <= 0)
    return ratio;
  ratio.mean = b->mean / a->mean;
  if (df > 0)
    {
      double half = ratio.mean * cab_student (df) * noise * sqrt (1.0 / a->n + 1.0 / b->n);
      ratio.low = ratio.mean > half ? ratio.mean - half : 0;
      ratio.high = ratio.mean + half;
    }
  return ratio;
}
