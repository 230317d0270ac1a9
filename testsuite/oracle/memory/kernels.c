/* kernels.c - loops over arrays: stencils, matrices, triangles, steps that are not constant,
   several exits, no iteration at all.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#define N 24
static double a[N][N], b[N][N], c[N][N], v[N * N];

__attribute__ ((noinline)) static void
product (int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
	c[i][j] += a[i][k] * b[k][j];
}

__attribute__ ((noinline)) static void
stencil (double *to, const double *from, int n)
{
  for (int i = 1; i < n - 1; i++)
    to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
}

__attribute__ ((noinline)) static void
triangle (int n)
{
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      a[j][i] = b[i][j] + v[i * j];
}

__attribute__ ((noinline)) static double
strided (const double *p, int n, int step)
{
  double sum = 0;
  for (int i = 0; i < n; i += step)
    sum += p[i] + p[i / 2];
  for (int i = n - 1; i >= 0; i -= step)
    sum -= p[i];
  return sum;
}

__attribute__ ((noinline)) static int
find (const double *p, int n, double what)
{
  for (int i = 0; i < n; i++)
    {
      if (p[i] == what)
	return i;
      if (p[i + 1] > 1e6)
	break;
    }
  return -1;
}

__attribute__ ((noinline)) static unsigned
bytes (const unsigned char *p, unsigned char limit)
{
  unsigned n = 0;
  while (p[n] < limit && p[n + 1])
    n++;
  return n;
}

__attribute__ ((noinline)) static void
conditional (int n)
{
  for (int i = 0; i < n; i++)
    {
      v[i] += i;
      if (v[i] > 10)
	v[n - i] = b[i % N][3];
      do
	c[1][i % N] *= 0.5;
      while (c[1][i % N] > 5);
    }
}

int
main (int argc, char **argv)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i - j, b[i][j] = i * j % 7, v[i * N + j] = i ^ j;
  product (N * argc);
  stencil (&c[2][0], v, N);
  stencil (&c[2][0], v, argc);
  triangle (N - argc);
  sum += strided (v, N * N, 3 + argc) + strided (v, 0, argc) + find (v, N * N, 19) + find (v, N * N - 1, -5) + find (v, 0, 1);
  conditional (20 * argc);
  sum += bytes ((const unsigned char *) "a text of some length", 'z');
  for (int i = 0; i < N; i++)
    sum += a[i][N - 1 - i] + c[i][i];
  printf ("%g\n", sum);
  return argv[0] == 0;
}
