/* scalars.cc - loops in C++ whose scalars are known by construction; see testsuite/compile/scalars.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <complex>
#include <iostream>
#include <vector>

int shared_count;
struct matrix { int rows, columns; double *data; double at (int i, int j) const; };

template <typename T>
T sum (const T *a, int n)
{
  T s = 0;
  for (int i = 0; i < n; i++)       // LOOP canonical IS s reduction + oa; i induction 1 c
    s += a[i];
  return s;
}
template double sum (const double *, int);

// The loop of a template is as often there as it is instantiated.
int through_reference (const int *a, int n, int &total)
{
  int rounds = 0;
  for (int i = 0; i < n; i++)       // LOOP canonical IS rounds induction 1 a; i induction 1 c
    {                               // IS total shared - w
      total += a[i];                // UPDATES + -
      rounds++;
    }
  return rounds;
}

double range (const double (&a)[100])
{
  double s = 0;
  for (double x : a)                // LOOP canonical IS s reduction + oa; x private - -
    s += x;
  return s;
}

double weighted (const double *a, int n)
{
  double weight = 1, s = 0;
  for (int i = 0; i != n; ++i)      // LOOP canonical IS weight carried - -; i induction 1 c
    {                               // IS s reduction + oa
      s += a[i] * weight;
      weight *= 0.9;
    }
  return s;
}

bool none_of (const bool *a, std::size_t n)
{
  bool none = true;
  for (std::size_t i = 0; i < n; i++) // LOOP canonical IS none reduction && a; i induction 1 c
    none &= !a[i];
  return none;
}

int clamp (int *a, int n, int top)
{
  int cut = 0;
  for (int i = 0; i < n; i++)       // LOOP canonical IS cut reduction + a; i induction 1 c
    {
      int x = a[i];                 // IS x private - d
      if (x > top)
	{
	  cut += x - top;
	  x = top;
	}
      a[i] = x;
    }
  return cut;
}

unsigned checksum (const unsigned char *a, int n)
{
  unsigned x = 1, y = 0;
  for (int i = 0; i < n; i++)       // LOOP canonical IS x carried - a; y reduction + a
    {                               // IS i induction 1 c
      x += a[i];
      y += x;
    }
  return y << 16 | x;
}

int state_machine (const char *text, int n)
{
  enum { OUT, IN } where = OUT;
  int words = 0;
  for (int i = 0; i < n; i++)       // LOOP canonical IS where carried - -; words reduction + a
    {                               // IS i induction 1 c
      bool is_blank = text[i] == ' ';   // IS is_blank private - d
      if (!is_blank && where == OUT)
	words++;
      where = is_blank ? OUT : IN;
    }
  return words;
}

double horner (const double *c, int n, double x)
{
  double y = 0;
  for (int i = n; i-- > 0;)         // LOOP canonical IS y carried - a; i induction -1 c
    y = y * x + c[i];
  return y;
}

void print (const int *a, int n)
{
  for (int i = 0; i < n; i++)       // LOOP canonical IS i induction 1 c
    std::cout << a[i];              // CALLS _ZNSolsEi io
}

double by_member (const matrix &m)
{
  double s = 0;
  for (int i = 0; i < m.rows; i++)  // LOOP bound:rows IS s reduction + oa; i induction 1 c
				    // IS j private - d
    for (int j = 0; j < m.columns; j++) // LOOP bound:columns IS s reduction + oa; j induction 1 c
      s += m.at (i, j);             // CALLS _ZNK6matrix2atEii unknown
  return s;
}

int leaves (const int *a, int n)
{
  int i = 0, s = 0;
  for (;;)
    {
      if (i >= n)                   // LOOP canonical IS i induction 1 c; s carried - a
	break;
      s += a[i];
      if (s > 100)
	throw s;
      i++;
    }
  return s;
}
