/* end-abort.c - a process that ends suddenly, within a function: `abort ();`.
   status: -6
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline))

static int NOINLINE
work (int n)			/* calls = 1000; unfinished = 0 */
{
  int sum = 0;
  for (int i = 0; i < n % 13; i++)
    sum += i % 2 ? i : n;
  return sum;
}

static void NOINLINE
end (void)			/* calls = 1; unfinished = 1 */
{
  abort ();
}

int
main (void)			/* calls = 1; unfinished = 1 */
{
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += work (i);
  printf ("%d\n", sum);
  fflush (stdout);
  end ();
  return 0;			/* tree main > work = 1000; edge main > end = 1 */
}
