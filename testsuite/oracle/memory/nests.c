/* nests.c - nests of loops of every shape: depths, triangles, guards, zero trips, conditions,
   statements around, several loops in one; and what is no nest.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define APART __attribute__ ((noinline, noclone))
#define N 14
static double A[N][N], B[N][N], C[N][N];
static int cube[N][N][N], four[5][5][5][5], line[600];
static unsigned char bytes[N][N];
static long total;

APART static void
product (int ni, int nj, int nk)
{
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      {
	C[i][j] = 0;
	for (int k = 0; k < nk; k++)
	  C[i][j] += A[i][k] * B[k][j];
      }
}

APART static void
flat (double *restrict c, const double *a, const double *b, long n, long stride)
{
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	double sum = 0;
	for (long k = 0; k < n; k++)
	  sum += a[i * stride + k] * b[k * stride + j];
	c[i * stride + j] = sum;
      }
}

/* Triangles go up and down, with and without the diagonal, by signed and unsigned counters of
   several widths. */
APART static void
triangles (int n)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
	A[i][j] += B[j][i];
      A[i][i] = 1;
    }
  for (int i = n; i-- > 0;)
    for (int j = i + 1; j < n; j++)
      A[i][j] -= A[j][i];
  for (unsigned i = 0; i < (unsigned) n; i++)
    for (unsigned j = i; j <= (unsigned) n - 1; j++)
      B[i][j] += 1;
  for (long i = 0; i < n; i++)
    for (long j = n - 1; j >= i; j -= 2)
      cube[i][j][i]++;
  for (short i = 0; i < n; i++)
    for (short j = 0; j < 2 * i - n; j++)
      bytes[i][j]++;
}

APART static void
lower_upper (int n)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
	{
	  for (int k = 0; k < j; k++)
	    A[i][j] -= A[i][k] * A[k][j];
	  A[i][j] /= 2 + A[j][j];
	}
      for (int j = i; j < n; j++)
	for (int k = 0; k < i; k++)
	  A[i][j] -= A[i][k] * A[k][j];
    }
}

APART static void
deep (int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = j; k < n; k++)
	for (int l = 0; l < k - j; l++)
	  four[i][j][k][l] += line[i + j + 2 * k];
}

APART static int
deeper (int n)
{
  int sum = 0;
  for (int h = 0; h < n; h++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
	for (int k = 0; k < n; k++)
	  for (int l = 0; l < n; l++)
	    sum += four[i][j][k][l] + line[h];
  return sum;
}

/* Conditions are of every kind, inside each other and with both ways. */
APART static int
conditions (const int *p, int n, int x, unsigned y)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (i != x)
	sum += p[i];
      else
	sum -= p[2 * i + 1];
      if (i > 3 && (unsigned) i <= y)
	for (int j = 0; j < 3; j++)
	  if (i + j == x + 1)
	    line[i + j]++;
	  else if (j < i - 5)
	    line[j]--;
      if (n > x)
	sum += p[i + 7];
    }
  return sum;
}

/* The test is in the middle of the iteration. */
APART static int
middle (const int *p, int n)
{
  int i = 0, sum = 0;
  for (;;)
    {
      sum += p[i];
      for (int j = 0; j < i; j++)
	sum += p[j];
      if (++i >= n)
	break;
      line[i]++;
      for (int j = i; j < n; j++)
	sum ^= p[j + 1];
    }
  return sum;
}

/* Trip counts are unknown at the start: only the outermost loop counts, or there is no nest. */
APART static int
searches (const int *p, int n, int x)
{
  int rounds = 0, left = x;
  do
    {
      for (int i = 0; i < n; i++)
	line[i] += p[i];
      left -= 3;
      rounds++;
    }
  while (left > 0 && left % 7);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (p[i] == j)
	line[j] += i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (cube[i % N][j % N][0] == x)
	return rounds + i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p[i] % 4; j++)
      line[j]++;
  return rounds;
}

/* A pointer moves through both loops; steps are not constant; counters wrap. */
APART static void
walks (int *p, long rows, long columns, long pitch, unsigned char from)
{
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      *p++ += 1;
  p -= rows * columns;
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      p[i * pitch + j * 2]++;
  for (int i = 0; i < 3; i++)
    for (unsigned char k = from; k != (unsigned char) (from + 20); k++)
      line[k]++;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = i - 2; j + 3 < 6; j++)
      line[j + 10]++;
}

/* Statements are between loops, loops are beside each other, and some have no accesses. */
APART static void
around (int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      line[i] = i;
      for (int j = 0; j < m; j++)
	cube[i][j][0] = j;
      line[i + 1]++;
      for (int j = 0; j < 3; j++)
	{
	  line[j] += line[i];
	  for (int k = 0; k < m; k += 3)
	    cube[i][j][k]++;
	  total += line[j + 1];
	}
      for (volatile int *spin = &line[40]; *spin < 0;)
	;
      line[i + 2]--;
    }
}

int
main (void)
{
  static const int sizes[] = { 0, 1, 2, 5, N };
  for (int i = 0; i < 600; i++)
    line[i] = i * 7 % 11;
  for (int k = 0; k < 5; k++)
    {
      int n = sizes[k];
      product (n, 3, 4);
      product (3, n, 2);
      product (2, 4, n);
      flat (&C[0][0], &A[0][0], &B[0][0], n, N);
      triangles (n);
      lower_upper (n);
      deep (n < 5 ? n : 5);
      total += deeper (n < 3 ? n : 3);
      for (int x = -1; x < 9; x += 3)
	total += conditions (line, n, x, 3 * x + 4) + searches (line, n, x) + middle (line, n + 1);
      walks (&cube[0][0][0], n, 4, n, 250);
      walks (&cube[0][0][0], 2, n, 3, n);
      around (n < 12 ? n : 12, N - n);
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      total += (long) (A[i][j] * 3) + (long) B[i][j] + (long) C[i][j] % 1000 + bytes[i][j] + cube[i][j][i];
  printf ("%ld\n", total);
  return 0;
}
