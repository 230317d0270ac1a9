/* kernels.cc - loops in C++: members, templates, lambdas, ranges; for loops.sh and hints.sh.
   SPDX-License-Identifier: GPL-3.0-or-later */
#include <vector>

struct Row
{
  std::vector<double> v;
  __attribute__ ((noinline)) double total (double scale) const
  {
    double s = 0;
    for (int i = 0; i < (int) v.size (); i++) /*LOOP*/
      s += v[i] * scale;
    return s;
  }
};

template <class T> __attribute__ ((noinline, noclone)) T
sum (const T *p, int n)
{
  T s = 0;
  int i = 0;
  while (i < n) /*LOOP*/
    s += p[i++];
  return s;
}

__attribute__ ((noinline)) int
count (const std::vector<int> &v, int wanted)
{
  int n = 0;
  for (int x : v) /*LOOP*/
    n += x == wanted;
  return n;
}

int
main ()
{
  Row row;
  std::vector<int> v;
  auto fill = [&] (int n) { for (int i = 0; i < n; i++) row.v.push_back (i), v.push_back (i % 3); };
  fill (100);
  int a[100] = { 1, 2, 3 };
  double b[100] = { 1, 2 };
  return row.total (2) < 0 || sum (a, 100) != 6 || sum (b, 100) != 3 || count (v, 1) != 33;
}
