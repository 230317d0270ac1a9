/* branches.c - plain loops and branches, every count known.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define NOINLINE __attribute__ ((noinline))

static int NOINLINE
classify (int n)	/* calls = 100; line = 100 */
{
  int kind = 0;		/* line = 100 */
  if (n % 2)		/* line = 100 */
    kind = 1;		/* line = 50 */
  if (n % 3 == 0)	/* line = 100 */
    kind += 2;		/* line = 34 */
  else if (n > 90)	/* line = 66 */
    kind += 4;		/* line = 6 */
  return kind;		/* line = 100 */
}

static long NOINLINE
nest (int n)		/* calls = 3; line = 3 */
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    {
      int k = i;	/* line = 30 */
      while (k > 0)
	{
	  sum += k;	/* line = 55 */
	  k -= 3;	/* line = 55 */
	}
      if (sum % 7 == 3)
	continue;
      do
	sum++;
      while (sum % 4);
    }
  return sum;		/* line = 3 */
}

int
main (void)		/* calls = 1 */
{
  int counts[8] = { 0 };
  for (int i = 0; i < 100; i++)
    counts[classify (i)]++;	/* line = 100 */
  for (int i = 0; i < 8; i++)
    printf ("%d ", counts[i]);	/* line = 8 */
  printf ("%ld %ld %ld\n", nest (10), nest (9), nest (11));
  return 0;		/* edge main > classify = 100; edge main > nest = 3; edge - > main = 1; tree main > nest = 3; paths classify = 6 */
}
