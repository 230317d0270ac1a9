/* why.c - loops at which a factor has no effect, and others; for outcome.sh.
   SPDX-License-Identifier: GPL-3.0-or-later */
int g (int);
int a[1000], b[1000];

void
plain (int n)
{
  for (int i = 0; i < n; i++)
    a[i] += 3;
}

__attribute__ ((cold)) void
cold (int n)
{
  for (int i = 0; i < n; i++)
    a[i] += 3;
}

void
few (void)
{
  for (int i = 0; i < 6; i++)
    a[i] = g (i);
}

void
seldom (int n)
{
  static int few[10];
  for (int i = 0; i < n; i++)
    few[i] = g (few[i]);
}

#define STEP a[i] = a[i] / 3 % 7 * b[i]; b[i] = a[i] / 3 + b[i] % 13 / 7; a[i] ^= b[i] / 19
void
big (void)
{
  for (int i = 0; i < 1000; i++)
    {
      STEP; STEP; STEP; STEP;
      a[i] = g (a[i]);
    }
}

int
branches (const char *p)
{
  int n = 0;
  while (*p && *++p != 'x')
    if (*p == 'y')
      n++;
  return n;
}

void
outer (int n)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      a[i] += b[k] * g (k);
}
