/* sample.c - print which access belongs to which piece of an activation, one piece a line: the
 * place, and the address.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "kill" ends the program by SIGKILL when all is done, "threads" does the same again in a second
 * thread. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__ ((noipa))
#define QUIET __attribute__ ((noipa, no_instrument_function))

struct node
{
  struct node *next;
  int value;
};

static int table[100];

/* Each entry is a piece. */
NOINLINE static int
get (int i)
{
  return table[i];
}

/* Each node is a piece. */
NOINLINE static int
walk (const struct node *n)
{
  int sum = 0;
  for (; n; n = n->next)
    sum += n->value;
  return sum;
}

/* Each node is a piece here too, in code that cannot be copied. */
NOINLINE static int
walk_on (const struct node *n)
{
  static void *const places[] = { &&even, &&odd, &&end };
  int sum = 0;
  goto *places[n ? n->value & 1 : 2];
even:
  sum += n->value;
  n = n->next;
  goto *places[n ? n->value & 1 : 2];
odd:
  sum -= n->value;
  n = n->next;
  goto *places[n ? n->value & 1 : 2];
end:
  return sum;
}

/* Each loop is one event, so only entries begin pieces. */
NOINLINE static void
fill (int *p, int n, int value)
{
  for (int i = 0; i < n; i++)
    p[i] = value;
}

NOINLINE static int
depth (int n)
{
  return n ? (table[n] + 1) / (depth (n - 1) + 2) : table[0];
}

/* "locals" makes the plugin record its variable. */
NOINLINE static int
swap (int i)
{
  int pair[2] = { i, i + 1 }, *volatile p = pair;
  return p[1] - p[0];
}

QUIET static struct node *
make_list (int n)
{
  struct node *list = NULL;
  for (int i = 0; i < n; i++)
    {
      struct node *first = malloc (sizeof *first);
      first->next = list;
      first->value = i;
      list = first;
    }
  return list;
}

QUIET static void
say (const struct node *list)
{
  for (int i = 0; i < 100; i++)
    printf ("get %p\n", (void *) &table[i]);
  for (; list; list = list->next)
    printf ("walk %p\n", (const void *) &list->value);
  for (int i = 0; i < 50; i++)
    printf ("fill %p\n", (void *) &table[i]);
  for (int i = 30; i >= 0; i--)
    printf ("depth %p\n", (void *) &table[i]);
}

QUIET static void *
work (void *list)
{
  volatile int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += get (i);
  sum += walk (list) + walk_on (list);
  for (int i = 0; i < 50; i++)
    {
      fill (&table[i], 10, i);
      sum += swap (i);
    }
  sum += depth (30);
  return NULL;
}

QUIET int
main (int argc, char **argv)
{
  pthread_t thread;
  struct node *list = make_list (100);
  say (list);
  work (list);
  if (argc > 1 && !strcmp (argv[1], "threads") && pthread_create (&thread, NULL, work, list) == 0)
    pthread_join (thread, NULL);
  fflush (stdout);
  if (argc > 1 && !strcmp (argv[1], "kill"))
    raise (SIGKILL);
  return 0;
}
