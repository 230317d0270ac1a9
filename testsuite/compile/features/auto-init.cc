// auto-init.cc - -ftrivial-auto-var-init=zero, with objects, unions and variables of a switch.
// gcc: 12
// flags: -ftrivial-auto-var-init=zero
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

union either { int i[4]; double d; };
struct pair { int a; short b; };

[[gnu::noinline]] static long chosen (int n)			// calls = 24
{
  either u;
  pair p[3];
  switch (n % 3)
    {
      long spare;
    case 0:
      spare = n;
      u.i[n % 4] = static_cast<int> (spare);
      return u.i[n % 4];
    case 1:
      p[n % 3] = { n, 2 };
      return p[n % 3].a + p[n % 3].b;
    default:
      u.d = n;
      return static_cast<long> (u.d);
    }
}

int main ()		// calls = 1
{
  long sum = 0;
  for (int i = 0; i < 24; i++)
    sum += chosen (i);
  std::printf ("%ld\n", sum);
}
