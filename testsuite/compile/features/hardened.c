/* hardened.c - -fhardened: automatic variables are cleared, stacks are probed and protected.
   gcc: 14
   levels: -O0 -O1 -O3 -Os
   flags: -fhardened -D_GLIBCXX_ASSERTIONS -Wno-hardened
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <string.h>

static int __attribute__ ((noinline))
sum_of (const char *text)	/* calls = 20 */
{
  char copy[5000];
  int sum = 0;
  strcpy (copy, text);
  for (char *c = copy; *c; c++)
    sum += *c;
  return sum;
}

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 20; i++)
    sum += sum_of ("hardened" + i % 4);
  printf ("%d\n", sum);
  return 0;
}
