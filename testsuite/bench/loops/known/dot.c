/* dot.c - a sum over three arrays in the first cache.  At -O2, where GCC 12 does not vectorize it, an
 * iteration has somewhat more instructions than a cycle has room for, so a factor helps; at -O3 it
 * helps less, or not at all.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

static int a[2048], b[2048], c[2048];

__attribute__ ((noipa)) static int
dot (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += (a[i] ^ b[i]) + (b[i] & c[i]);
  return sum;
}

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 2048; i++)
    a[i] = i, b[i] = i * 3, c[i] = i * 7;
  for (int i = 0; i < REPEAT; i++)
    sum += dot (2040 + (i & 7));
  printf ("%d\n", sum);
  return 0;
}
