/* matrices.cc - nests over vectors of vectors, a matrix with an index operator, iterators, a range
   in a range.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <array>
#include <cstdio>
#include <vector>

struct matrix
{
  std::vector<double> cells;
  std::size_t n;
  explicit matrix (std::size_t size) : cells (size * size, 1.5), n (size) {}
  double &operator() (std::size_t i, std::size_t j) { return cells[i * n + j]; }
};

__attribute__ ((noinline)) static void
multiply (matrix &c, matrix &a, matrix &b)
{
  for (std::size_t i = 0; i < c.n; i++)
    for (std::size_t j = 0; j < c.n; j++)
      {
	double sum = 0;
	for (std::size_t k = 0; k < c.n; k++)
	  sum += a (i, k) * b (k, j);
	c (i, j) = sum;
      }
}

__attribute__ ((noinline)) static long
jagged (std::vector<std::vector<int>> &rows)
{
  long sum = 0;
  for (auto &row : rows)
    for (int &cell : row)
      sum += cell++;
  return sum;
}

__attribute__ ((noinline)) static int
fixed (std::array<std::array<int, 8>, 6> &m)
{
  int sum = 0;
  for (auto &row : m)
    for (auto cell : row)
      sum += cell;
  for (unsigned i = 0; i < m.size (); i++)
    for (unsigned j = i; j < m[0].size (); j++)
      m[i][j] += sum;
  return sum;
}

int
main ()
{
  matrix a (9), b (9), c (9), none (0);
  std::vector<std::vector<int>> rows;
  std::array<std::array<int, 8>, 6> m = {};
  for (int i = 0; i < 7; i++)
    rows.emplace_back (i, i);
  multiply (a, b, c);
  multiply (none, none, none);
  std::printf ("%f %ld %ld %d\n", a (3, 4), jagged (rows), jagged (rows), fixed (m) + fixed (m));
}
