/* Counters of narrow signed types that wrap within one event: the sum is made
 * of unsigned numbers, and only then signed. */
#include <stdio.h>

static unsigned char data[512];
static unsigned short where[512];

static __attribute__ ((noipa)) unsigned
around (signed char from, signed char to)
{
  unsigned s = 0;
  for (signed char k = from; k != to; k += 3)
    s += data[where[k + 128] & 255];
  return s;
}

static __attribute__ ((noipa)) unsigned
shorts (short from, short to, const unsigned short *middle)
{
  unsigned s = 0;
  for (short k = from; k != to; k += 127)
    s += data[middle[k >> 8] & 255];
  for (short k = from; k != to; k += 127)
    s += data[(k ^ 5) & 255] + middle[(short) (k * 2) / 256];
  return s;
}

static __attribute__ ((noipa)) unsigned
turned_signed (const unsigned char *p, unsigned char from, unsigned char to)
{
  unsigned s = 0;
  for (unsigned char k = from; k != to; k += 5)
    s += data[p[(signed char) k]];
  return s;
}

static __attribute__ ((noipa)) int
neighbours (const unsigned char *p, int i)
{
  return p[(signed char) i] + p[(signed char) (i + 1)];
}

int
main (void)
{
  unsigned sum = 0;
  for (int i = 0; i < 512; i++)
    {
      data[i] = i * 37 + 11;
      where[i] = i * 91 % 512;
    }
  for (int n = 0; n < 60; n++)
    {
      sum += around (100 - n, 100 - n + 3 * (n + 1)) + turned_signed (data + 128, 120 - n, 120 - n + 5 * (n % 30 + 1)) + neighbours (data + 128, 100 + n);
      sum += shorts (32000 + n, (short) (32000 + n + 127 * n), where + 128);
    }
  printf ("%u\n", sum);
  return 0;
}
