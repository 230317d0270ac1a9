/* cg.c - conjugate gradients for a sparse matrix in compressed rows: Poisson's equation in three
 * dimensions.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 30, N = SIDE * SIDE * SIDE };

struct matrix
{
  int start[N + 1];
  int column[7 * N];
  double value[7 * N];
};

static struct matrix a;
static double x[N], b[N], r[N], p[N], q[N];

static int
entry (int at, int column, double value)
{
  a.column[at] = column;
  a.value[at] = value;
  return at + 1;
}

static void
build (void)
{
  int at = 0, row = 0;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      for (int k = 0; k < SIDE; k++, row++)
	{
	  a.start[row] = at;
	  if (i > 0)
	    at = entry (at, row - SIDE * SIDE, -1);
	  if (j > 0)
	    at = entry (at, row - SIDE, -1);
	  if (k > 0)
	    at = entry (at, row - 1, -1);
	  at = entry (at, row, 6.01);
	  if (k < SIDE - 1)
	    at = entry (at, row + 1, -1);
	  if (j < SIDE - 1)
	    at = entry (at, row + SIDE, -1);
	  if (i < SIDE - 1)
	    at = entry (at, row + SIDE * SIDE, -1);
	  b[row] = (row % 19) - 9;
	}
  a.start[N] = at;
}

static void
multiply (const double *in, double *out)
{
  for (int i = 0; i < N; i++)
    {
      double sum = 0;
      for (int k = a.start[i]; k < a.start[i + 1]; k++)
	sum += a.value[k] * in[a.column[k]];
      out[i] = sum;
    }
}

static double
dot (const double *u, const double *v)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += u[i] * v[i];
  return sum;
}

static int
solve (void)
{
  double rho, before;
  int steps = 0;
  for (int i = 0; i < N; i++)
    {
      x[i] = 0;
      r[i] = p[i] = b[i];
    }
  rho = dot (r, r);
  while (rho > 1e-16 && steps < 200)
    {
      multiply (p, q);
      double alpha = rho / dot (p, q);
      for (int i = 0; i < N; i++)
	{
	  x[i] += alpha * p[i];
	  r[i] -= alpha * q[i];
	}
      before = rho;
      rho = dot (r, r);
      for (int i = 0; i < N; i++)
	p[i] = r[i] + rho / before * p[i];
      steps++;
    }
  return steps;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1, steps = 0;
  build ();
  for (int k = 0; k < rounds; k++)
    steps += solve ();
  printf ("%d %.10g %.10g\n", steps, x[N / 2], sqrt (dot (x, x)));
  return 0;
}
