/* Loops that one event tells several iterations of: with ways out in the middle, conditions,
 * counters of odd types, steps of all kinds, and copies of bytes. */
#include <stdio.h>

static unsigned char data[256];
static unsigned short where[256];
static double value[256];
static long sum;

struct item { struct item *left, *right; int key; };
static struct item items[127];

static __attribute__ ((noipa)) double
gather (int from, int to)
{
  double s = 0;
  for (int k = from; k < to; k++)
    s += value[where[k]];
  return s;
}

static __attribute__ ((noipa)) int
find (const unsigned char *p, int n, int what)
{
  int k = 0;
  while (k < n && data[p[k]] != what)
    k++;
  return k;
}

/* The counter wraps. */
static __attribute__ ((noipa)) unsigned
around (unsigned char from, unsigned char to)
{
  unsigned s = 0;
  for (unsigned char k = from; k != to; k += 3)
    s += data[where[k] & 255];
  return s;
}

static __attribute__ ((noipa)) void
scatter (int n, int step)
{
  for (int k = n - 1; k >= 0; k -= step)
    data[where[k] & 255] += k;
}

static __attribute__ ((noipa)) const struct item *
descend (const struct item *p, int key)
{
  while (p && p->key != key)
    p = key < p->key ? p->left : p->right;
  return p;
}

static __attribute__ ((noipa)) int
both_ways_out (const unsigned short *p)
{
  int s = 0;
  for (;; p++)
    {
      if (data[*p & 255] == 7)
	return s;
      s += data[*p >> 1 & 127];
      if (s > 900)
	return -s;
    }
}

/* Control reaches this point from two sides. */
static __attribute__ ((noipa)) int
skip (int n)
{
  int s = 0;
  for (int k = 0; k < n; k++)
    {
      if (data[where[k] & 255] & 1)
	continue;
      s += k;
      value[where[k] & 255] += s;
    }
  return s;
}

/* After the loop its counters have the values of the last iteration. */
static __attribute__ ((noipa)) long
counters (const unsigned short *p, long n)
{
  long i = 0, j = n, last = 0;
  for (; i < j; i++, j -= 2)
    last += data[p[i] & 255] + data[p[j] & 255] * i;
  return last * 1000 + i * 30 + j;
}

/* Two bytes at once, and a copy of many. */
static __attribute__ ((noipa)) void
shift (int n)
{
  for (int k = 0; k < n; k++)
    {
      __builtin_memcpy (&where[k + 128], &where[data[k] & 127], 2);
      __builtin_memcpy (&value[where[k] & 127], &value[128 + (data[k] & 63)], 8 * (n & 3));
    }
}

int
main (void)
{
  for (int i = 0; i < 256; i++)
    {
      data[i] = i * 37 + 11;
      where[i] = i * 91 % 256;
      value[i] = i / 8.0;
    }
  for (int i = 0; i < 127; i++)
    items[i] = (struct item) { 2 * i + 1 < 127 ? &items[2 * i + 1] : NULL, 2 * i + 2 < 127 ? &items[2 * i + 2] : NULL, i * 5 % 127 };
  for (int n = 0; n < 40; n++)
    {
      sum += gather (n, 2 * n) + find (data + n, n, n * 3 & 255) + around (n, n + 3 * (n % 19)) + skip (n) + counters (where, 3 * n);
      scatter (n, 1 + n % 3);
      const struct item *p = descend (items, n);
      sum += p ? p - items : -1;
      sum += both_ways_out (where + n);
    }
  for (int n = 0; n < 9; n++)
    shift (n * 7);
  sum += gather (0, 256) + find (data, 200, 1000);
  printf ("%ld\n", sum);
  return 0;
}
