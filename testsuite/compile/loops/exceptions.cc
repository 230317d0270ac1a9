/* exceptions.cc - exceptions that leave loops, and such that do not; templates and inlined copies.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

static volatile int sink;

__attribute__ ((noinline)) static void
throws_at (int i, int at)
{
  if (i == at)
    throw std::runtime_error ("here");
  sink = i;
}

__attribute__ ((noinline)) static void
thrown_through (int n, int at)
{
  for (int i = 0; i < n; i++)                   // loop = 4 20 2
    throws_at (i, at);
}

__attribute__ ((noinline)) static int
caught_within (int n)
{
  int caught = 0;
  for (int i = 0; i < n; i++)                   // loop = 2 18
    try
      {
	throws_at (i % 5, 3);
      }
    catch (std::exception &)
      {
	caught++;
      }
  return caught;
}

__attribute__ ((noinline)) static int
caught_behind (int n, int at)
{
  try
    {
      for (int i = 0; i < n; i++)               // loop = 2 15
	throws_at (i, at);
    }
  catch (std::exception &)
    {
      return 1;
    }
  return 0;
}

struct guard
{
  ~guard () { sink = 1; }
};

__attribute__ ((noinline)) static void
cleaned_up (int n, int at)
{
  for (int i = 0; i < n; i++)                   // loop = 1 2 0
    {
      guard g;
      throws_at (i, at);
    }
}

template <class T> static T
sum (const std::vector<T> &v)
{
  T s = 0;
  for (const T &x : v)                          // loop = 3 24
    s += x;
  return s;
}

int
main ()
{
  int n = 0;
  for (int i = 0; i < 4; i++)                   // loop = 1 4
    try
      {
	thrown_through (10, i & 1 ? 5 : -1);
      }
    catch (std::exception &)
      {
	n++;
      }
  n += caught_within (10) + caught_within (8) + caught_behind (10, 5) + caught_behind (10, -1);
  try
    {
      cleaned_up (9, 2);
    }
  catch (std::exception &)
    {
      n += 100;
    }
  std::vector<int> a (8, 2), b (4, 1);
  std::vector<double> c (12, 0.5);
  std::printf ("%d %d %d %g\n", n, sum (a), sum (b), sum (c));
  return 0;
}
