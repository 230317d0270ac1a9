/* 2mm.c - two products of matrices: D = A B C.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };
static double a[N][N], b[N][N], c[N][N], ab[N][N], d[N][N];

static void
multiply (double into[N][N], double left[N][N], double right[N][N])
{
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++)
	into[i][j] += left[i][k] * right[k][j];
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i % 7, b[i][j] = j % 5, c[i][j] = (i + j) % 3;
  for (int round = 0; round < rounds; round++)
    {
      multiply (ab, a, b);
      multiply (d, ab, c);
    }
  printf ("%g\n", d[N / 2][N / 3]);
  return 0;
}
