/* deep.c - a recursion of 1,000,000 frames, straight and through a second function.
   stack: unlimited
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define NOINLINE __attribute__ ((noinline))

static long NOINLINE
down (long n)			/* calls = 1000001 */
{
  volatile long here = n;
  if (n == 0)
    return 0;
  return down (n - 1) + here % 3;
}

static long other (long n);

static long NOINLINE
one (long n)			/* calls = 50001 */
{
  volatile long here = n;
  if (n == 0)
    return 0;
  return other (n - 1) + here % 5;
}

static long NOINLINE
other (long n)			/* calls = 50000 */
{
  volatile long here = n;
  return one (n) * 3 % 1000003 + here;
}

int
main (void)
{
  printf ("%ld %ld\n", down (1000000), one (50000));
  return 0;			/* edge down > down = 1000000; edge main > down = 1; edge one > other = 50000 */
}
