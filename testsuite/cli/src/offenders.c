/* offenders.c - make lists in two contexts and read them in two, a table, and a block that moves.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct node { struct node *next; long value; };
struct entry { long key, pad[7]; };
static struct entry table[4096];
__attribute__ ((noinline)) static struct node *
make (long value, struct node *next)
{
  struct node *n = malloc (sizeof *n);
  n->value = value;
  n->next = next;
  return n;
}
__attribute__ ((noinline)) static struct node *
few (int n)
{
  struct node *list = NULL;
  for (int i = 0; i < n; i++)
    list = make (i, list);
  return list;
}
__attribute__ ((noinline)) static struct node *
many (int n)
{
  struct node *list = NULL;
  for (int i = 0; i < n; i++)
    list = make (2 * i, list);
  return list;
}
__attribute__ ((noinline)) static long
sum (const struct node *n)
{
  long s = 0;
  for (; n; n = n->next)
    s += n->value;
  return s;
}
__attribute__ ((noinline)) static long
look (unsigned step, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    s += table[i * step % 4096].key;
  return s;
}
static long
often (const struct node *n)
{
  long s = 0;
  for (int i = 0; i < 3; i++)
    s += sum (n);
  return s;
}
/* Both ways contain the loads of `table', which are one load each in the code. */
__attribute__ ((noipa)) static long
either (int i, long limit)
{
  long s = table[i].key;
  if (s < limit)
    s += table[i + 7].key;
  table[i + 1].key = s;
  return s;
}
int
main (int argc, char **argv)
{
  struct node *a = few (10), *b = many (1000);
  long s = sum (a) + often (b) + look (1, 5000) + look (argc > 1 ? 37 : 0, 3000);
  for (int i = 0; i < 100; i++)
    s += either (i, i % 2 ? 1000000 : -1000000);
  struct entry *e = realloc (calloc (10, sizeof *e), 100 * sizeof *e);
  e[99].key = s;
  printf ("%ld\n", e[99].key);
  free (e);
  if (argc > 1)
    kill (getpid (), SIGKILL);
  return 0;
}
