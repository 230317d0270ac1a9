// virtuals.cc - virtual calls, thunks of multiple and virtual inheritance, pointers to members,
// lambdas, static objects.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <functional>

#define NOINLINE __attribute__ ((noinline))

struct Left
{
  virtual ~Left () {}
  virtual int left (int n) { return n; }
};

struct Right
{
  virtual ~Right () {}
  virtual int right (int n) { return n * 2; }
};

struct Both : Left, virtual Right
{
  int NOINLINE left (int n) override	// calls = 30
  {
    return n % 3 ? n + 1 : n - 1;
  }
  int NOINLINE right (int n) override	// calls = 40
  {
    return n % 4 ? n + 2 : n - 2;
  }
};

struct Early
{
  int value;
  NOINLINE Early (int n) : value (n * 7) {}
  NOINLINE ~Early () { printf ("%d\n", value); }
};

static Early early (6);

template <typename T>
static T NOINLINE
apply (const std::function<T (T)> &f, T n)
{
  return f (n) + f (n + 1);
}

static int NOINLINE
through_left (Left *object, int n)	// calls = 30
{
  return object->left (n);
}

static int NOINLINE
through_right (Right *object, int n)	// calls = 30
{
  return object->right (n);
}

int
main ()				// calls = 1
{
  Both both;
  int sum = 0, seen = 0;
  int (Right::*member) (int) = &Right::right;
  for (int i = 0; i < 30; i++)
    sum = sum * 3 + through_left (&both, i) + through_right (&both, i);
  for (int i = 0; i < 10; i++)
    sum += (both.*member) (i) + apply<int> ([&seen] (int n) { seen++; return n * 5; }, i);
  static Early late (sum & 15);
  printf ("%d %d\n", sum & 0xffff, seen);
  return 0;			// edge through_left > Both::left = 30
}
