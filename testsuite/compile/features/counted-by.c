/* counted-by.c - arrays whose length a field tells have their names.
   gcc: 15
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

struct bag
{
  int n;
  long items[] __attribute__ ((counted_by (n)));
};

static void __attribute__ ((noinline))
fill (struct bag *b)		/* calls = 3; access bag.items[] = 60 */
{
  for (int i = 0; i < b->n; i++)
    b->items[i] = i;
}

static long __attribute__ ((noinline))
get (struct bag *b, int i)	/* calls = 30 */
{
  return b->items[i];
}

int
main (void)
{
  long sum = 0;
  for (int n = 1; n <= 3; n++)
    {
      struct bag *b = malloc (sizeof *b + n * 5 * sizeof (long));
      b->n = n * 5;
      fill (b);
      for (int i = 0; i < 10; i++)
	sum += get (b, i % b->n);
      sum += __builtin_dynamic_object_size (b->items, 0) != 0;
      free (b);
    }
  printf ("%ld\n", sum);
  return 0;
}
