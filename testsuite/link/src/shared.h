/* Both units of the link tests contain this: an inline function and a template, COMDAT in each.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SHARED_H
#define SHARED_H

extern "C" int rest (int n);

inline int __attribute__ ((noinline))
twice (int n)
{
  return n > 5 ? n + n : 2 * n;
}

template <typename T> T
maximum (T a, T b)
{
  return a > b ? a : b;
}

struct shape
{
  virtual ~shape () {}
  virtual int sides () const { return 0; }
};

int from_b (int n);

#endif
