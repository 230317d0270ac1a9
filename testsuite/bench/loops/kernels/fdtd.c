/* fdtd.c - Maxwell's equations in two dimensions on a staggered grid.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 200, NY = 260 };
static double ex[NX][NY], ey[NX][NY], hz[NX][NY];

static void
step_electric (double source)
{
  for (int j = 0; j < NY; j++)
    ey[0][j] = source;
  for (int i = 1; i < NX; i++)
    for (int j = 0; j < NY; j++)
      ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
  for (int i = 0; i < NX; i++)
    for (int j = 1; j < NY; j++)
      ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
}

static void
step_magnetic (void)
{
  for (int i = 0; i < NX - 1; i++)
    for (int j = 0; j < NY - 1; j++)
      hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
}

static double
energy (void)
{
  double sum = 0;
  for (int i = 0; i < NX; i++)
    for (int j = 0; j < NY; j++)
      sum += ex[i][j] * ex[i][j] + ey[i][j] * ey[i][j] + hz[i][j] * hz[i][j];
  return sum;
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 1;
  double sum = 0;
  for (int t = 0; t < steps; t++)
    {
      step_electric (1.0 / (1 + t % 40));
      step_magnetic ();
      if (t % 8 == 0)
	sum = 0.5 * sum + energy ();
    }
  printf ("%.12g\n", sum);
  return 0;
}
