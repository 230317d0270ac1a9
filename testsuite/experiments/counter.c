/* counter.c - print the nanoseconds of reading the time stamp counter in a loop that does nothing
 * else, as probes read it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define ROUNDS 9
#define READS 10000000

static double
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return 1e9 * t.tv_sec + t.tv_nsec;
}

int
main (void)
{
  volatile uint64_t last;
  for (int i = 0; i < ROUNDS; i++)
    {
      double since = now_ns ();
      for (int k = 0; k < READS; k++)
	last = __rdtsc ();
      printf ("%.4f\n", (now_ns () - since) / READS);
    }
  (void) last;
  return 0;
}
