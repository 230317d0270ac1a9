/* ring.c - call a function that does nothing, with dependent multiplications in between, to measure
 * the cost of its event.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t __attribute__ ((noinline))
leaf (uint64_t x)
{
  asm volatile ("" : "+r" (x));
  return x + 1;
}

static inline __attribute__ ((always_inline)) uint64_t
calls (uint64_t n, int work)
{
  uint64_t x = 1;
  for (uint64_t i = 0; i < n; i++)
    {
      x = leaf (x);
#pragma GCC unroll 16
      for (int k = 0; k < work; k++)
	x = x * UINT64_C (6364136223846793005) + i;
    }
  return x;
}

/* Arguments: millions of calls; multiplications after each: 0, 1, 3, 7. */
int
main (int argc, char **argv)
{
  uint64_t n = 1000000 * strtoull (argc > 1 ? argv[1] : "1", NULL, 10), x = 0;
  switch (argc > 2 ? atoi (argv[2]) : 0)
    {
    case 0: x = calls (n, 0); break;
    case 1: x = calls (n, 1); break;
    case 3: x = calls (n, 3); break;
    case 7: x = calls (n, 7); break;
    default: return 2;
    }
  printf ("%lu\n", (unsigned long) x);
  return 0;
}
