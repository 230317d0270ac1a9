// catch.cc - exceptions caught, passing through frames, rethrown, thrown through destructors and by
// callbacks of the C library.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define NOINLINE __attribute__ ((noinline))

static int n_destroyed;

struct Guard
{
  int id;
  NOINLINE Guard (int n) : id (n) {}
  NOINLINE ~Guard () { n_destroyed += id; }	// calls Guard::~Guard = 60
};

static int NOINLINE
thrower (int n)			// calls = 40; unfinished = 10
{
  if (n % 4 == 1)
    throw n;			// line = 10
  return n;			// line = 30
}

static int NOINLINE
passes (int n)			// calls = 40; unfinished = 10
{
  Guard guard (n % 2);
  return thrower (n) + 1;
}

static int NOINLINE
catches (int n)			// calls = 20; unfinished = 0
{
  int sum = 0;
  for (int i = 0; i < 2; i++)
    try
      {
	sum += passes (n * 2 + i);
      }
    catch (int value)
      {
	sum += value * 10;	// line = 10
      }
  return sum;
}

static int NOINLINE
rethrows (int n)		// calls = 20; unfinished = 5
{
  try
    {
      Guard guard (2);
      if (n % 4 == 2)
	throw std::runtime_error ("two");
      if (n % 4 == 3)
	throw 3.5;
    }
  catch (std::exception &error)
    {
      n_destroyed++;		// line = 5
      throw;
    }
  catch (double)
    {
      return 35;		// line = 5
    }
  return n;			// line = 10
}

static int NOINLINE
compares (const void *a, const void *b)		// calls = 1; unfinished = 1
{
  throw a < b ? 1 : 2;
}

int
main ()				// calls = 1; unfinished = 0
{
  int sum = 0, table[] = { 3, 1, 2 };
  for (int i = 0; i < 20; i++)
    {
      sum += catches (i);
      try
	{
	  sum += rethrows (i);
	}
      catch (std::exception &error)
	{
	  sum += error.what ()[0];
	}
    }
  try
    {
      qsort (table, 3, sizeof *table, compares);
    }
  catch (int)
    {
      sum += 1000;		// line = 1
    }
  printf ("%d %d\n", sum, n_destroyed);
  return 0;			// edge passes > thrower = 40; edge main > compares = 1; tree main > catches > passes > thrower = 40
}
