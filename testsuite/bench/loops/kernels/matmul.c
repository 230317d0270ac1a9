/* matmul.c - products of dense matrices: plain, with a transpose, and a matrix times a vector.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 240 };
static double a[N][N], b[N][N], c[N][N], v[N], w[N];

static void
fill (void)
{
  for (int i = 0; i < N; i++)
    {
      v[i] = 1.0 / (i + 1);
      for (int j = 0; j < N; j++)
	{
	  a[i][j] = (i * 7 + j * 3) % 11 * 0.1;
	  b[i][j] = (i * 5 + j * 13) % 17 * 0.05;
	}
    }
}

/* C = A B  */
static void
multiply (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
	double sum = 0;
	for (int k = 0; k < N; k++)
	  sum += a[i][k] * b[k][j];
	c[i][j] = sum;
      }
}

/* C = C + A B^T: both rows are walked along.  */
static void
multiply_transposed (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
	double sum = c[i][j];
	for (int k = 0; k < N; k++)
	  sum += a[i][k] * b[j][k];
	c[i][j] = sum;
      }
}

/* v = C v, scaled to length of about 1.  */
static void
apply (void)
{
  double largest = 0;
  for (int i = 0; i < N; i++)
    {
      double sum = 0;
      for (int j = 0; j < N; j++)
	sum += c[i][j] * v[j];
      w[i] = sum;
      if (sum > largest)
	largest = sum;
    }
  for (int i = 0; i < N; i++)
    v[i] = w[i] / largest;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  double sum = 0;
  fill ();
  for (int r = 0; r < rounds; r++)
    {
      multiply ();
      multiply_transposed ();
      for (int k = 0; k < 50; k++)
	apply ();
    }
  for (int i = 0; i < N; i++)
    sum += v[i];
  printf ("%.12g\n", sum);
  return 0;
}
