// unroll.cc - loops of C++, for unroll directives.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
template <class T> T
total (const std::vector<T> &v)
{
  T sum {};
  for (const T &x : v)
    sum += x;
  for (std::size_t i = 0; i < v.size (); i++) sum ^= v[i];
  return sum;
}
template int total (const std::vector<int> &);
int
apply (std::vector<int> &v, int n)
{
  auto f = [&] (int k) { for (int &x : v) x += k; return n; };
  for (int i = 0; int c = n - i; i++)
    v[i] += c;
  if (n) f (1); else
    while (n < 100) n += f (n);
  return n;
}
