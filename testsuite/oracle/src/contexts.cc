// contexts.cc - contexts under exceptions: caught, passed through, rethrown, thrown by callbacks
// and by handlers' callees.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <cstdlib>

static volatile long sum;

static void
leaf (int n)
{
  sum += n;
}

struct Guard
{
  int id;
  Guard (int n) : id (n) { leaf (n); }
  ~Guard () { leaf (id); }
};

static int
thrower (int n)
{
  Guard guard (n);
  if (n % 3 == 1)
    throw n;
  if (n % 3 == 2)
    throw "text";
  return n;
}

static int
through (int n, int depth)
{
  Guard guard (depth);
  if (depth > 0)
    return through (n, depth - 1);
  return thrower (n);
}

static int
tail (int n)
{
  leaf (n);
  return through (n, n % 4);
}

static int
rethrows (int n)
{
  try
    {
      return tail (n);
    }
  catch (const char *)
    {
      leaf (7);
      throw;
    }
}

static int
catches (int n)
{
  try
    {
      return rethrows (n);
    }
  catch (int value)
    {
      try
	{
	  return thrower (value + 1);
	}
      catch (...)
	{
	  leaf (8);
	}
      return value;
    }
  catch (...)
    {
      return thrower (3 * n);
    }
}

static int
order (const void *a, const void *b)
{
  int difference = *static_cast<const int *> (a) - *static_cast<const int *> (b);
  if (difference > 6)
    throw difference;
  leaf (difference);
  return difference;
}

static void
sorts (int n)
{
  int table[8];
  for (int i = 0; i < 8; i++)
    table[i] = i * n % 9;
  try
    {
      qsort (table, 8, sizeof *table, order);
    }
  catch (int value)
    {
      leaf (value);
    }
}

int
main ()
{
  for (int i = 0; i < 24; i++)
    sum += catches (i);
  for (int i = 1; i < 9; i++)
    sorts (i);
  printf ("%ld\n", sum);
  return 0;
}
