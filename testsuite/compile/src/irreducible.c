/* irreducible.c - loops with two entries, made of gotos; one inside another; a duff device.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define NOINLINE __attribute__ ((noinline))

static int NOINLINE
two_entries (int n, int second)		/* calls = 20 */
{
  int sum = 0;
  if (second)
    goto inside;	/* line = 10 */
top:
  sum += 3;		/* line = 84 */
inside:
  sum ^= n;		/* line = 94 */
  if (n-- > 0)
    goto top;		/* line = 74 */
  return sum;
}

static int NOINLINE
knot (int n)		/* calls = 10 */
{
  int sum = 0, way = n % 3;
  if (way == 0)
    goto a;
  if (way == 1)
    goto b;
  goto c;
a:
  sum += 1;
  if (sum > 40 + n)
    return sum;		/* line = 10 */
  if (sum % 2)
    goto c;
b:
  sum += 5;
  if (sum % 3 == 0)
    goto a;
c:
  sum += 2;
  if (sum > 50)
    return sum;
  if (sum % 5 == 0)
    goto a;
  goto b;
}

static int NOINLINE
duff (const char *from, int n)	/* calls = 16 */
{
  int sum = 0, rounds = (n + 3) / 4;
  if (n == 0)
    return 0;		/* line = 1 */
  switch (n % 4)
    {
    case 0: do { sum += *from++;
    case 3:      sum += *from++ * 2;
    case 2:      sum += *from++ * 3;
    case 1:      sum += *from++ * 4;
	       } while (--rounds > 0);
    }
  return sum;
}

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 20; i++)
    sum += two_entries (i % 10 == 9 ? 1 : i % 10, i % 2);
  printf ("%d\n", sum);
  for (int i = 0; i < 10; i++)
    printf ("%d ", knot (i));
  for (int i = 0; i < 16; i++)
    printf ("%d ", duff ("a string of characters", i));
  putchar ('\n');
  return 0;
}
