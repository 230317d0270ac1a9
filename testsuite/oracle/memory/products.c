/* products.c - addresses that contain a product of narrow integers, in loops that may have no
   iteration: the product is behind a test, and may overflow where no access follows it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <limits.h>
#include <stdio.h>

#define APART __attribute__ ((noinline, noclone))
static double grid[4000], other[4000];
static int line[4000];
static unsigned char bytes[4000];

APART static void
flat (int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      grid[i * m + j] += other[j * n + i];
}

APART static void
stencil (const double *a, double *b, int n, int m, int stride)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i * stride + j] = a[(i - 1) * stride + j] + a[(i + 1) * stride - j + m]
			  + a[i * stride + 2 * j];
}

APART static void
deep (int n, int m, int l)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
	line[(i * m + j) * l + k] += line[3999 - (k * m + j) * n - i];
}

/* The test is of the outer loop's counter, or changes; a product is no function of a counter. */
APART static void
tested (int n, int m, int from)
{
  for (int i = 0; i < n; i++)
    {
      if (i > from)
	line[i * m] = i;
      if (line[i] & 1)
	grid[i * m + 1] = i;
      for (int j = 0; j < i; j++)
	line[i * i + j * j] ^= j;
      for (int j = from; j < m; j++)
	line[i * j + 7] ^= i;
    }
}

/* Narrow and unsigned types wrap, and do. */
APART static void
narrow (short n, signed char m, unsigned char k)
{
  for (short i = 0; i < n; i++)
    for (signed char j = 0; j < m; j++)
      {
	bytes[i * m + j]++;
	bytes[(unsigned char) (i * k + j)]++;
	bytes[(unsigned char) (i * k) + j]++;
	bytes[(signed char) (i * m) + 200]++;
      }
}

APART static void
wrapping (unsigned n, unsigned m, unsigned start)
{
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      {
	line[start + (i + 1) * m + j]++;
	line[(start + 40) * i + 3 + j]++;
      }
}

/* From an I of 3 on a product overflows, but there is no access then. */
APART static void
large (int n, int most, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = i < 3 ? 0 : m; j < m; j++)
      line[i * most - i * (most - 1) + j]++;
}

APART static void
backwards (int n, int m)
{
  for (int i = n; i-- > 0;)
    for (int j = m; j > 0; j--)
      grid[(n - i) * m - j] -= other[i * m + (m - j)];
}

int
main (int argc, char **argv)
{
  int n = argc + 8;
  flat (n, 13), flat (n, 0), flat (0, n);
  stencil (other, grid, n, 11, 30), stencil (other, grid, n, 1, 30);
  deep (n, 5, 7), deep (n, 5, 0);
  tested (n, 11, 4), tested (n, 0, 40);
  narrow (60, 50, 77), narrow (5, 0, 3);
  wrapping (n, 12, 100), wrapping (n, 6, -5u), wrapping (3, 0, 9);
  large (3, INT_MAX / 2, n), large (n, INT_MAX / 2, 20);
  backwards (n, 12);
  double sum = 0;
  for (int i = 0; i < 4000; i++)
    sum += grid[i] + line[i] * 3 + bytes[i];
  printf ("%g\n", sum);
  return 0;
}
