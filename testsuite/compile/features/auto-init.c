/* auto-init.c - -ftrivial-auto-var-init: what the compiler fills is no variable that is read.
   gcc: 12
   flags: -ftrivial-auto-var-init=pattern
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

struct wide { int a[6]; char c; long d; };

static long __attribute__ ((noinline))
filled (int n)			/* calls = 30 */
{
  struct wide w;
  volatile char spare[3];
  for (int i = 0; i < 6; i++)
    w.a[i] = n + i;
  w.d = n;
  spare[n % 3] = n;
  long sum = w.d + spare[n % 3];
  for (int i = 0; i < 6; i++)
    sum += w.a[(i * n) % 6];
  return sum;
}

int
main (void)
{
  long sum = 0;
  for (int i = 0; i < 30; i++)
    sum += filled (i);
  printf ("%ld\n", sum);
  return 0;
}
