/* collector.c - keep lists in the Boehm collector's memory, made by threads whose only references
 * are on their stacks and in registers.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define GC_THREADS
#include <gc.h>
#include <stdio.h>

#define THREADS 3
#define LENGTH 400
#define ROUNDS 300

struct node
{
  struct node *next;
  long value;
};

__attribute__ ((noipa)) static struct node *
push (struct node *list, long value)
{
  struct node *n = GC_MALLOC (sizeof *n);
  n->next = list;
  n->value = value;
  return n;
}

__attribute__ ((noipa)) static long
sum (const struct node *list)
{
  long s = 0;
  for (; list; list = list->next)
    s += list->value;
  return s;
}

static void *
work (void *result)
{
  long wrong = 0;
  for (int k = 0; k < ROUNDS; k++)
    {
      struct node *list = NULL;
      for (int i = 0; i < LENGTH; i++)
	list = push (list, i);
      wrong += sum (list) != LENGTH * (LENGTH - 1L) / 2;
    }
  *(long *) result = wrong;
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS];
  long wrong[THREADS + 1], all = 0;
  GC_INIT ();
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, &wrong[i]);
  work (&wrong[THREADS]);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i <= THREADS; i++)
    all += wrong[i];
  printf ("%ld wrong, collected: %d\n", all, GC_get_gc_no () > 0);
  return all != 0;
}
