/* nests.c - loops in loops that call nothing, whose paths a trace sends several at a time: ways out
   from the middle, loops of one path within, jumps that make two ways in, a loop that calls around one
   that does not, few and many paths; and fork in between.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

/* There is a way out of the inner loop, and a loop of one path in the outer one. */
static int NOINLINE
scan (const unsigned char *a, int n, int stop)	/* calls scan = 42 */
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < a[i] % 8; j++)
	{
	  if (a[j] > a[i])
	    sum++;
	  else if (a[j] == stop)
	    return sum;
	  if ((sum & 15) == 7)
	    break;
	}
      for (int j = i; j < n; j++)
	sum += a[j];
      if (sum & 1)
	sum ^= 3;
    }
  return sum;
}

/* There are two ways into the cycle. */
static int NOINLINE
two_ways_in (int n, int where)
{
  int sum = 0;
  if (where)
    goto second;
first:
  sum += n & 1 ? 3 : 5;
second:
  if (n % 3 == 0)
    sum ^= n;
  if (n-- > 0)
    goto first;
  return sum;
}

static int NOINLINE
called (int n)	/* calls called = 120 */
{
  return n ^ 5;
}

/* Control goes from a nest to a call and back; the last nest ends the activation. */
static int NOINLINE
around (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i % 5; j++)
	sum += j & 1 ? i : 2 * j;
      sum += called (sum);	/* line = 120 */
      while (sum > 1000)
	sum = sum & 1 ? sum - 333 : sum / 2;
    }
  for (;;)
    {
      if (sum < 10)
	return sum;	/* line = 3 */
      sum -= sum & 2 ? 7 : 3;
    }
}

/* There are more paths than a word can hold several of. */
static unsigned NOINLINE
wide (unsigned n)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    {
#define WAY(k) if (i >> k & 1) sum += k * 7 + 1; else sum ^= k;
      WAY (0) WAY (1) WAY (2) WAY (3) WAY (4) WAY (5) WAY (6) WAY (7) WAY (8) WAY (9) WAY (10) WAY (11)
    }
  return sum;
}

static int NOINLINE
switches (const unsigned char *a, int n)
{
  int sum = 0;
  do
    switch (a[--n] % 9)
      {
      case 0: sum += 1; break;	/* line = 39 */
      case 1: sum ^= 2; continue;
      case 2: case 3: sum -= 3; break;
      case 7: if (sum & 1) return sum; sum *= 3; break;
      default: sum += n;
      }
  while (n);
  return sum;
}

int
main (void)
{
  static unsigned char a[200];
  int sum = 0;
  for (int i = 0; i < 200; i++)
    a[i] = (i * 37 + 11) % 251;
  for (int i = 0; i <= 40; i++)
    sum += scan (a, 4 * i, i * 5);	/* line = 41 */
  for (int i = 0; i < 20; i++)
    sum += two_ways_in (i, i & 1);
  for (int i = 1; i < 4; i++)
    sum += around (i * 20);	/* line = 3 */
  for (int i = 8; i < 200; i += 7)
    sum += switches (a, i);
  sum += wide (5000);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    _exit (scan (a, 100, 300) & 1);
  int status;
  waitpid (child, &status, 0);
  printf ("%d %d\n", sum, WEXITSTATUS (status));
  return 0;
}
