/* pair.c - two threads in the same functions at once.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long rounds;

static unsigned __attribute__ ((noinline))
mix (unsigned n)
{
  unsigned sum = n;
  for (unsigned i = 0; i < n % 8; i++)
    if (sum & 1)
      sum = sum * 3 + 1;
    else
      sum /= 2;
  return sum;
}

static void *
body (void *argument)
{
  unsigned sum = (unsigned) (size_t) argument;
  for (long i = 0; i < rounds; i++)
    sum = mix (sum + (unsigned) i) ^ (unsigned) i;
  return (void *) (size_t) sum;
}

int
main (int argc, char **argv)
{
  pthread_t threads[2];
  void *results[2];
  rounds = 100000L * (argc > 1 ? atoi (argv[1]) : 1);
  for (size_t i = 0; i < 2; i++)
    if (pthread_create (&threads[i], NULL, body, (void *) i) != 0)
      return 1;
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], &results[i]);
  printf ("%zu\n", (size_t) results[0] ^ (size_t) results[1]);
  return 0;
}
