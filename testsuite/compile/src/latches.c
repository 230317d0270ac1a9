/* latches.c - loops with several edges back to one header, without calls: at -O0 each way around
   ends with a jump of its own.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

/* Both ways around alternate as the values decide. */
static int __attribute__ ((noinline, noclone))
search (const int *sorted, int n, int x)
{
  int low = 0, high = n;
  while (low < high)
    {
      int middle = (low + high) / 2;	/* line = 57 */
      if (sorted[middle] < x)
	low = middle + 1;
      else
	high = middle;
    }
  return low;		/* line = 10 */
}

/* There are three ways around, and a way out from the middle. */
static int __attribute__ ((noinline, noclone))
collatz (unsigned x)
{
  int n = 0;
  for (;;)
    {
      n++;		/* line = 102 */
      if (x == 1)
	return n;	/* line = 4 */
      if (x % 2)
	{
	  x = 3 * x + 1;	/* line = 43 */
	  continue;
	}
      if (x % 4)
	{
	  x /= 2;	/* line = 29 */
	  continue;
	}
      x /= 4;		/* line = 26 */
    }
}

int
main (void)		/* calls = 1 */
{
  int sorted[50], sum = 0;
  for (int i = 0; i < 50; i++)
    sorted[i] = 3 * i;	/* line = 50 */
  for (int i = 0; i < 10; i++)
    sum += search (sorted, 50, 17 * i);	/* line = 10 */
  printf ("%d %d\n", sum, collatz (27) + collatz (1) + collatz (16) + collatz (12));
  return 0;		/* edge main > search = 10; edge main > collatz = 4; edge - > main = 1 */
}
