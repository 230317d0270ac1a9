/* shapes.c - loops of all shapes: where tests, exits and ways back stand.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

volatile int sink, n = 10;
static jmp_buf back;

__attribute__ ((noinline)) static int
ways_out (const int *v, int m)
{
  for (int i = 0; i < m; i++)                   /* loop = 3 10 */
    {
      if (v[i] == 7)
	return i;
      if (v[i] == 9)
	break;
      if (v[i] & 1)
	continue;
      sink = v[i];
    }
  return -1;
}

__attribute__ ((noinline)) static int
at_the_end (int k)
{
  int sum = 0;
  do
    {
      sum += k;                                 /* loop = 3 13 */
      k--;
    }
  while (k > 0);
  return sum;
}

__attribute__ ((noinline)) static int
at_the_end_continued (int k)
{
  int sum = 0;
  do
    {
      k--;                                      /* loop = 1 10 */
      if (k % 3 == 0)
	continue;
      sum += k;
      sink = sum;
    }
  while (k > 0);
  return sum;
}

__attribute__ ((noinline)) static int
nest (int m)
{
  int sum = 0;
  for (int i = 0; i < m; i++)                   /* loop = 1 10 */
    for (int j = 0; j < i; j++)                 /* loop = 10 45 */
      for (int k = 0; k < 4; k++)               /* loop = 45 180 */
	sum += i ^ j ^ k;
  return sum;
}

__attribute__ ((noinline)) static int
out_of_nest (int m)
{
  for (int i = 0; i < m; i++)                   /* loop = 1 3 */
    for (int j = 0; j < m; j++)                 /* loop = 4 35 */
      {
	if (i * j == 15)
	  goto out;
	sink = j;
      }
 out:
  return 0;
}

/* The inner loop continues the outer one from its middle. */
__attribute__ ((noinline)) static int
next_of_outer (int m)
{
  int i, j, sum = 0;
  for (i = 0; i < m; i++)                       /* loop = 1 10 */
    {
      for (j = 0; j < m; j++)                   /* loop = 10 45 */
	{
	  sum++;
	  if (j == i)
	    goto next;
	  sink = sum;
	}
      sum += 2;
    next:;
    }
  return sum;
}

__attribute__ ((noinline)) static int
forever (int m)
{
  int i = 0;
  for (;;)
    {
      i++;
      if (i * i > m)                            /* loop = 1 6 */
	return i;
      sink = i;
    }
}

__attribute__ ((noinline)) static int
with_switch (const char *p)
{
  int a = 0;
  while (*p)                                    /* loop = 1 8 */
    switch (*p++)
      {
      case 'a': a++; break;
      case 'b': a += 2; continue;
      case 'c': a *= 2; break;
      default: a--;
      }
  return a;
}

/* A loop is inside a graph with two entries, which is not a loop. */
__attribute__ ((noinline)) static int
irreducible (int k)
{
  int sum = 0;
  if (k & 1)
    goto second;
 first:
  sum += k;
 second:
  for (int i = 0; i < 3; i++)                   /* loop = 5 15 */
    sink = i;
  if (--k > 0)
    goto first;
  return sum;
}

__attribute__ ((noinline)) static void
leave (int i)
{
  if (i == 4)
    longjmp (back, 1);
  sink = i;
}

__attribute__ ((noinline)) static void
left_by_longjmp (int m)
{
  for (int i = 0; i < m; i++)                   /* loop = 2 3 1 */
    leave (i);
}

__attribute__ ((noinline)) static int
recursive (int k)
{
  int sum = 1;
  for (int i = 0; i < k; i++)                   /* loop = 16 15 */
    sum += recursive (i);
  return sum;
}

__attribute__ ((noinline)) static int
goes_on (int k)
{
  return k + sink;
}

__attribute__ ((noinline)) static int
jumps_behind (int k)
{
  for (int i = 0; i < k; i++)                   /* loop = 2 10 */
    sink = i;
  return goes_on (k);
}

static inline int
everywhere (int k)
{
  int sum = 0;
  for (int i = 0; i < k; i++)                   /* loop = 3 12 */
    sum += sink;
  return sum;
}

__attribute__ ((noinline)) static void
ends_within (void)
{
  for (int i = 0;; i++)
    if (i == 20)                                /* loop = 1 20 */
      exit (3);
    else
      leave (i + 100);
}

int
main (void)
{
  static const int v[3][5] = { { 2, 4, 1, 7, 0 }, { 3, 5, 9, 1, 1 }, { 1, 2, 3, 4, 5 } };
  int sum = 0;
  for (int i = 0; i < 3; i++)                   /* loop = 1 3 */
    sum += ways_out (v[i], 5);
  sum += at_the_end (7) + at_the_end (5) + at_the_end (-2) + at_the_end_continued (n);
  sum += nest (n) + out_of_nest (n) + next_of_outer (n - 1 + 1) + forever (40) + with_switch ("abcxabca") + irreducible (5);
  if (!setjmp (back))
    left_by_longjmp (n);
  left_by_longjmp (n - 7);
  sum += recursive (4) + jumps_behind (4) + jumps_behind (6) + everywhere (3) + everywhere (n - 1) + everywhere (n - 10);
  for (int i = 0; i < n - 10; i++)              /* loop = 1 0 */
    sink = i;
  printf ("%d\n", sum);
  fflush (stdout);
  ends_within ();
  return 0;
}
