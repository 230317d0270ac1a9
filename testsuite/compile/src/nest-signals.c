/* nest-signals.c - a storm of signals in loops whose paths a trace sends several at a time; the
   handler runs such a loop, too.
   What is counted below it is the same each time.
   apart: handle
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static volatile sig_atomic_t n_signals;
static volatile unsigned sink;

static unsigned NOINLINE
handled (unsigned n)
{
  unsigned sum = n;
  for (unsigned i = 0; i < 50; i++)
    sum = sum & 1 ? sum * 5 + i : sum >> 1 ^ i;
  return sum;
}

static unsigned NOINLINE
nest (unsigned n)	/* calls nest = 1 */
{
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    {
      for (unsigned j = 0; j < 4; j++)
	if (i >> j & 1)
	  sum += j;	/* line = 2000000 */
	else
	  sum ^= i;	/* line = 2000000 */
      if (i % 10 == 3)
	sum *= 3;	/* line = 100000 */
    }
  return sum;
}

static void
handler (int number)
{
  n_signals++;
  sink += handled (number + n_signals);
}

int
main (void)
{
  struct sigaction action;
  memset (&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &(struct itimerval) { { 0, 50 }, { 0, 50 } }, NULL);
  unsigned sum = nest (1000000);
  while (n_signals < 20)
    ;
  setitimer (ITIMER_REAL, &(struct itimerval) { { 0, 0 }, { 0, 0 } }, NULL);
  printf ("%u\n", sum);
  return 0;		/* varies */
}
