/* assume.c - attribute assume in C, with a statement expression.
   gcc: 13
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

static int __attribute__ ((noinline))
rest (int x, const int *table)	/* calls = 64; access table[] = 72 */
{
  __attribute__ ((assume (x >= 0 && x < 64)));
  __attribute__ ((assume (({ int all = 0;
			     for (int i = 0; i < 8; i++)
			       all |= x >> i;
			     all >= 0; }))));
  return table[x % 8];
}

int
main (void)
{
  int table[8] = { 1, 2, 4, 8, 16, 32, 64, 128 }, sum = 0;
  for (int i = 0; i < 64; i++)
    sum += rest (i, table);
  printf ("%d\n", sum);
  return 0;
}
