/* tailcalls.c - ten million tail calls deep: overflows the stack unless calls in tail position stay jumps.  SIBCALLS is set at the
   levels at which GCC makes jumps of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define NOINLINE __attribute__ ((noinline))
#ifdef SIBCALLS
#define DEPTH 10000000l
#else
#define DEPTH 20l
#endif

static long odd (long n, long sum);

static long NOINLINE
even (long n, long sum)
{
  if (n == 0)
    return sum;
  return odd (n - 1, sum ^ n);
}

static long NOINLINE
odd (long n, long sum)
{
  if (n == 0)
    return -sum;
  if (n % 3 == 0)
    return even (n - 1, sum + 1);
  return even (n - 1, sum + n);
}

static volatile long n_leaves;

static long NOINLINE
leaf (long n)			/* calls = 25 */
{
  n_leaves++;
  return n * 2;
}

static long NOINLINE
jumps (long n)			/* calls = 10 */
{
  leaf (n);
  return leaf (n + 1);
}

static long NOINLINE
mixed (long n)			/* calls = 5 */
{
  long sum = jumps (n) + leaf (n);
  return jumps (sum);
}

static long (*volatile pointer) (long) = mixed;

static long NOINLINE
indirect (long n)		/* calls = 5 */
{
  return pointer (n);
}

int
main (void)
{
  long sum = even (DEPTH, 0) + odd (DEPTH, 1);
  for (int i = 0; i < 5; i++)
    sum += indirect (i);
  printf ("%ld\n", sum);
  return 0;	/* edge main > indirect = 5; edge indirect > mixed = 5; edge mixed > jumps = 10; edge jumps > leaf = 20 */
  /* edge mixed > leaf = 5; tree main > indirect > mixed > jumps > leaf = 20 */
}
