/* tally.c - N rounds (argument, default 60) of one of three kinds, with well-known counts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

static int order[8] = { 5, 2, 7, 1, 8, 3, 6, 4 };

static int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

__attribute__ ((noinline)) int
factorial (int n)
{
  if (n < 2)
    return 1;
  return n * factorial (n - 1);
}

__attribute__ ((noinline)) int
kind (int i)
{
  if (i % 3 == 0)
    return 1;          /* 20 of 60 */
  else if (i % 4 == 0)
    return 2;          /* 10 of 60 */
  return i < 0 ? 0 : 3;
}

int
unused (int x)
{
  return x + 1;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 60, sum = 0;
  for (int i = 0; i < rounds; i++)
    sum += kind (i);
  qsort (order, 8, sizeof *order, compare);
  sum += factorial (5);
  printf ("%d\n", sum);
  return 0;
}
