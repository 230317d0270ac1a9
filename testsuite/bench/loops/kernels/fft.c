/* fft.c - the radix 2 transform in place, forth and back.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOG = 14, N = 1 << LOG };
static double re[N], im[N], cosine[N / 2], sine[N / 2];

static void
reverse_bits (void)
{
  for (int i = 0, j = 0; i < N; i++)
    {
      if (i < j)
	{
	  double t = re[i];
	  re[i] = re[j];
	  re[j] = t;
	  t = im[i];
	  im[i] = im[j];
	  im[j] = t;
	}
      int bit = N >> 1;
      while (j & bit)
	{
	  j ^= bit;
	  bit >>= 1;
	}
      j |= bit;
    }
}

/* Transform; DIRECTION is 1 or -1. */
static void
transform (double direction)
{
  reverse_bits ();
  for (int half = 1; half < N; half *= 2)
    for (int start = 0; start < N; start += 2 * half)
      for (int k = 0; k < half; k++)
	{
	  double wr = cosine[k * (N / 2 / half)], wi = direction * sine[k * (N / 2 / half)];
	  int a = start + k, b = a + half;
	  double tr = re[b] * wr - im[b] * wi, ti = re[b] * wi + im[b] * wr;
	  re[b] = re[a] - tr;
	  im[b] = im[a] - ti;
	  re[a] += tr;
	  im[a] += ti;
	}
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  double sum = 0;
  for (int k = 0; k < N / 2; k++)
    {
      cosine[k] = cos (2 * M_PI * k / N);
      sine[k] = sin (2 * M_PI * k / N);
    }
  for (int i = 0; i < N; i++)
    re[i] = i % 37 - 18;
  for (int r = 0; r < rounds; r++)
    {
      transform (-1);
      for (int i = 0; i < N; i++)
	{
	  re[i] *= 0.99 / N;
	  im[i] *= 0.99 / N;
	}
      transform (1);
    }
  for (int i = 0; i < N; i++)
    sum += fabs (re[i]);
  printf ("%.10g\n", sum);
  return 0;
}
