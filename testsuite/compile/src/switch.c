/* switch.c - a switch of 3,000 cases, made of macros; strings of cases that fall through.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define NOINLINE __attribute__ ((noinline))
#define ONE(n) case n: sum += (n) * 7 % 11; break;
#define TEN(n) ONE (n) ONE (n + 1) ONE (n + 2) ONE (n + 3) ONE (n + 4) ONE (n + 5) ONE (n + 6) ONE (n + 7) ONE (n + 8) ONE (n + 9)
#define HUNDRED(n) TEN (n) TEN (n + 10) TEN (n + 20) TEN (n + 30) TEN (n + 40) TEN (n + 50) TEN (n + 60) TEN (n + 70) TEN (n + 80) \
  TEN (n + 90)
#define THOUSAND(n) HUNDRED (n) HUNDRED (n + 100) HUNDRED (n + 200) HUNDRED (n + 300) HUNDRED (n + 400) HUNDRED (n + 500) \
  HUNDRED (n + 600) HUNDRED (n + 700) HUNDRED (n + 800) HUNDRED (n + 900)

static long NOINLINE
large (int n)			/* calls = 5000 */
{
  long sum = n;
  switch (n)
    {
      THOUSAND (0)
      THOUSAND (1000)
      THOUSAND (2000)
    default:
      sum--;			/* line = 2000 */
    }
  if (sum % 3)
    sum++;
  return sum;
}

static int NOINLINE
falls (int n)			/* calls = 12 */
{
  int sum = 0;
  switch (n)
    {
    case 0:
      sum += 1;			/* line = 1 */
    case 1 ... 3:
      sum += 2;			/* line = 4 */
    case 4:
    case 6:
      sum += 4;			/* line = 6 */
      break;
    case 5:
      return -1;		/* line = 1 */
    default:
      sum += 8;			/* line = 5 */
    case 100:
      sum += 16;		/* line = 5 */
    }
  return sum;
}

int
main (void)
{
  long sum = 0;
  for (int i = 0; i < 5000; i++)
    sum = (sum * 3 + large (i)) % 1000003;
  for (int i = 0; i < 12; i++)
    sum += falls (i);
  printf ("%ld\n", sum);
  return 0;
}
