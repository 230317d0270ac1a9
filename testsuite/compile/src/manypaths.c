/* manypaths.c - 2^40 paths in one function: too many for a table, so further edges are cut, and the
   counts stay exact.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define NOINLINE __attribute__ ((noinline))
#define STEP(bit) if (n >> (bit) & 1) sum += table[bit] ^ sum; else sum -= bit;
#define FOUR(bit) STEP (bit) STEP (bit + 1) STEP (bit + 2) STEP (bit + 3)

static long NOINLINE
choose (unsigned long n, const long *table)	/* calls = 2000 */
{
  long sum = 0;
  FOUR (0)
  FOUR (4)
  FOUR (8)
  FOUR (12)
  if (n & 1)
    sum ^= 5;		/* line = 1000 */
  FOUR (16)
  FOUR (20)
  FOUR (24)
  FOUR (28)
  FOUR (32)
  FOUR (36)
  return sum;
}

int
main (void)
{
  long table[40], sum = 0;
  unsigned long n = 1;
  for (int i = 0; i < 40; i++)
    table[i] = i * i;
  for (int i = 0; i < 2000; i++)
    {
      n = n * 6364136223846793005ul + 1442695040888963407ul;
      sum = sum * 31 + choose (n >> 20 << 1 | (i & 1), table);
    }
  printf ("%ld\n", sum);
  return 0;
}
