// virtual.cc - virtual calls, also at the end of a function, where the address of the method tells
// which function was jumped to.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>

#define NOIPA __attribute__ ((noipa))

static int sum;

struct Shape
{
  virtual NOIPA ~Shape () {}		// calls Shape::~Shape = 20
  virtual NOIPA void grow (int n) { sum += n; }	// calls Shape::grow = 10
};

struct Square : Shape
{
  NOIPA ~Square () {}
  NOIPA void grow (int n) override { sum += n * n; }	// calls Square::grow = 10
};

NOIPA static void
last (Shape *shape, int n)		// calls = 20; edge last > Shape::grow = 10; edge last > Square::grow = 10
{
  shape->grow (n);			// tree main > last > Square::grow = 10
}

int
main ()
{
  Shape shape, *shapes[2] = { &shape, new Square };
  for (int i = 0; i < 20; i++)
    last (shapes[i % 2], i);
  for (int i = 0; i < 18; i++)
    Shape ();
  delete shapes[1];
  printf ("%d\n", sum);
  return 0;
}
