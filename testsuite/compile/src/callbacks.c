/* callbacks.c - code called back by the C library: qsort, bsearch, tsearch; recursion through it;
   longjmp out of it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <search.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__ ((noinline))

static long n_compared;
static jmp_buf away;

static int NOINLINE
order (const void *a, const void *b)
{
  n_compared++;
  return *(const int *) a - *(const int *) b;
}

static int NOINLINE
inner_sorts (const void *a, const void *b)
{
  int table[3] = { *(const int *) a, 3, *(const int *) b };
  qsort (table, 3, sizeof *table, order);
  return *(const int *) a - *(const int *) b + table[0] * 0;
}

static int NOINLINE
gives_up (const void *a, const void *b)		/* calls = 1; unfinished = 1 */
{
  n_compared += *(const int *) a > *(const int *) b;
  longjmp (away, 1);
}

static void NOINLINE
visit (const void *node, VISIT which, int depth)
{
  if (which == postorder || which == leaf)
    n_compared += **(int *const *) node + depth;
}

static void NOINLINE
fill (int *table, int n)	/* calls = 3 */
{
  for (int i = 0; i < n; i++)
    table[i] = i * 7919 % 101;
}

int
main (void)
{
  int table[50];
  void *root = NULL;
  fill (table, 50);
  qsort (table, 50, sizeof *table, order);
  fill (table, 12);
  qsort (table, 12, sizeof *table, inner_sorts);
  int key = table[5];
  printf ("%d\n", bsearch (&key, table, 12, sizeof *table, order) != NULL);
  for (int i = 0; i < 12; i++)
    tsearch (&table[i], &root, order);
  twalk (root, visit);
  fill (table, 50);
  if (setjmp (away) == 0)
    qsort (table, 50, sizeof *table, gives_up);
  printf ("%ld\n", n_compared);
  return 0;			/* edge main > gives_up = 1; edge main > fill = 3 */
}
