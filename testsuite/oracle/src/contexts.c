/* contexts.c - calls in every manner that can confuse a call stack, each context deterministic. 
   MARK and CUT tell the hooks of hooks.c where a longjmp arrives; the plugin needs no such help.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CAB_HOOKS
extern size_t cab_hooks_depth (void);
extern void cab_hooks_cut (size_t to);
#define MARK volatile size_t mark = cab_hooks_depth ()
#define CUT cab_hooks_cut (mark)
#else
#define MARK ((void) 0)
#define CUT ((void) 0)
#endif

static jmp_buf top, away;
static sigjmp_buf from_handler;
static volatile long sum;

static void
leaf (int n)
{
  sum += n;
}

/* Recurse in several ways, with frames of a size known only at run time. */
static void
tree (int n)
{
  char *room = alloca (n * 50 + 1);
  memset (room, n, n * 50 + 1);
  leaf (room[n]);
  if (n > 1)
    tree (n - 1);
  if (n > 2)
    tree (n - 2);
}

static void even (int n);

static void
odd (int n)
{
  leaf (n);
  if (n > 0)
    even (n - 1);
}

static void
even (int n)
{
  if (n % 3 == 0)
    leaf (n);
  if (n > 0)
    odd (n - 1);
}

/* Make tail calls, also of functions that take more arguments and through pointers. */
static int
last (int n)
{
  leaf (n);
  return n * 2;
}

static int (*volatile pointer) (int) = last;

static int
tail_indirect (int n)
{
  return pointer (n + 1);
}

static int
tail_chain (int n)
{
  leaf (n);
  if (n % 2)
    return tail_indirect (n);
  return last (n);
}

static int
tail_self (int n, int more)
{
  leaf (more);
  if (n == 0)
    return tail_chain (more);
  return tail_self (n - 1, more + n);
}

/* Let the C library call back, nested, and leave by longjmp. */
static int
order (const void *a, const void *b)
{
  leaf (1);
  return *(const int *) a - *(const int *) b;
}

static int
order_by_sorting (const void *a, const void *b)
{
  int table[3] = { *(const int *) b, *(const int *) a, 5 };
  qsort (table, 3, sizeof *table, order);
  return *(const int *) a - *(const int *) b;
}

static int
leaves (const void *a, const void *b)
{
  if (*(const int *) a + *(const int *) b > 9)
    longjmp (away, 1);
  return order (a, b);
}

static int
tail_sort (int *table, int n)
{
  leaf (2);
  return bsearch (&n, table, n, sizeof *table, order) != NULL;
}

static void
sorts (int n)
{
  int table[12];
  for (int i = 0; i < 12; i++)
    table[i] = i * 7 % 12;
  if (n % 2)
    qsort (table, 12, sizeof *table, order_by_sorting);
  else
    {
      MARK;
      if (setjmp (away) == 0)
	qsort (table, 12, sizeof *table, leaves);
      else
	CUT;
    }
  sum += tail_sort (table, 5);
}

/* Call longjmp over several frames, to an outer and to an inner place, in loops. */
static void
descend (int n, int depth)
{
  leaf (depth);
  if (depth == 0)
    longjmp (n % 3 ? away : top, n + 1);
  descend (n, depth - 1);
  leaf (depth);
}

static void
catches (int n)
{
  jmp_buf saved;
  memcpy (saved, away, sizeof saved);
  MARK;
  if (setjmp (away) == 0)
    descend (n, n % 5);
  else
    CUT;
  leaf (3);
  memcpy (away, saved, sizeof saved);
}

static void
jumps (void)
{
  for (volatile int i = 0; i < 12; i++)
    {
      MARK;
      if (setjmp (top) == 0)
	catches (i);
      else
	CUT;
      leaf (4);
    }
}

/* Run handlers, on an alternate stack, that return or leave. */
static void
returns (int number)
{
  leaf (number);
  tree (3);
}

static void
escapes (int number)
{
  odd (number % 5);
  siglongjmp (from_handler, 1);
}

static void
raises (int n)
{
  leaf (n);
  raise (n % 2 ? SIGUSR1 : SIGUSR2);
  leaf (n);
}

static void
signals (void)
{
  static char stack[65536];
  sigaltstack (&(stack_t) { .ss_sp = stack, .ss_size = sizeof stack }, NULL);
  struct sigaction action = { .sa_flags = SA_ONSTACK | SA_NODEFER };
  action.sa_handler = returns;
  sigaction (SIGUSR1, &action, NULL);
  action.sa_handler = escapes;
  sigaction (SIGUSR2, &action, NULL);
  for (volatile int i = 0; i < 6; i++)
    {
      MARK;
      if (sigsetjmp (from_handler, 1) == 0)
	raises (i);
      else
	CUT;
    }
}

static void
at_end (void)
{
  leaf (5);
  tree (4);
}

int
main (void)
{
  atexit (at_end);
  tree (9);
  odd (20);
  for (int i = 0; i < 6; i++)
    sum += tail_chain (i) + tail_self (i, 1);
  for (int i = 0; i < 4; i++)
    sorts (i);
  jumps ();
  signals ();
  printf ("%ld\n", sum);
  return 0;
}
