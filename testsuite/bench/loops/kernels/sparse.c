/* sparse.c - a sparse matrix with columns at random times a vector.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1 << 17, EACH = 16, COLUMNS = 1 << 20 };
static int first[ROWS + 1], column[ROWS * EACH];
static double value[ROWS * EACH], x[COLUMNS], y[ROWS];

static void
multiply (int rows)
{
  for (int i = 0; i < rows; i++)
    {
      double sum = 0;
      for (int j = first[i]; j < first[i + 1]; j++)
	sum += value[j] * x[column[j]];
      y[i] = sum;
    }
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  unsigned random = 1;
  double sum = 0;
  for (int i = 0; i < ROWS * EACH; i++)
    {
      random = random * 1664525 + 1013904223;
      column[i] = (random >> 8) % COLUMNS;
      value[i] = i % 7;
    }
  for (int i = 0; i <= ROWS; i++)
    first[i] = i * EACH;
  for (int i = 0; i < COLUMNS; i++)
    x[i] = i % 11;
  for (int r = 0; r < rounds; r++)
    {
      multiply (ROWS);
      sum += y[r % ROWS];
      x[r % COLUMNS] += 1;
    }
  printf ("%.0f\n", sum);
  return 0;
}
