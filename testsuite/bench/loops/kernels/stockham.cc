// stockham.cc - the transform that sorts itself, on std::complex, and a convolution by it.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Complex = std::complex<double>;

class Transform
{
public:
  explicit Transform (std::size_t n) : n_ (n), root_ (n), work_ (n)
  {
    for (std::size_t k = 0; k < n; k++)
      root_[k] = std::polar (1.0, -2 * M_PI * k / n);
  }

  void forward (std::vector<Complex> &x)
  {
    std::vector<Complex> *from = &x, *into = &work_;
    for (std::size_t m = n_ / 2, s = 1; m >= 1; m /= 2, s *= 2)
      {
	for (std::size_t p = 0; p < m; p++)
	  {
	    const Complex w = root_[p * s];
	    for (std::size_t q = 0; q < s; q++)
	      {
		const Complex a = (*from)[q + s * p], b = (*from)[q + s * (p + m)];
		(*into)[q + s * 2 * p] = a + b;
		(*into)[q + s * (2 * p + 1)] = (a - b) * w;
	      }
	  }
	std::swap (from, into);
      }
    if (from != &x)
      x = *from;
  }

  void backward (std::vector<Complex> &x)
  {
    for (auto &value : x)
      value = std::conj (value);
    forward (x);
    for (auto &value : x)
      value = std::conj (value) / double (n_);
  }

private:
  std::size_t n_;
  std::vector<Complex> root_, work_;
};

int
main (int argc, char **argv)
{
  const int rounds = argc > 1 ? std::atoi (argv[1]) : 1;
  const std::size_t n = 1 << 13;
  Transform transform (n);
  std::vector<Complex> signal (n), filter (n);
  for (std::size_t i = 0; i < n; i++)
    {
      signal[i] = double (i % 61) - 30;
      filter[i] = i < 16 ? 1.0 / 16 : 0.0;
    }
  transform.forward (filter);
  for (int r = 0; r < rounds; r++)
    {
      transform.forward (signal);
      for (std::size_t i = 0; i < n; i++)
	signal[i] *= filter[i];
      transform.backward (signal);
      for (std::size_t i = 0; i < n; i++)
	signal[i] += double ((i * 7 + r) % 13) - 6;
    }
  double sum = 0;
  for (const auto &value : signal)
    sum += std::abs (value);
  std::printf ("%.8g\n", sum);
}
