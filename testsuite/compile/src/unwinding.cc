// unwinding.cc - constructors that throw, members and bases destroyed on the way, noexcept that
// ends the process by terminate.
// status: 7
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline))

static int alive, most;

struct Part
{
  NOINLINE Part (int n)
  {
    if (n == 3)
      throw "part";
    if (++alive > most)
      most = alive;
  }
  NOINLINE ~Part () { alive--; }	// calls Part::~Part = 24
};

struct Whole : Part
{
  Part second;
  std::unique_ptr<Part> third;
  NOINLINE Whole (int n) : Part (n), second (n + 1), third (new Part (n + 2)) {}
};

static int NOINLINE
build (int n)			// calls = 10; unfinished = 0
{
  try
    {
      Whole whole (n);
      return alive;		// line = 7
    }
  catch (const char *what)
    {
      return -what[0];		// line = 3
    }
}

static void NOINLINE
must_not (int n) noexcept	// calls = 1; unfinished = 1
{
  if (n)
    throw n;
}

static void
ends ()				// calls = 1; unfinished = 1
{
  printf ("terminate %d\n", alive);
  fflush (stdout);
  _exit (7);
}

int
main ()				// calls = 1; unfinished = 1
{
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += build (i);
  printf ("%d %d %d\n", sum, alive, most);
  std::set_terminate (ends);
  must_not (sum);
  return 0;			// edge main > build = 10
}
