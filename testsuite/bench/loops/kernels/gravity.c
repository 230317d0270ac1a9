/* gravity.c - many bodies, each attracting each other one, leap frog.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 700 };

struct body
{
  double x, y, z, vx, vy, vz, mass;
};

static struct body bodies[N];

static double
next_random (void)
{
  static unsigned state = 12345;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 16777216.0;
}

static void
place (void)
{
  for (int i = 0; i < N; i++)
    {
      struct body *b = &bodies[i];
      b->x = next_random () - 0.5;
      b->y = next_random () - 0.5;
      b->z = next_random () - 0.5;
      b->mass = 0.5 + next_random ();
    }
}

static void
accelerate (double dt)
{
  for (int i = 0; i < N; i++)
    {
      struct body *b = &bodies[i];
      double ax = 0, ay = 0, az = 0;
      for (int j = 0; j < N; j++)
	{
	  double dx = bodies[j].x - b->x, dy = bodies[j].y - b->y, dz = bodies[j].z - b->z;
	  double square = dx * dx + dy * dy + dz * dz + 1e-3;
	  double pull = bodies[j].mass / (square * sqrt (square));
	  ax += pull * dx;
	  ay += pull * dy;
	  az += pull * dz;
	}
      b->vx += dt * ax;
      b->vy += dt * ay;
      b->vz += dt * az;
    }
}

static void
move (double dt)
{
  for (int i = 0; i < N; i++)
    {
      bodies[i].x += dt * bodies[i].vx;
      bodies[i].y += dt * bodies[i].vy;
      bodies[i].z += dt * bodies[i].vz;
    }
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 1;
  double energy = 0;
  place ();
  for (int t = 0; t < steps; t++)
    {
      accelerate (1e-5);
      move (1e-5);
    }
  for (int i = 0; i < N; i++)
    {
      struct body *b = &bodies[i];
      energy += 0.5 * b->mass * (b->vx * b->vx + b->vy * b->vy + b->vz * b->vz);
    }
  printf ("%.10g\n", energy);
  return 0;
}
