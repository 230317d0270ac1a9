/* nested.c - nested functions, called directly, through trampolines and by qsort; goto out of them.
   flags: -Wl,-z,execstack
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__ ((noinline))

static int NOINLINE
apply (int (*f) (int), int n)	/* calls = 10 */
{
  return f (n) + f (n + 1);
}

static int NOINLINE
outer (int n)			/* calls = 10 */
{
  int total = n;
  int NOINLINE add (int k) { total += k; return total; }
  int NOINLINE twice (int k) { return add (k) + add (k); }
  return apply (add, n) + twice (n) + total;
}

static int NOINLINE
search (const int *from, int n, int what)	/* calls = 6; unfinished = 0 */
{
  __label__ found;
  int at = -1;
  void NOINLINE look (int i)
  {
    if (from[i] == what)
      {
	at = i;
	goto found;
      }
  }
  for (int i = 0; i < n; i++)
    look (i);
  return -1;		/* line = 2 */
found:
  return at;		/* line = 4 */
}

static int NOINLINE
sorted (int *table, int n, int sign)	/* calls = 2 */
{
  int NOINLINE order (const void *a, const void *b)
  {
    return sign * (*(const int *) a - *(const int *) b);
  }
  qsort (table, n, sizeof *table, order);
  return table[0];
}

int
main (void)
{
  int table[] = { 5, 1, 4, 2, 8 };
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += outer (i);
  for (int i = 0; i < 6; i++)
    sum = sum * 3 + search (table, 5, i);
  printf ("%d %d %d\n", sum, sorted (table, 5, 1), sorted (table, 5, -1));
  return 0;
}
