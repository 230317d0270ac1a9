/* handlers.c - signals that interrupt regions: a storm of timers, handlers that access the same
   memory, on a stack of their own, and nested ones.
   apart: on_alarm on_user
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define TICKS 200
#define ROUNDS 4000   /* if the timers are late */

struct node { struct node *next; volatile int value; short small[6]; };
static struct node nodes[32];
static volatile int ticks, users;
static long sums[8];

/* No other function of the program calls it, so it is in turn with the handlers.  */
__attribute__ ((noipa)) static void
on_alarm_count (struct node *n, int by)
{
  n->value += by;
  n->small[by & 3]++;
  sums[by & 7] += n->next->value;
}

static void
on_user (int signal)
{
  users++;
  sums[signal & 7] ^= users;
}

static void
on_alarm (int signal)
{
  ticks++;
  on_alarm_count (&nodes[ticks & 31], signal);
  if (ticks % 8 == 0)
    raise (SIGUSR1);   /* interrupts this handler */
}

__attribute__ ((noipa)) static int
walk (struct node *n, int rounds)
{
  int sum = 0;
  for (int i = 0; i < rounds; i++, n = n->next)
    {
      sum += n->value + n->small[0] * n->small[1];
      n->small[2] = sum;
      n->small[3] = n->small[2] + n->next->small[4];
      n->next->small[5]++;
    }
  return sum;
}

__attribute__ ((noipa)) static void
affine (long *p, int n)
{
  for (int i = 1; i < n; i++)
    p[i] = p[i - 1] + i;
}

int
main (void)
{
  static char stack[1 << 16];
  static long cells[40];
  stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_ONSTACK | SA_RESTART };
  struct itimerval often = { { 0, 60 }, { 0, 60 } }, never = { { 0, 0 }, { 0, 0 } };
  for (int i = 0; i < 32; i++)
    nodes[i].next = &nodes[i * 7 % 32];
  sigaltstack (&alternate, NULL);
  sigaction (SIGALRM, &action, NULL);
  action.sa_handler = on_user;
  sigaction (SIGUSR1, &action, NULL);
  setitimer (ITIMER_REAL, &often, NULL);
  for (int i = 0; i < ROUNDS && ticks < TICKS; i++)
    {
      walk (&nodes[i & 31], 10);
      affine (cells, 40);
    }
  setitimer (ITIMER_REAL, &never, NULL);
  puts (cells[39] == 780 ? "done" : "wrong");
  return 0;
}
