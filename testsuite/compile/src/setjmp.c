/* setjmp.c - longjmp within a function, out of nested calls, in loops, twice to one place, and
   __builtin_setjmp.
   An activation that is jumped back into is not left: only what is jumped past is unfinished.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <setjmp.h>
#include <stdio.h>

#define NOINLINE __attribute__ ((noinline))

static jmp_buf outer, inner;
static void *builtin_buffer[5];
static int n_thrown;

static void NOINLINE
leave (int n)			/* calls = 30; unfinished = 30 */
{
  n_thrown++;
  if (n % 2)
    longjmp (outer, n);
  longjmp (inner, n + 1);
}

static int NOINLINE
descend (int n, int depth)	/* calls = 90; unfinished = 90 */
{
  volatile char pad[40];
  pad[depth] = n;
  if (depth == 0)
    leave (n);
  return descend (n, depth - 1) + pad[depth];
}

static int NOINLINE
middle (int n)			/* calls = 30; unfinished = 16 */
{
  int value = setjmp (inner);
  if (value == 0)
    return descend (n, 2);
  return value;
}

static int NOINLINE
loop (int n)			/* calls = 3; unfinished = 0 */
{
  volatile int sum = 0, i = 0;
  while (i < n)
    {
      i++;
      if (setjmp (outer) == 0)
	sum += middle (i);
      else
	sum += 100;
    }
  return sum;
}

static void NOINLINE
builtin_leave (int n)		/* calls = 20; unfinished = 5 */
{
  if (n % 4 == 1)
    __builtin_longjmp (builtin_buffer, 1);
}

static int NOINLINE
builtin_place (int n)		/* calls = 20; unfinished = 0 */
{
  if (__builtin_setjmp (builtin_buffer))
    return 1000;
  builtin_leave (n);
  return n;
}

static int NOINLINE
again (void)			/* calls = 1; unfinished = 0 */
{
  volatile int times = 0;
  jmp_buf here;
  int value = setjmp (here);
  times++;
  if (value < 5)
    longjmp (here, value + 1);
  return times * 10 + value;
}

int
main (void)			/* calls = 1; unfinished = 0 */
{
  int sum = loop (10) + loop (9) + loop (11);
  for (int i = 0; i < 20; i++)
    sum += builtin_place (i);
  printf ("%d %d %d\n", sum, n_thrown, again ());
  return 0;	/* tree main > loop = 3; tree main > loop > middle = 30; edge descend > leave = 30; edge descend > descend = 60 */
  /* tree main > loop > middle > descend = 30 */
}
