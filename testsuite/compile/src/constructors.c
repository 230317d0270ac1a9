/* constructors.c - instrumented code that runs before main, by priority, and after it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__ ((noinline))

static int total;

static int NOINLINE
work (int n)			/* calls = 60 */
{
  if (n % 2)
    total += n;
  return total;
}

static void __attribute__ ((constructor (101)))
first (void)			/* calls = 1 */
{
  for (int i = 0; i < 10; i++)
    work (i);
}

static void __attribute__ ((constructor))
second (void)			/* calls = 1 */
{
  for (int i = 0; i < 20; i++)
    work (i);
}

static void __attribute__ ((destructor))
last (void)			/* calls = 1 */
{
  for (int i = 0; i < 15; i++)
    work (i);
  printf ("%d\n", total);
}

static void
at_exit (void)			/* calls = 1 */
{
  for (int i = 0; i < 10; i++)
    work (i);
}

int
main (void)			/* calls = 1 */
{
  atexit (at_exit);
  for (int i = 0; i < 5; i++)
    work (i);
  return 0;			/* edge first > work = 10; edge last > work = 15; tree second > work = 20 */
}
