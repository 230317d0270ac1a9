/* The first unit calls into the second one, an archive and a DSO.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared.h"
#include <cstdio>

static int __attribute__ ((noinline))
local (int n)
{
  return n & 1 ? n : n / 2;
}

int
dead_a (int n)
{
  return n > 3 ? 1 : 2;
}

struct triangle : shape
{
  int sides () const override { return 3; }
};

int
main (int argc, char **)
{
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += local (i) + twice (i) + maximum (i, 4) + from_b (i) + rest (i);
  shape *s = argc > 5 ? new shape : new triangle;
  std::printf ("%d %d\n", sum, s->sides ());
  delete s;
  return 0;
}
