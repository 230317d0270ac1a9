/* directives-wrong.c - kernels with OpenMP directives that are wrong: a clause is missing, or the
 * loop carries a dependence; see testsuite/oracle/openmp.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#define N 48
#define FUNCTION __attribute__ ((noinline)) void
static double a[N][N], b[N], c[N], total;
static int keys[N], bins[16], list[N], filled;

FUNCTION
sum_without_clause (void)
{
  double sum = 0;
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    sum += b[i];
  total = sum;
}

FUNCTION
global_without_clause (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    total += b[i];
}

FUNCTION
shared_temporary (void)
{
  double t;
  int j;
  /* DIRECTIVE omp parallel for private(j) */
  for (int i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      {
	t = a[i][j] + 1;
	a[i][j] = t * t;
      }
}

FUNCTION
wavefront (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 1; i < N; i++)
    for (int j = 1; j < N; j++)
      a[i][j] = (a[i - 1][j] + a[i][j - 1]) / 2;
}

FUNCTION
prefix (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 1; i < N; i++)
    c[i] = c[i - 1] + b[i];
}

FUNCTION
shifted (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N - 1; i++)
    b[i] = b[i + 1];
}

FUNCTION
histogram (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    bins[keys[i] & 15]++;
}

FUNCTION
gather (void)
{
  int n = 0;
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    if (keys[i] & 1)
      list[n++] = i;
  filled = n;
}

FUNCTION
random_numbers (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    keys[i] = rand ();
}

FUNCTION
scratch (void)
{
  double line[N];
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    {
      for (int j = 0; j < N; j++)
	line[j] = a[i][j] * 2;
      c[i] = line[i] + line[N - 1 - i];
    }
}

FUNCTION
decay (void)
{
  double x = 1;
  /* DIRECTIVE omp parallel for lastprivate(x) */
  for (int i = 0; i < N; i++)
    {
      x = x * 0.9 + b[i];
      c[i] = x;
    }
}

FUNCTION
search (int key)
{
  int at = -1;
  /* DIRECTIVE omp parallel for lastprivate(at) */
  for (int i = 0; i < N; i++)
    if (keys[i] == key)
      {
	at = i;
	break;
      }
  filled += at;
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    {
      b[i] = i % 5;
      keys[i] = i * 7;
    }
  sum_without_clause (); global_without_clause (); shared_temporary (); wavefront (); prefix ();
  shifted (); histogram (); gather (); random_numbers (); scratch (); decay (); search (21);
  printf ("%g %d %g %d\n", total, bins[3], a[3][4] + b[1] + c[5], filled + list[2]);
  return 0;
}
