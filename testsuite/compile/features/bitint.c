/* bitint.c - _BitInt of one word, of two and of many.
   gcc: 14
   flags: -std=c23
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

typedef unsigned _BitInt (17) small;
typedef _BitInt (100) middle;
typedef unsigned _BitInt (575) large;

static large numbers[4];

[[gnu::noinline]] static large
power (large base, int n)	/* calls = 4 */
{
  large result = 1;
  for (int i = 0; i < n; i++)
    result *= base;
  return result;
}

[[gnu::noinline]] static middle
mixed (middle a, small b)	/* calls = 10 */
{
  return a * b + (a >> 3);
}

int
main (void)
{
  middle sum = 1;
  for (int i = 0; i < 4; i++)
    numbers[i] = power (3 + i, 50);
  for (int i = 0; i < 10; i++)
    sum = mixed (sum, i + 3);
  large all = numbers[0] ^ numbers[1] ^ numbers[2] ^ numbers[3];
  printf ("%llx %llx %llx\n", (unsigned long long) all, (unsigned long long) (all >> 64),
	  (unsigned long long) sum);
  return 0;
}
