// modules.ixx - the interface that modules.cc imports.
// SPDX-License-Identifier: GPL-3.0-or-later
export module shapes;

int count;

export namespace shapes
{
struct box
{
  int w, h;
  [[gnu::noinline]] int edge () const { return 2 * (w + h); }	// calls = 9
};

[[gnu::noinline]] int area (const box &b)			// calls = 9
{
  count++;
  return b.w * b.h;
}

template <typename T> [[gnu::noinline]] T largest (T a, T b)	// calls = 9
{
  return a > b ? a : b;
}

int n_areas ()							// calls = 1
{
  return count;
}
}
