// kernels.cc - loops of templates, lambdas and member functions, each on one line.
// SPDX-License-Identifier: GPL-3.0-or-later
template <typename T> T sum (const T *p, int n) { T s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int ints (const int *p, int n) { return sum (p, n); }
double doubles (const double *p, int n) { return sum (p, n); }
void scale (float (&v)[1000], float f) { for (float &x : v) x *= f; }
int lambda (const int *v, int n)
{
  auto each = [&] (int from) { int s = 0; for (int i = from; i < n; i++) s ^= v[i]; return s; };
  return each (3);
}
struct cursor { const int *at, *end; bool operator!= (const cursor &other) const { return at != other.end; } cursor &operator++ () { ++at; return *this; } int operator* () const { return *at; } };
struct range { const int *at, *to; cursor begin () const { return { at, to }; } cursor end () const { return { to, to }; } };
int ranged (const range &r) { int s = 0; for (int x : r) s = s * 3 + x; return s; }
struct vector4 { double a[4]; };
vector4 operator* (const vector4 &x, double f) { vector4 z; for (int i = 0; i < 4; i++) z.a[i] = x.a[i] * f; return z; }
extern int checked (int);
int guarded (const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) try { s += checked (p[i]); } catch (int e) { s -= e; } return s; }
