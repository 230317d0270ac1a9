/* alloca.c - frames whose size is known only at run time, in loops, in recursion, under callbacks.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__ ((noinline))

static unsigned NOINLINE
sum_of (const unsigned char *bytes, size_t n)	/* calls = 165 */
{
  unsigned sum = 0;
  while (n-- > 0)
    sum = sum * 5 + bytes[n];
  return sum;
}

static unsigned NOINLINE
grows (int n)			/* calls = 10 */
{
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    {
      unsigned char *room = alloca (i * 100 + 1);
      memset (room, i, i * 100 + 1);
      sum += sum_of (room, i * 100 + 1);
    }
  return sum;
}

static unsigned NOINLINE
recursive (int n)		/* calls = 120 */
{
  unsigned char room[n * 7 + 1];
  memset (room, n, sizeof room);
  unsigned sum = sum_of (room, sizeof room);
  return n > 0 ? sum + recursive (n - 1) : sum;
}

int
main (void)
{
  unsigned sum = 0;
  for (int i = 0; i < 10; i++)
    sum += grows (i);
  for (int i = 0; i < 15; i++)
    sum ^= recursive (i);
  printf ("%u\n", sum);
  return 0;			/* edge recursive > sum_of = 120; edge grows > sum_of = 45 */
}
