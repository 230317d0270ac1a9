/* vectors.c - vectors whose values are recorded, as numbers of their first eight bytes.
   gcc: 11
   flags: -fchecking=2 -Wno-psabi
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

typedef int four __attribute__ ((vector_size (16)));
typedef double two __attribute__ ((vector_size (16)));
typedef long pair __attribute__ ((vector_size (16)));
typedef float eight __attribute__ ((vector_size (32)));
typedef short small __attribute__ ((vector_size (8)));

volatile four start = { 1, 2, 3, 4 };
four ints;
two reals;
pair longs;
eight floats;
small shorts;

static void __attribute__ ((noinline))
step (int i)	/* calls = 3 */
{
  ints += start + i;
  reals[i & 1] += 2;
  reals *= reals;
  longs ^= (pair) ints;
  floats += (float) i;
  shorts += (short) i;
}

int
main (void)	/* calls = 1 */
{
  for (int i = 0; i < 3; i++)
    step (i);
  printf ("%d %g %ld %g %d\n", ints[3], reals[0], longs[1], (double) floats[7], shorts[2]);
  return 0;
}
