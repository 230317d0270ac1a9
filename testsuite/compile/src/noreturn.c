/* noreturn.c - calls that do not return, functions that end in them or in an endless loop, exit in
   a callee.
   status: 3
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__ ((noinline))

static void NOINLINE __attribute__ ((noreturn))
finish (int n)			/* calls = 1; unfinished = 1 */
{
  printf ("%d\n", n);
  exit (n % 7);
}

static int NOINLINE
maybe (int n)			/* calls = 11; unfinished = 1 */
{
  if (n == 10)
    finish (n);			/* line = 1 */
  return n * 2;			/* line = 10 */
}

static int NOINLINE
forever (int n)			/* calls = 1; unfinished = 1 */
{
  for (;;)
    n = maybe (n) / 2 + 1;
}

static void
at_end (void)			/* calls = 1 */
{
  puts ("end");
}

int
main (void)			/* calls = 1; unfinished = 1 */
{
  atexit (at_end);
  return forever (0);
}
