/* loops.c - loops of every shape: exits, steps, guards, wrapping indices, conditions, volatile and
   invariant addresses, nests.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define APART __attribute__ ((noinline, noclone))
struct cell { int key, value; struct { char tag[3]; short n; } deep[2]; };
static int a[300], b[300], zeros[300];
static struct cell cells[64];
static volatile int port[8];
static double m[20][21];
static long total;

/* Exits are in the middle of an iteration, at its start, and at its end. */
APART static int
exits (const int *p, int n, int x, int y, int z)
{
  int i = 0;
  for (;; i++)
    {
      if (p[i] == x)
	return i;
      if (i >= n)
	break;
      if (p[i + 1] + p[2 * i] == y)
	return -i;
      b[i] = p[3];
      if (p[i + 2] == z)
	return 2 * i;
    }
  return i;
}

/* Exits share a target, or leave a condition. */
APART static int
shared (const int *p, int n, int x)
{
  int i;
  for (i = 0; i < n; i++)
    {
      if (p[i] > x || p[i + 5] < 0)
	break;
      if (i % 3 == 1 && i > x)
	{
	  total--;
	  goto out;
	}
      a[i] ^= 1;
    }
  total++;
out:
  return i + (int) total;
}

APART static int
going_on (const int *p, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (p[i] & 1)
	continue;
      sum += p[i];
    }
  for (int i = 0; i < n; i++)
    {
      int x = p[i];
      if (x & 2)
	x += 7 * sum;
      b[n - 1 - i] = x;
    }
  return sum;
}

/* Loops have the least and the greatest number of iterations, and steps that are known only at run
   time. */
APART static long
steps (char *p, long from, long to, long step)
{
  long n = 0;
  for (long i = from; step > 0 ? i < to : i > to; i += step)
    {
      p[i] += i;
      n += p[i / 2];
    }
  for (char *q = p + from; q < p + to; q += step > 0 ? step : -step)
    *q ^= 1;
  long k = to;
  while (k-- > from)
    p[k] |= 2;
  do
    p[++k] = 5;
  while (k < from);
  return n;
}

/* Indices wrap around: these loops are exact, or not of this kind. */
APART static unsigned
wraps (const unsigned char *p, unsigned char from, unsigned short start, unsigned n)
{
  unsigned sum = 0;
  for (unsigned char i = from; n--; i += 3)
    sum += p[i];
  for (unsigned short i = start; i != 4; i++)
    sum += p[(unsigned char) i];
  for (uint32_t i = UINT32_MAX - 5; i != 6; i += 1)
    sum += p[(uint32_t) (i + 6)];
  for (uint64_t i = -(uint64_t) 3; i != 9; i++)
    sum += p[i + 3];
  return sum;
}

/* There are more bases than an event has words; bases that differ by constants; bytes of unequal
   size. */
APART static int
many (struct cell *p, const int *q, const int *r, const int *s, const int *t, const int *u, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += p[i].key + p[i].deep[1].n + p[i + 2].deep[0].tag[2] + q[i] + r[i] + s[2 * i];
  for (int i = 0; i < n; i++)
    sum += p[i].key * q[i] - r[i] + s[i] * t[i] - u[i];
  for (int i = 0; i < n; i++)
    {
      p[i].value = sum;
      p[n - i].deep[1].tag[0] = i;
      memcpy (&p[i].deep[0], &p[i + 1].deep[1], sizeof p->deep[0]);
    }
  return sum;
}

APART static int
ports (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      port[i & 1] = i;
      sum += port[3];
    }
  for (int i = 0; i < n; i++)
    sum += port[2] + __atomic_fetch_add (&a[i], 1, __ATOMIC_RELAXED);
  while (port[4]++ < n)
    sum++;
  return sum;
}

APART static void
clear (char *to, int *from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] = 0;
  for (int i = 0; i < n; i++)
    from[i] = from[i + n];
}

APART static double
nests (int n, int k, int from)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++)
      m[i][j] = m[j % 20][i] + 1;
  for (int i = from; i < n; i++)
    {
      for (int j = i + 1; j < n; j++)
	{
	  m[j][i] /= m[i][i] + 1;
	  for (int l = i + 1; l < n; l++)
	    m[j][l] -= m[j][i] * m[i][l];
	}
      sum += m[i][i];
    }
  for (int i = 0; i < n; i += 2)
    {
      sum += m[0][i];
      for (int j = 0; j < i; j += 3)
	{
	  if (m[i][j] > 1e3)
	    break;
	  sum += m[i][j] * m[i - j][0];
	}
      m[1][i] = sum;
    }
  return sum > -1e6 && sum < 1e6 ? sum : 1;
}

APART static const char *
text (const char *p, char c, char *to)
{
  const char *start = p;
  while (*p && *p != c)
    p++;
  while (start < p)
    *to++ = *start++;
  *to = 0;
  return p;
}

APART static int
switching (const int *p, int n)
{
  int state = 0;
  for (int i = 0; i < n; i++)
    switch (p[i] & 3)
      {
      case 0: state++; break;
      case 1: state ^= p[i + 1]; break;
      case 2: return state;
      default: state--;
      }
  return state;
}

/* There are two ways in and two ways back. */
APART static int
knots (const int *p, int n)
{
  int i = 0, sum = 0;
  if (n & 1)
    goto inside;
again:
  sum += p[i];
inside:
  sum ^= p[i + 1];
  if (++i < n)
    {
      if (sum & 4)
	goto again;
      sum++;
      goto inside;
    }
  return sum;
}

int
main (int argc, char **argv)
{
  char buffer[200] = "some text of, some length";
  unsigned char table[256];
  long sum = 0;
  for (int i = 0; i < 300; i++)
    a[i] = i * 7 % 101, b[i] = i;
  for (int i = 0; i < 256; i++)
    table[i] = i * 3;
  for (int n = 0; n < 24 * argc; n += 5)
    {
      sum += exits (a, n, 21, -1, -1) + exits (a, n, -1, 42, -1) + exits (a, n, -1, -1, 70) + exits (a, n, -1, -1, -1);
      sum += shared (a, n, 95) + shared (a, n, 7) + shared (zeros, n, n - 4) + going_on (a, n) + switching (a, n) + knots (a, n + 1);
      sum += many (cells, a, b, a + 1, b + 9, zeros, n) + ports (n) + (long) nests (n % 20, n % 19, n % 3);
      clear (buffer + 100, b, n);
    }
  sum += steps (buffer + 50, 0, 50, 1 + argc) + steps (buffer + 50, 40, -30, -3 * argc) + steps (buffer, 0, 0, argc) + steps (buffer + 9, -2, 3, 100);
  sum += wraps (table, 250, 65530, 100) + wraps (table, argc, 4, 0) + wraps (table, 3, 0, 300);
  text ("words, and more", ',', buffer);
  text ("words", argc + 'r', buffer + 30);
  text ("", 0, buffer + 40);
  printf ("%ld %s %s\n", sum, buffer, buffer + 30);
  return argv[0] == 0;
}
