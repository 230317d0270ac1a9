// cxx23.cc - C++23: if consteval, deducing this, static operator (), subscripts, and views.
// gcc: 14
// flags: -std=c++23
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <optional>
#include <vector>

constexpr int where (int x)
{
  if consteval
    {
      return x;
    }
  else
    {
      return x + 1;
    }
}

struct grid
{
  std::vector<int> cells;
  template <typename Self> [[gnu::noinline]] auto &&at (this Self &&self, int i)
  {
    return self.cells[i];
  }
  int &operator[] (int x, int y) { return cells[x * 4 + y]; }
};

struct twice
{
  [[gnu::noinline]] static int operator() (int x) { return 2 * x; }	// calls = 12
};

[[gnu::noinline]] static std::optional<int> checked (int n)	// calls = 8
{
  return n > 3 ? std::optional (n) : std::nullopt;
}

int main ()		// calls = 1
{
  grid g { std::vector<int> (16) };
  int sum = 0;
  constexpr int fixed = where (4);
  for (int i = 0; i < 12; i++)
    g.at (i) = twice {} (i) + where (i) + fixed;
  for (int i = 0; i < 8; i++)
    sum += checked (i).transform ([] (int n) { return n * n; }).value_or (1);
  auto factorial = [] (this auto self, int n) -> int { return n < 2 ? 1 : n * self (n - 1); };
  std::printf ("%d %d %d\n", sum, g[1, 2], factorial (5));
}
