/* transactions.c - transactions, what they call, and more: none of it can have probes. Print 30. */
#include <stdio.h>

static int account[3];

__attribute__ ((noinline, transaction_safe)) static void
move (int from, int to, int sum)
{
  account[from] -= sum;
  account[to] += sum;
}

__attribute__ ((noinline)) static int
total (void)
{
  return account[0] + account[1] + account[2];
}

int
main (void)
{
  account[0] = 30;
  for (int i = 0; i < 10; i++)
    __transaction_atomic { move (0, 1 + i % 2, i); }
  printf ("%d\n", total ());
  return 0;
}
