/* queries.c - bisection for sorted queries, all of them one step after another.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

enum { BITS = 22, N = 1 << BITS, QUERIES = 1 << 16 };
static unsigned table[N], query[QUERIES];
static int place[QUERIES];

static void
step (int *at, const unsigned *of, int n, int half)
{
  for (int i = 0; i < n; i++)
    at[i] += table[at[i] + half - 1] < of[i] ? half : 0;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  unsigned sum = 0;
  for (int i = 0; i < N; i++)
    table[i] = i * 3u;
  for (int r = 0; r < rounds; r++)
    {
      for (int i = 0; i < QUERIES; i++)
	{
	  query[i] = (unsigned) i * (3u * N / QUERIES) + r;
	  place[i] = 0;
	}
      for (int half = N / 2; half; half /= 2)
	step (place, query, QUERIES, half);
      for (int i = 0; i < QUERIES; i += 17)
	sum = sum * 31 + place[i];
    }
  printf ("%u\n", sum);
  return 0;
}
