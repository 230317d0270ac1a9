/* sort.c - selection sort.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };
static int table[N];

static void
selection_sort (void)
{
  for (int i = 0; i < N - 1; i++)
    {
      int least = i;
      for (int j = i + 1; j < N; j++)
	if (table[j] < table[least])
	  least = j;
      int other = table[i];
      table[i] = table[least];
      table[least] = other;
    }
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  unsigned state = 1;
  long sum = 0;
  for (int round = 0; round < rounds; round++)
    {
      for (int i = 0; i < N; i++)
	table[i] = (state = state * 1103515245 + 12345) >> 8;
      selection_sort ();
      sum += table[N / 2];
    }
  printf ("%ld\n", sum);
  return 0;
}
