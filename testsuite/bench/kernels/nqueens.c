/* nqueens.c - the queens' problem by recursion and bits.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

static unsigned all;

static long
place (unsigned columns, unsigned left, unsigned right)
{
  long found = 0;
  if (columns == all)
    return 1;
  for (unsigned open = all & ~(columns | left | right); open; open &= open - 1)
    {
      unsigned bit = open & -open;
      found += place (columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
  return found;
}

int
main (int argc, char **argv)
{
  all = (1u << (argc > 1 ? atoi (argv[1]) : 8)) - 1;
  printf ("%ld\n", place (0, 0, 0));
  return 0;
}
