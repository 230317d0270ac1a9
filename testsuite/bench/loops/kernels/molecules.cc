// molecules.cc - Lennard-Jones molecules in a periodic box, with lists of neighbours.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Vector
{
  double x, y, z;
  Vector &operator+= (const Vector &o) { x += o.x, y += o.y, z += o.z; return *this; }
  Vector &operator-= (const Vector &o) { x -= o.x, y -= o.y, z -= o.z; return *this; }
};

static Vector operator- (const Vector &a, const Vector &b) { return { a.x - b.x, a.y - b.y, a.z - b.z }; }
static Vector operator* (double s, const Vector &v) { return { s * v.x, s * v.y, s * v.z }; }
static double dot (const Vector &a, const Vector &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

class Box
{
public:
  explicit Box (int side) : length_ (side * 1.2)
  {
    unsigned state = 7;
    for (int i = 0; i < side; i++)
      for (int j = 0; j < side; j++)
	for (int k = 0; k < side; k++)
	  {
	    double v[3];
	    for (double &c : v)
	      c = ((state = state * 1664525u + 1013904223u) >> 16) / 65536.0 - 0.5;
	    place_.push_back ({ i * 1.2, j * 1.2, k * 1.2 });
	    speed_.push_back ({ v[0], v[1], v[2] });
	  }
    force_.resize (place_.size ());
    near_.resize (place_.size ());
  }

  void find_neighbours ()
  {
    const double reach = 2.8 * 2.8;
    for (std::size_t i = 0; i < place_.size (); i++)
      {
	near_[i].clear ();
	for (std::size_t j = i + 1; j < place_.size (); j++)
	  {
	    Vector d = nearest (place_[i] - place_[j]);
	    if (dot (d, d) < reach)
	      near_[i].push_back (j);
	  }
      }
  }

  double step (double dt)
  {
    double energy = forces ();
    for (std::size_t i = 0; i < place_.size (); i++)
      {
	speed_[i] += dt * force_[i];
	place_[i] += dt * speed_[i];
      }
    return energy;
  }

private:
  double length_;
  std::vector<Vector> place_, speed_, force_;
  std::vector<std::vector<int>> near_;

  double wrap (double d) const { return d > length_ / 2 ? d - length_ : d < -length_ / 2 ? d + length_ : d; }
  Vector nearest (const Vector &d) const { return { wrap (d.x), wrap (d.y), wrap (d.z) }; }

  double forces ()
  {
    double energy = 0;
    for (auto &f : force_)
      f = { 0, 0, 0 };
    for (std::size_t i = 0; i < place_.size (); i++)
      for (int j : near_[i])
	{
	  Vector d = nearest (place_[i] - place_[j]);
	  double square = dot (d, d);
	  if (square > 2.5 * 2.5)
	    continue;
	  double inverse = 1 / square, sixth = inverse * inverse * inverse;
	  Vector f = 24 * sixth * (2 * sixth - 1) * inverse * d;
	  force_[i] += f;
	  force_[j] -= f;
	  energy += 4 * sixth * (sixth - 1);
	}
    return energy;
  }
};

int
main (int argc, char **argv)
{
  const int steps = argc > 1 ? std::atoi (argv[1]) : 1;
  Box box (10);
  double energy = 0;
  for (int t = 0; t < steps; t++)
    {
      if (t % 10 == 0)
	box.find_neighbours ();
      energy = box.step (5e-4);
    }
  std::printf ("%.8g\n", energy);
}
