/* strub.c - -fstrub: functions whose stack is scrubbed after they return.
   gcc: 14
   flags: -fstrub=relaxed
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

static int __attribute__ ((noinline, strub ("internal")))
secret (int n)
{
  int key[8];
  for (int i = 0; i < 8; i++)
    key[i] = n * i ^ 5;
  return key[n & 7];
}

static int __attribute__ ((noinline, strub ("at-calls")))
called (int n)			/* calls = 10 */
{
  return secret (n) + 1;
}

int
main (void)			/* calls = 1 */
{
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += called (i);
  printf ("%d\n", sum);
  return 0;
}
