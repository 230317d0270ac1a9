// inlines.cc - many functions that each unit has and the linker keeps once, some of which the
// library has, too.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <vector>

static int
twice (int x)
{
  return 2 * x;
}

int
sum_of (int n)
{
  std::vector<int> v;
  for (int i = 0; i < n; i++)
    v.push_back (twice (i));
  int sum = std::string ("abc").size ();
  for (int x : v)
    sum += x;
  return sum;
}
