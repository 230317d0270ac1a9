/* verdicts.cc - loops in C++ of which it is known what keeps their iterations in order; see
 * testsuite/oracle/verdicts.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <algorithm>
#include <cstdio>
#include <vector>

#define N 64
#define FUNCTION __attribute__ ((noipa))
double a[N], b[N], c[N];

struct tally
{
  double sum, decayed;
  int n;
  FUNCTION void add (int count)
  {
    for (int i = 0; i < count; i++) // IS parallel after: reduction of AT -O3: parallel after: reduction of
      sum += b[i];
  }
  FUNCTION void decay (int count)
  {
    for (int i = 0; i < count; i++) // IS carried, distance 1
      decayed = decayed * 0.5 + b[i];
  }
  void count (double x) { n += x > 3; }
};

FUNCTION void
vectors (std::vector<double> &to, const std::vector<double> &from)
{
  for (std::size_t i = 0; i < from.size (); i++) // IS parallel AT -O1: not serial
    to[i] = from[i] * 2;
}

FUNCTION double
over_range (const std::vector<double> &from)
{
  double s = 0;
  for (double x : from) // IS unknown: how it counts AT -O0: serial
    s += x;
  return s;
}

FUNCTION double
over_array ()
{
  double s = 0;
  for (double x : a) // IS parallel after: reduction of s (+)
    s += x;
  return s;
}

FUNCTION double
extreme (int n)
{
  double m = 0;
  for (int i = 0; i < n; i++) // IS not serial
    m = std::max (m, b[i]);
  return m;
}

FUNCTION int
through_methods (int n)
{
  tally t = {};
  for (int i = 0; i < n; i++) // IS parallel after: (+)
    t.count (b[i]);
  return t.n;
}

FUNCTION void
to_reference (double &s, int n)
{
  for (int i = 0; i < n; i++) // IS parallel after: (+)
    s += b[i];
}

FUNCTION void
by_lambda (int n)
{
  auto twice = [] (double x) { return 2 * x; };
  for (int i = 0; i < n; i++) // IS parallel
    c[i] = twice (b[i]);
}

FUNCTION double
carried_by_lambda (int n)
{
  double last = 1;
  auto next = [&last] (double x) { return last = last * 0.5 + x; };
  for (int i = 0; i < n; i++) // IS carried, distance 1
    c[i] = next (b[i]);
  return last;
}

FUNCTION void
throws (int n)
{
  for (int i = 0; i < n; i++) // IS parallel
    {
      if (b[i] < -1)
	throw 1;
      c[i] = b[i];
    }
}

FUNCTION void
grows (std::vector<double> &to, int n)
{
  for (int i = 0; i < n; i++) // IS not parallel
    to.push_back (b[i]);
}

int
main ()
{
  tally t = {};
  std::vector<double> x (N, 1.5), y (N), z;
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      b[i] = i % 7;
    }
  t.add (N); t.decay (N); vectors (y, x); to_reference (t.sum, N); by_lambda (N); throws (N);
  grows (z, N);
  std::printf ("%.6g %.6g\n", c[5] + y[7], t.sum);
  return t.sum + over_range (x) + over_array () + extreme (N) + through_methods (N)
	     + carried_by_lambda (N)
	 < 0;
}
