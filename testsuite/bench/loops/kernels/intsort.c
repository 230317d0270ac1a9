/* intsort.c - counting sort of integers: counts, sums, ranks, the places of all.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 21, RANGE = 1 << 22 };
static unsigned key[N], count[RANGE + 1], place[N];

static void
count_keys (const unsigned *keys, unsigned *counts, int n)
{
  for (int i = 0; i < n; i++)
    counts[keys[i]]++;
}

static void
rank_keys (const unsigned *keys, const unsigned *counts, unsigned *ranks, int n)
{
  for (int i = 0; i < n; i++)
    ranks[i] = counts[keys[i]];
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  unsigned x = 7, sum = 0;
  for (int r = 0; r < rounds; r++)
    {
      for (int i = 0; i < N; i++)
	{
	  x = x * 1664525 + 1013904223;
	  key[i] = (x >> 8) % RANGE;
	}
      for (int i = 0; i < RANGE; i++)
	count[i] = 0;
      count_keys (key, count, N);
      for (int i = 1; i < RANGE; i++)
	count[i] += count[i - 1];
      rank_keys (key, count, place, N);
      for (int i = 0; i < N; i += 1023)
	sum = sum * 31 + place[i];
    }
  printf ("%u\n", sum);
  return 0;
}
