/* signals.c - a handler of instrumented code under a storm of timer signals, on an alternate stack,
   while the same code runs below.
   apart: handler
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define NOINLINE __attribute__ ((noinline))

static volatile sig_atomic_t n_signals;
static volatile long sink;

static long NOINLINE
work (long n)
{
  long sum = n;
  for (long i = 0; i < n % 7; i++)
    sum = i % 2 ? sum + i : sum ^ 5;
  return sum;
}

static void
handler (int number)
{
  n_signals++;
  sink += work (number + n_signals);
}

static long NOINLINE
run (void)			/* calls = 1; unfinished = 0 */
{
  long sum = 0;
  for (long i = 0; i < 3000000 || n_signals < 100; i++)
    sum ^= i < 3000000 ? work (i) : 0;
  return sum;
}

int
main (void)
{
  static char stack[65536];
  stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action;
  memset (&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaltstack (&alternate, NULL);
  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &(struct itimerval) { { 0, 50 }, { 0, 50 } }, NULL);
  long sum = run ();
  setitimer (ITIMER_REAL, &(struct itimerval) { { 0, 0 }, { 0, 0 } }, NULL);
  printf ("%ld\n", sum);
  return 0;			/* edge main > run = 1; varies */
}
