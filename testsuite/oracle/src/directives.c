/* directives.c - kernels as they are written with OpenMP; see testsuite/oracle/openmp.  The
 * directives are right.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 48
#define FUNCTION __attribute__ ((noinline)) void
static double a[N][N], b[N][N], c[N][N], x[N], y[N];
static double at[N], speed[N], force[N];
static int row[N + 1], column[4 * N], image[N][N], smooth[N][N], bins[16];
static double value[4 * N], pi, energy;
static char words[N][16];
static unsigned hashes[N];

FUNCTION
multiply (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
	double s = 0;
	for (int k = 0; k < N; k++)
	  s += a[i][k] * b[k][j];
	c[i][j] = s;
      }
}

FUNCTION
sparse (void)
{
  int k;
  double s;
  /* DIRECTIVE omp parallel for private(k, s) */
  for (int i = 0; i < N; i++)
    {
      s = 0;
      for (k = row[i]; k < row[i + 1]; k++)
	s += value[k] * x[column[k]];
      y[i] = s;
    }
}

FUNCTION
integrate (int n)
{
  double sum = 0, h = 1.0 / n;
  /* DIRECTIVE omp parallel for reduction(+: sum) */
  for (int i = 0; i < n; i++)
    {
      double t = h * (i + 0.5);
      sum += 4 / (1 + t * t) * (1 + x[i % N]);
    }
  pi = sum * h;
}

FUNCTION
relax (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      c[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
}

FUNCTION
forces (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    {
      double f = 0;
      for (int j = 0; j < N; j++)
	if (i != j)
	  {
	    double d = at[i] - at[j];
	    f += d / (fabs (d * d * d) + 0.1);
	  }
      force[i] = f;
    }
}

FUNCTION
move (double dt)
{
  double e = 0;
  /* DIRECTIVE omp parallel for reduction(+: e) */
  for (int i = 0; i < N; i++)
    {
      speed[i] += force[i] * dt;
      at[i] += speed[i] * dt;
      e += speed[i] * speed[i];
    }
  energy = e;
}

FUNCTION
blur (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      {
	int s = 0;
	for (int k = -1; k <= 1; k++)
	  for (int l = -1; l <= 1; l++)
	    s += image[i + k][j + l];
	smooth[i][j] = s / 9;
      }
}

FUNCTION
histogram (void)
{
  /* DIRECTIVE omp parallel for reduction(+: bins) */
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      bins[image[i][j] & 15]++;
}

FUNCTION
hash_words (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    {
      unsigned h = 5381;
      for (const char *p = words[i]; *p; p++)
	h = h * 33 + *p;
      hashes[i] = h;
    }
}

FUNCTION
mandelbrot (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
	double re = 0, im = 0;
	int k = 0;
	while (k < 50 && re * re + im * im < 4)
	  {
	    double t = re * re - im * im + 3.0 * j / N - 2;
	    im = 2 * re * im + 2.0 * i / N - 1;
	    re = t;
	    k++;
	  }
	image[i][j] = k;
      }
}

FUNCTION
largest (double *most)
{
  double m = a[0][0];
  /* DIRECTIVE omp parallel for reduction(max: m) */
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (a[i][j] > m)
	m = a[i][j];
  *most = m;
}

FUNCTION
sort_rows (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    for (int j = 1; j < N; j++)
      {
	int v = image[i][j], k = j;
	for (; k > 0 && image[i][k - 1] > v; k--)
	  image[i][k] = image[i][k - 1];
	image[i][k] = v;
      }
}

FUNCTION
transpose (void)
{
  /* DIRECTIVE omp parallel for */
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++)
      {
	double t = b[i][j];
	b[i][j] = b[j][i];
	b[j][i] = t;
      }
}

FUNCTION
scratch (void)
{
  double line[N];
  /* DIRECTIVE omp parallel for private(line) */
  for (int i = 0; i < N; i++)
    {
      for (int j = 0; j < N; j++)
	line[j] = a[i][j] * 2;
      for (int j = 0; j < N; j++)
	c[i][j] = line[N - 1 - j];
    }
}

int
main (void)
{
  double most, sum = 0;
  for (int i = 0; i < N; i++)
    {
      for (int j = 0; j < N; j++)
	{
	  a[i][j] = (i * 7 + j * 3) % 11;
	  b[i][j] = (i + j) % 5;
	}
      x[i] = i % 4;
      at[i] = i * 1.5;
      row[i + 1] = row[i] + i % 4;
      for (int k = row[i]; k < row[i + 1]; k++)
	{
	  column[k] = (k * 5) % N;
	  value[k] = k % 3;
	}
      sprintf (words[i], "word%d", i);
    }
  multiply (); sparse (); integrate (500); relax (); forces (); move (0.5); mandelbrot (); blur ();
  histogram (); hash_words (); largest (&most); sort_rows (); transpose (); scratch ();
  for (int i = 0; i < N; i++)
    sum += c[i][i] + y[i] + at[i] + b[i][0] + smooth[i][i] + image[i][3] + bins[i & 15]
	   + hashes[i] % 7;
  printf ("%.9g %.9g %.9g %.9g\n", sum, pi, most, energy);
  return 0;
}
