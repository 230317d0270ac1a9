/* realigned.c - functions that realign their stack and are entered by a jump, or jump themselves. 
   What they called hung below their caller.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <string.h>

#define NOIPA __attribute__ ((noipa))

static NOIPA int
leaf (int n)			/* calls = 16 */
{
  return n + 1;
}

static NOIPA void
fill (void *p, int n)		/* calls = 20 */
{
  memset (p, 1, n);
}

static NOIPA int
vectors (int n)			/* calls = 4 */
{
  _Alignas (32) char b[32];
  fill (b, 32);
  return leaf (b[3] + n);
}

static NOIPA int
line (int n)			/* calls = 4 */
{
  _Alignas (64) char b[64];
  char *p = __builtin_alloca (n);
  fill (b, 64);
  fill (p, n);
  return leaf (b[3] + p[n - 1]);
}

static NOIPA int
line_of_many (int a, int b, int c, int d, int e, int f, int n, int m)	/* calls = 4 */
{
  _Alignas (64) char x[64];
  char *p = __builtin_alloca (n);
  fill (x, 64);
  fill (p, n);
  return leaf (x[3] + p[n - 1] + a + b + c + d + e + f + m);
}

static NOIPA int
to_vectors (int n)
{
  return vectors (n);
}

static NOIPA int
to_line (int n)
{
  return line (n);
}

static NOIPA int
to_many (int a, int b, int c, int d, int e, int f, int n, int m)
{
  return line_of_many (f, e, d, c, b, a, m, n);
}

static NOIPA int
by_jump_alone (int n)		/* calls = 4 */
{
  _Alignas (64) volatile char b[64];
  b[n & 63] = 1;
  return leaf (b[n & 63]);
}

int
main (void)
{
  int sum = 0;
  for (int i = 1; i < 5; i++)
    sum += to_vectors (i) + to_line (i * 100) + to_many (1, 2, 3, 4, 5, 6, 7, i) + by_jump_alone (i);
  printf ("%d\n", sum);
  return 0;
}	/* tree main > to_vectors > vectors > leaf = 4; tree main > to_line > line > leaf = 4; tree main > to_many > line_of_many > leaf = 4; tree main > to_line > line > fill = 8; tree main > by_jump_alone > leaf = 4 */
