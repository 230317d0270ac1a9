/* threads.c - each thread has its own counts, and the report has their sum.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <stdio.h>

static volatile int sink;

static void *
work (void *argument)
{
  long n = (long) argument;
  for (long i = 0; i < n; i++)                  /* loop = 4 10000 */
    for (long j = 0; j < 20; j++)               /* loop = 10000 200000 */
      sink = j;
  return NULL;
}

int
main (void)
{
  pthread_t thread[4];
  for (long i = 0; i < 4; i++)                  /* loop = 1 4 */
    pthread_create (&thread[i], NULL, work, (void *) (1000 * (i + 1)));
  for (int i = 0; i < 4; i++)                   /* loop = 1 4 */
    pthread_join (thread[i], NULL);
  puts ("done");
  return 0;
}
