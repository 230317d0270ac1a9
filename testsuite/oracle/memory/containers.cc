// containers.cc - the library's containers, exceptions within a loop, atomics, templates, complex
// numbers.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <complex>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct record { int a; std::vector<double> v; record *next; };
static std::atomic<int> counter;
static thread_local long own;
static std::complex<double> c[10];

template <class T>
struct tree
{
  struct node { T key; node *left, *right; } *root = nullptr;
  void
  add (T key)
  {
    node **p = &root;
    while (*p)
      p = key < (*p)->key ? &(*p)->left : &(*p)->right;
    *p = new node { key, nullptr, nullptr };
  }
};

__attribute__ ((noinline)) static int
may_throw (int x)
{
  if (x > 3)
    throw std::runtime_error ("x");
  return x;
}

int
main ()
{
  record s { 1, {}, &s };
  tree<int> t;
  std::map<std::string, int> m;
  int n = 0;
  for (int i = 0; i < 20; i++)
    {
      s.v.push_back (i);
      counter += i;
      own += i;
    }
  for (int i = 0; i < 10; i++)
    t.add (i * 7 % 11);
  m["abc"] = 3;
  m["def"]++;
  for (int i = 0; i < 10; i++)
    try
      {
	s.a += may_throw (i);
      }
    catch (std::exception &)
      {
	n++;
	c[i] += std::complex<double> (1, i);
      }
  double sum = 0;
  for (double x : s.v)
    sum += x;
  printf ("%g %d %d %d %ld %zu\n", sum, s.a, n, counter.load (), own, m.size ());
}
