/* end-fault.c - a process that ends suddenly, within a function: `memset` at address 8.
   The call that does not return is of code without probes, and not in tail position: so all modes
   report it as unfinished.
   status: -11
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__ ((noinline))

static void *(*volatile fill) (void *, int, size_t) = memset;
static volatile int n_ended;

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
  fill ((void *) 8, 1, 1);
  n_ended++;
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
