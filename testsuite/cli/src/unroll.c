/* unroll.c - loops of all shapes, for unroll directives.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define EACH(i, n) for (int i = 0; i < n; i++)
int g (int);

/* Loops with heads and bodies of all shapes. */
int
shapes (int *a, int n)
{
  int s = 0, i;
  for (i = 0; i < n; i++)
    s += a[i] * a[i];
  while (*a)
    s += *a++;
  do
    {
      s ^= a[s & 15];
      s++;
    }
  while (s < 100);
  if (n & 1) s++; else for (i = 0;
                            i < n;
                            i++) s += a[i] >> 1;
  for (i = 0; i < n; i++) for (int k = 0; k < n; k++) s += a[i] ^ a[k];
 label: while (s > 7) s -= a[s & 7];
  switch (n)
    {
    case 1: for (i = 0; i < s; i++) a[i] = i;
    }
  /* It begins in a comment
     and ends here. */ for (i = n; i > 0; i--) a[i] += a[i - 1];
  if (s == 12)
    goto label;
  return s;
}

int
not_all (int *a, int n)
{
  int s = 0, i = 0;
  EACH (k, n)
    s += a[k];
 again:
  s += a[i++];
  if (i < n)
    goto again;
  for (;;)
    {
      if (g (s))
        break;
      s++;
    }
  return s;
}

#ifdef NEVER
int never (int n) { while (n--) {
#else
int ever (int *a, int n) {
  while (n--) { a[n] = 1;
#endif
} return n; }

float
sum (const float *restrict a, float *restrict b, int n)
{
  float s = 0;
#pragma GCC unroll 2
  for (int i = 0; i < n; i++)
    b[i] = a[i] * 3;
#pragma GCC ivdep
  for (int i = 0; i < n; i++)
    s += a[i] / b[i];
  while (1)
    {
      if (b[n] > s)
        break;
      n++;
    }
  return s;
}
