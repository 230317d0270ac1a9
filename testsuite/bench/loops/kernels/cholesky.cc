// cholesky.cc - a symmetric matrix is factored and equations are solved, with a small matrix class.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename T>
class Matrix
{
public:
  explicit Matrix (std::size_t n) : n_ (n), data_ (n * n) {}
  T &operator() (std::size_t i, std::size_t j) { return data_[i * n_ + j]; }
  const T &operator() (std::size_t i, std::size_t j) const { return data_[i * n_ + j]; }
  std::size_t size () const { return n_; }

private:
  std::size_t n_;
  std::vector<T> data_;
};

template <typename T>
static void
factor (Matrix<T> &a)
{
  for (std::size_t j = 0; j < a.size (); j++)
    {
      T diagonal = a (j, j);
      for (std::size_t k = 0; k < j; k++)
	diagonal -= a (j, k) * a (j, k);
      diagonal = std::sqrt (diagonal);
      a (j, j) = diagonal;
      for (std::size_t i = j + 1; i < a.size (); i++)
	{
	  T sum = a (i, j);
	  for (std::size_t k = 0; k < j; k++)
	    sum -= a (i, k) * a (j, k);
	  a (i, j) = sum / diagonal;
	}
    }
}

template <typename T>
static void
solve (const Matrix<T> &l, std::vector<T> &x)
{
  for (std::size_t i = 0; i < l.size (); i++)
    {
      T sum = x[i];
      for (std::size_t k = 0; k < i; k++)
	sum -= l (i, k) * x[k];
      x[i] = sum / l (i, i);
    }
  for (std::size_t i = l.size (); i-- > 0;)
    {
      x[i] /= l (i, i);
      for (std::size_t k = 0; k < i; k++)
	x[k] -= l (i, k) * x[i];
    }
}

int
main (int argc, char **argv)
{
  const int rounds = argc > 1 ? std::atoi (argv[1]) : 1;
  const std::size_t n = 400;
  std::vector<double> x (n, 1.0);
  for (int r = 0; r < rounds; r++)
    {
      Matrix<double> a (n);
      for (std::size_t i = 0; i < n; i++)
	for (std::size_t j = 0; j < n; j++)
	  a (i, j) = i == j ? n + r : 1.0 / (1 + (i > j ? i - j : j - i));
      factor (a);
      for (int k = 0; k < 10; k++)
	{
	  solve (a, x);
	  for (auto &value : x)
	    value = value * n + 1;
	}
    }
  double sum = 0;
  for (double value : x)
    sum += value;
  std::printf ("%.10g\n", sum);
}
