/* leaving.c - regions end before whatever leaves or comes back twice: longjmp, recursion, threads,
   a pure function called in a loop, exit.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *left, *right; int key; };
static jmp_buf out;
static int table[64];

__attribute__ ((noinline, pure)) static int
size (const struct node *n)
{
  return n ? size (n->left) + size (n->right) + 1 : 0;
}

__attribute__ ((noinline)) static struct node *
insert (struct node *n, int key)
{
  if (!n)
    {
      n = calloc (1, sizeof *n);
      n->key = key;
    }
  else if (key < n->key)
    n->left = insert (n->left, key);
  else
    n->right = insert (n->right, key);
  return n;
}

__attribute__ ((noinline)) static void
walk (struct node *n, int *count, int stop)
{
  if (!n)
    return;
  walk (n->left, count, stop);
  table[*count & 63] += n->key;
  if (++*count == stop)
    longjmp (out, n->key + 1);
  walk (n->right, count, stop);
}

static void *
work (void *argument)
{
  int *cells = argument;
  for (int i = 1; i < 2000; i++)
    cells[i & 15] += cells[(i - 1) & 15] ^ i;
  return argument;
}

static void
at_end (void)
{
  table[5]++;
}

static int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

int
main (void)
{
  static int cells[3][16];
  struct node *root = NULL;
  pthread_t threads[3];
  int count = 0, sum = 0;
  for (int i = 0; i < 200; i++)
    root = insert (root, i * 37 % 211);
  atexit (at_end);
  int key = setjmp (out);
  if (!key)
    walk (root, &count, 100);
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, work, cells[i]);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < 10; i++)
    sum += size (root) + cells[i % 3][i];
  qsort (table, 64, sizeof *table, compare);
  printf ("%d %d %d %d\n", key, sum, table[63], count);
  exit (sum == 0);
}
