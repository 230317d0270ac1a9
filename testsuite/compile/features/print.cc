// print.cc - C++23: std::print, whose formats the compiler checks. The header is large, so few
// levels are compiled.
// gcc: 14
// flags: -std=c++23
// levels: -O1 -O3 -Os
// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
#include <print>
#include <string>
#include <vector>

[[gnu::noinline]] static std::string name (int i)		// calls = 20
{
  return std::string (i % 5 + 1, 'a' + i % 3);
}

int main ()		// calls = 1
{
  std::map<std::string, int> counts;
  for (int i = 0; i < 20; i++)
    counts[name (i)]++;
  for (const auto &[key, count] : counts)
    std::print ("{:>6} {:02}\n", key, count);
  std::println ("{} names, {:.3f}", counts.size (), 1.0 / 3);
}
