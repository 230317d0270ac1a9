/* jacobi.c - a five-point stencil.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 800 };
static double from[N][N], into[N][N];

static double
step (void)
{
  double most = 0;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      {
	into[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
	double change = fabs (into[i][j] - from[i][j]);
	if (change > most)
	  most = change;
      }
  return most;
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 1;
  double change = 0;
  for (int i = 0; i < N; i++)
    from[0][i] = from[i][0] = i;
  for (int k = 0; k < steps; k++)
    {
      change = step ();
      for (int i = 1; i < N - 1; i++)
	for (int j = 1; j < N - 1; j++)
	  from[i][j] = into[i][j];
    }
  printf ("%g\n", change);
  return 0;
}
