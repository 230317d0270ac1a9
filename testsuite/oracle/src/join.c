/* join.c - threads with lists of their own, which they walk in different contexts and loops; for
 * the oracle `join'.  No function with accesses is inlined or calls itself.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define OWN __attribute__ ((noipa))
struct node { struct node *next; long value[3]; };
struct __attribute__ ((packed)) odd { char c; long l; int i[3]; };
static long table[2048];
static struct odd odds[300];
static char text[4][2000];
OWN static struct node *
make (int n, struct node *list)
{
  for (int i = 0; i < n; i++)
    {
      struct node *p = malloc (sizeof *p + i % 3 * 16);
      p->next = list;
      p->value[0] = i;
      list = p;
    }
  return list;
}
OWN static struct node *
few (int n)
{
  return make (n / 10 + 1, NULL);
}
OWN static struct node *
many (int n, struct node *list)
{
  list = make (n, list);
  return make (n / 2, list);
}
OWN static long
sum (const struct node *n, int k)
{
  long s = 0;
  for (; n; n = n->next)
    {
      s += n->value[0] + table[(unsigned long) (n->value[0] * k) % 2048];
      for (int i = 0; i < 3; i++)
        s ^= odds[(s + i * k) & 255].l++;
    }
  return s;
}
OWN static long
twice (const struct node *n)
{
  long s = sum (n, 7);
  return s + sum (n, 31);
}
OWN static void
copy (int k)
{
  memcpy (text[k & 3] + k * 5, text[(k + 1) & 3] + 3, 700 + k * 10);
  memset (text[k & 3] + 1000, k, 333);
}
OWN static void
clear (struct node *list)
{
  while (list)
    {
      struct node *next = list->next;
      free (list);
      list = next;
    }
}
OWN static void *
work (void *argument)
{
  int k = *(int *) argument;
  struct node *list = many (30 + 20 * k, few (30 * k));
  long s = 0;
  for (int i = 0; i < 3; i++)
    s += twice (list) + sum (list, k);
  long *numbers = realloc (calloc (20, sizeof *numbers), (100 + k) * sizeof *numbers);
  for (int i = 0; i < 100 + k; i++)
    numbers[i] = s + i;
  copy (k);
  clear (list);
  free (numbers);
  return NULL;
}
/* join [WHAT]: f: fork; 0: without threads; 9: without threads, and killed at the end. */
int
main (int argc, char **argv)
{
  pthread_t threads[3];
  int number[4] = { 0, 1, 2, 3 }, what = argc > 1 ? argv[1][0] : ' ';
  for (int i = 0; i < 3; i++)
    if (what == '0' || what == '9')
      work (&number[i]);
    else if (pthread_create (&threads[i], NULL, work, &number[i]))
      return 1;
  for (int i = 0; what != '0' && what != '9' && i < 3; i++)
    pthread_join (threads[i], NULL);
  if (what == 'f')
    {
      pid_t child = fork ();
      work (&number[child ? 1 : 2]);
      if (!child)
        exit (0);
      waitpid (child, NULL, 0);
    }
  work (&number[3]);
  if (what == '9')
    kill (getpid (), SIGKILL);
  return 0;
}
