/* kernels.c - loops of all kinds, for loops.sh, hints.sh and outcome.sh; the lines that begin a
   loop say so for sed.
   SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__ ((noinline, noclone))
#define SUM(to, x, n) do { for (int i_ = 0; i_ < (n); i_++) to += (x)[i_]; } while (0)
#define TWICE(to, x, n) SUM (to, x, n); SUM (to, x, n)

KEEP void
saxpy (double *restrict y, const double *restrict x, double a, int n)
{
  for (int i = 0; i < n; i++) /*LOOP*/
    y[i] += a * x[i] / (y[i] + 1);
}

KEEP double
dot (const double *x, const double *y, int n)
{
  double s = 0;
  int i = 0;
  while (i < n) /*LOOP*/
    {
      s += x[i] * y[i];
      i++;
    }
  return s;
}

KEEP int
find (const int *x, int n, int wanted)
{
  int i = 0;
  do /*LOOP*/
    {
      if (x[i] == wanted)
	break;
      i++;
    }
  while (i < n);
  return i;
}

KEEP void
add (int *restrict a, const int *restrict b, int n)
{
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}

KEEP void
overlap (int *a, int *b, int n)
{
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
}

KEEP void
clear (int *a, int n)
{
  for (int i = 0; i < n; i++)
    a[i] = 0;
}

KEEP int
three (const int *a)
{
  int s = 0;
  for (int i = 0; i < 3; i++)
    s += a[i] * 7;
  return s;
}

KEEP void
choose (int *a, int *b, int n, int flag)
{
  for (int i = 0; i < n; i++)
    if (flag)
      a[i] = i / (b[i] + 1);
    else
      b[i] += a[i] / 3;
}

static inline int
mixed (const int *a, int n)
{
  int s = 1;
  for (int i = 0; i < n; i++)
    s = s * 31 ^ a[i];
  return s;
}

KEEP int
inlined (int **a, int n)
{
  int s = 0;
  for (int j = 0; j < n; j++)
    s += mixed (a[j], n);
  return s;
}

KEEP double
macros (const double *x, int n)
{
  double s = 0;
  TWICE (s, x, n);
  return s;
}

KEEP int
nothing (int n)
{
  for (int i = 0; i < n; i++)
    ;
  return n;
}

KEEP int
words (const char *text)
{
  int n = 0;
  for (;;)
    {
      while (*text == ' ')
	text++;
      if (!*text)
	return n;
      n++;
      while (*text && *text != ' ')
	{
	  if (*text == '"')
	    while (text[1] && *++text != '"')
	      continue;
	  text++;
	}
    }
}

int
main (int argc, char **argv)
{
  enum { N = 1000 };
  static double x[N], y[N];
  static int a[N], b[N], *rows[8];
  for (int i = 0; i < N; i++)
    {
      x[i] = i % 17, y[i] = i % 13;
      a[i] = i % 11, b[i] = i % 7;
    }
  for (int i = 0; i < 8; i++)
    rows[i] = a + i;
  saxpy (y, x, 0.5, N);
  add (a, b, N);
  overlap (a, b, N);
  choose (a, b, N, argc > 1);
  double d = dot (x, y, N) + macros (x, N);
  int n = find (a, N, 100) + three (b) + inlined (rows, 8) + nothing (argc) + words (argv[0]);
  clear (a, N);
  return n == 12345 && d < 0 && a[0];
}

/* A call that is there at some levels only. */
void
roots (double *a, int n)
{
  for (int i = 0; i < n; i++)
    a[i] = __builtin_sqrt (a[i]) * __builtin_sqrt (a[i]);
}
