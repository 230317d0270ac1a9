/* line.c - a loop of 31 bytes that takes a cycle for an iteration, and begins 48 bytes behind the
 * beginning of a cache line, so that it lies in two.  To be compiled with -fno-align-loops.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

__attribute__ ((noipa, aligned (64))) static unsigned
line (unsigned n)
{
  unsigned a = n, b = 1, c = 2, d = 3;
  __asm__ volatile (".balign 64\n\t.skip 48, 0x90"
		    : "+S" (a), "+D" (b), "+c" (c), "+d" (d), "+b" (n));
  do
    __asm__ volatile ("add $0x11111111, %0\n\tadd $0x22222222, %1\n\tadd $0x33333333, %2\n\t"
		      "add $0x44444444, %3\n\ttest %4, %4"
		      : "+S" (a), "+D" (b), "+c" (c), "+d" (d), "+b" (n));
  while (--n);
  return a + b + c + d;
}

int
main (void)
{
  unsigned sum = 0;
  for (int i = 0; i < 6000; i++)
    sum += line (100000);
  printf ("%u\n", sum);
  return 0;
}
