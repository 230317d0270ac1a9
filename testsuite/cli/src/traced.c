/* traced.c - two threads make, walk and release lists; then comes `fork', or a signal that kills.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct item { struct item *next; int value[3]; };
static int table[100];
__attribute__ ((noinline)) static int
walk (struct item *i)
{
  int sum = 0;
  for (; i; i = i->next)
    sum += i->value[1];
  return sum;
}
static void *
work (void *arg)
{
  struct item *head = NULL;
  for (int i = 0; i < 100; i++)
    {
      struct item *new = malloc (sizeof *new);
      memset (new, 1, sizeof *new);
      new->next = head;
      new->value[1] = table[i]++;
      head = new;
    }
  for (int k = 0; k < 200; k++)
    walk (head);
  while (head)
    {
      struct item *next = head->next;
      free (head);
      head = next;
    }
  return arg;
}
int
main (int argc, char **argv)
{
  pthread_t thread;
  work (NULL);
  pthread_create (&thread, NULL, work, NULL);
  pthread_join (thread, NULL);
  if (argc > 1 && !strcmp (argv[1], "fork"))
    {
      if (fork () == 0)
	work (NULL);
      else
	wait (NULL);
    }
  else if (argc > 1)
    kill (getpid (), atoi (argv[1]));
  return 0;
}
