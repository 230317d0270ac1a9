/* threads.c - threads that run the same functions at once, one after another, detached by exit, and
   end by pthread_exit or cancellation.
   flags: -pthread
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline))

static long NOINLINE
work (long n)			/* calls = 40000 */
{
  long sum = 0;
  for (long i = 0; i < n % 10; i++)
    if (i % 2)
      sum += i;
    else
      sum ^= n;
  return sum;
}

static void NOINLINE __attribute__ ((noreturn))
ends (long sum)			/* calls = 10; unfinished = 10 */
{
  pthread_exit ((void *) sum);
}

static void *
body (void *argument)		/* calls = 40; unfinished = 10 */
{
  long sum = 0;
  for (long i = 0; i < 1000; i++)
    sum += work (i);
  if ((long) argument % 4 == 0)
    ends (sum);
  return (void *) sum;
}

static void *
sleeper (void *argument)	/* calls = 1; unfinished = 1 */
{
  for (;;)
    pause ();
  return argument;
}

int
main (void)			/* calls = 1 */
{
  long total = 0;
  for (long round = 0; round < 10; round++)
    {
      pthread_t threads[4];
      for (long i = 0; i < 4; i++)
	if (pthread_create (&threads[i], NULL, body, (void *) (round * 4 + i)) != 0)
	  return 1;
      for (int i = 0; i < 4; i++)
	{
	  void *result;
	  pthread_join (threads[i], &result);
	  total += (long) result;
	}
    }
  pthread_t last;
  pthread_create (&last, NULL, sleeper, NULL);
  usleep (20000);
  pthread_cancel (last);
  pthread_join (last, NULL);
  printf ("%ld\n", total);
  return 0;			/* tree body > work = 40000 */
}
