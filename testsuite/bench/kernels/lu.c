/* lu.c - LU decomposition without pivots.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };
static double m[N][N];

static void
decompose (void)
{
  for (int k = 0; k < N; k++)
    for (int i = k + 1; i < N; i++)
      {
	m[i][k] /= m[k][k];
	for (int j = k + 1; j < N; j++)
	  m[i][j] -= m[i][k] * m[k][j];
      }
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  double sum = 0;
  for (int round = 0; round < rounds; round++)
    {
      for (int i = 0; i < N; i++)
	for (int j = 0; j < N; j++)
	  m[i][j] = (i * j + round) % 13 + (i == j ? N : 0);
      decompose ();
      sum += m[N - 1][N - 1];
    }
  printf ("%g\n", sum);
  return 0;
}
