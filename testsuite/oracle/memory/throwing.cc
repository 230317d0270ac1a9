// throwing.cc - exceptions that leave regions, loops and constructors, are caught frames above, are
// rethrown, and pass destructors.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct guard
{
  int &count, old;
  guard (int &c) : count (c), old (c) { count++; }
  ~guard () { count = old + 2; }
};

struct whole
{
  std::vector<int> parts;
  int total;
  whole (int n) : parts (n), total (0)
  {
    for (int i = 0; i < n; i++)
      {
	parts[i] = i;
	total += parts[i];
	if (total > 40)
	  throw std::runtime_error (std::string ("too much"));
      }
  }
};

static int counts[4], log_of[64];

__attribute__ ((noipa)) static int
check (int *p, int i)
{
  p[i & 63]++;
  if (p[i & 63] % 5 == 0)
    throw i;
  return p[(i + 1) & 63];
}

__attribute__ ((noipa)) static int
middle (int i)
{
  guard g (counts[i & 3]);
  int before = log_of[3], sum = check (log_of, i) + log_of[5];
  log_of[7] = sum + before;
  return sum + counts[1];
}

__attribute__ ((noipa)) static int
again (int i)
{
  try
    {
      return middle (i) + middle (i + 1);
    }
  catch (int n)
    {
      log_of[9] += n;
      if (n & 1)
	throw;
      return log_of[9];
    }
}

int
main ()
{
  int caught = 0, sum = 0;
  for (int i = 0; i < 80; i++)
    try
      {
	sum += again (i % 50);
	whole w (i % 14);
	sum += w.total + w.parts.size ();
      }
    catch (int n)
      {
	caught += n;
      }
    catch (const std::exception &e)
      {
	caught += e.what ()[0];
      }
  std::printf ("%d %d %d %d\n", caught, sum, counts[0], log_of[9]);
}
