// musttail.cc - [[gnu::musttail]] in methods, virtual calls and templates.
// gcc: 15
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

struct state { int at, sum; };
struct step
{
  virtual int go (state &s, int n) const = 0;
};
template <int By>
struct adds : step
{
  const step *next;
  __attribute__ ((noinline)) int go (state &s, int n) const override
  {
    s.sum += By;
    s.at++;
    if (n == 0)
      return s.sum;
    [[gnu::musttail]] return next->go (s, n - 1);
  }
};

int main ()		// calls = 1
{
  adds<1> one;
  adds<10> ten;
  one.next = &ten;
  ten.next = &one;
  state s {};
  const step *first = &one;
  int result = first->go (s, 999);
  std::printf ("%d %d %d\n", result, s.at, s.sum);
}
// calls adds<1>::go = 500; calls adds<10>::go = 500
