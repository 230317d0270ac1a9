// modules.cc - C++20 modules: functions that another unit exports, inline and not.
// gcc: 14
// flags: -std=c++20 -fmodules-ts
// part: modules.ixx
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
import shapes;

int main ()		// calls = 1
{
  long sum = 0;
  for (int i = 0; i < 9; i++)
    {
      shapes::box b { i, i + 1 };
      sum += shapes::area (b) + b.edge () + shapes::largest (i, 4);
    }
  std::printf ("%ld %d\n", sum, shapes::n_areas ());
}
