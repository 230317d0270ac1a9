/* long.c - more iterations than fit into one event.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

volatile unsigned long limit = 140000000;

__attribute__ ((noinline)) static unsigned
many (unsigned long m)
{
  unsigned h = 1;
  for (unsigned long i = 0; i < m; i++)         /* loop = 2 140000134 */
    h = h * 5 + 1;
  return h;
}

int
main (void)
{
  printf ("%u\n", many (limit) + many (134));
  return 0;
}
