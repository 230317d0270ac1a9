/* musttail.c - calls that must be jumps: a chain of two functions, by a pointer, with
   a local array, of the C library, before a return that other ways lead to.
   gcc: 15
   flags: -Wno-maybe-musttail-local-addr
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__ ((noinline))
#define MUSTTAIL __attribute__ ((musttail))

static long odd (long n, long sum);

static long NOINLINE
even (long n, long sum)		/* calls = 503 */
{
  if (n == 0)
    return sum;
  MUSTTAIL return odd (n - 1, sum + n);
}

static long NOINLINE
odd (long n, long sum)		/* calls = 500 */
{
  MUSTTAIL return even (n - 1, sum);
}

static long NOINLINE
chosen (long n, long sum)	/* calls = 10 */
{
  long (*where) (long, long) = n & 1 ? odd : even;
  if (n == 8)
    MUSTTAIL return where (0, sum);
  return n;
}

static double NOINLINE
filled (long n)			/* calls = 6 */
{
  return n / 2.0;
}

static double NOINLINE
passed_on (long n)		/* calls = 6 */
{
  int squares[4];
  for (int i = 0; i < 4; i++)
    squares[i] = i * n;
  n += squares[n & 3];
  [[gnu::musttail]] return filled (n);
}

static void *NOINLINE
grown (void *old, size_t n)	/* calls = 3 */
{
  MUSTTAIL return realloc (old, n);
}

int
main (void)			/* calls = 1 */
{
  long sum = even (1000, 0);
  for (long n = 0; n < 10; n++)
    sum += chosen (n - n % 2, 2);
  for (long n = 0; n < 6; n++)
    sum += passed_on (n);
  char *text = grown (NULL, 20);
  text = grown (text, 30);
  text = grown (text, 40);
  strcpy (text, "some text");
  printf ("%ld %s\n", sum, text);
  free (text);
  return 0;
}
