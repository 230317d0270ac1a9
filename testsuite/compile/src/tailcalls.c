/* tailcalls.c - tail calls nested so deeply that the stack, which is kept small, overflows unless calls
   in tail position stay jumps.  SIBCALLS is set at the levels at which GCC makes jumps of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <sys/resource.h>

#define NOINLINE __attribute__ ((noinline))
#ifdef SIBCALLS
#define DEPTH 50000l
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
leaf (long n)			/* calls = 35 */
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

/* The compiler leaves these calls in tail position as calls, since local variables are passed to
   them: one after the other, to functions that can or cannot be entered by their address. */
static void NOINLINE
store (long *place)		/* calls = 15 */
{
  n_leaves += *place;
}

void NOINLINE
keep (long *place, long n)	/* calls = 10 */
{
  long twice = *place + n;
  leaf (twice);
  store (&twice);
}

static void NOINLINE
pass (long n)			/* calls = 10 */
{
  long here = n_leaves;
  keep (&here, n);
}

static void (*volatile pass_on) (long) = pass;

static void NOINLINE
hand (long n)			/* calls = 5 */
{
  long own = n;
  store (&own);
  pass (own);
  pass_on (own);
}

int
main (void)
{
  /* The limit is less than DEPTH frames of 16 bytes, the smallest possible. */
  struct rlimit small = { 512 << 10, 512 << 10 };
  setrlimit (RLIMIT_STACK, &small);
  long sum = even (DEPTH, 0) + odd (DEPTH, 1);
  for (int i = 0; i < 5; i++)
    {
      sum += indirect (i);
      hand (i);
    }
  printf ("%ld\n", sum);
  return 0;	/* edge main > indirect = 5; edge indirect > mixed = 5; edge mixed > jumps = 10; edge jumps > leaf = 20 */
  /* edge mixed > leaf = 5; tree main > indirect > mixed > jumps > leaf = 20 */
  /* tree main > hand > pass > keep > store = 10; tree main > hand > pass > keep > leaf = 10; tree main > hand > store = 5 */
}
