/* fib.c - Fibonacci's numbers by the naive recursion: nothing but calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

static long __attribute__ ((noinline))
fibonacci (int n)
{
  return n < 2 ? n : fibonacci (n - 1) + fibonacci (n - 2);
}

int
main (int argc, char **argv)
{
  printf ("%ld\n", fibonacci (argc > 1 ? atoi (argv[1]) : 20));
  return 0;
}
