/* list.c - lists whose nodes lie in disorder: walks, with a sum and a store each step, and
 * reversals.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 100000 };

struct node
{
  struct node *next;
  long key, visits;
};

static struct node nodes[N];

/* Link all nodes in an order that jumps about: N and the step have no common factor. */
static struct node *
link_all (void)
{
  struct node *head = NULL;
  for (long i = 0; i < N; i++)
    {
      struct node *n = &nodes[i * 7919 % N];
      *n = (struct node) { head, i, 0 };
      head = n;
    }
  return head;
}

static struct node *
reverse (struct node *n)
{
  struct node *done = NULL;
  while (n)
    {
      struct node *next = n->next;
      n->next = done;
      done = n;
      n = next;
    }
  return done;
}

static long
walk (struct node *n)
{
  long sum = 0;
  for (; n; n = n->next)
    sum += n->key ^ ++n->visits;
  return sum;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  struct node *list = link_all ();
  long sum = 0;
  for (int k = 0; k < rounds; k++)
    {
      sum += walk (list);
      list = reverse (list);
    }
  printf ("%ld %ld\n", sum, list->key);
  return 0;
}
