// assume.cc - [[assume]] with a condition that calls: it is not executed, and has no counts.
// gcc: 13
// flags: -std=c++23
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

static int count_bits (unsigned x)	// calls = 0
{
  int n = 0;
  for (; x; x &= x - 1)
    n++;
  return n;
}

[[gnu::noinline]] static int halved (int x)	// calls = 100
{
  [[assume (x >= 0 && x < 1000)]];
  [[assume (count_bits (x) < 20)]];
  return x / 2;
}

[[gnu::noinline]] static int with_attribute (int x)	// calls = 50
{
  __attribute__ ((assume (({ int sum = 0; for (int i = 0; i < 4; i++) sum += x; sum == 4 * x; }))));
  return x % 8;
}

int main ()		// calls = 1
{
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += halved (i);
  for (int i = 0; i < 50; i++)
    sum += with_attribute (i);
  std::printf ("%d\n", sum);
}
