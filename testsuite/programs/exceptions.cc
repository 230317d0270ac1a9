// exceptions.cc - exceptions caught, passed through, rethrown and thrown in constructors;
// destructors on the way.
// SPDX-License-Identifier: GPL-3.0-or-later
// usage: exceptions SCALE

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

static long trace_sum;

struct Guard
{
  int id;
  explicit Guard (int n) : id (n) { trace_sum += n; }
  ~Guard () { trace_sum = trace_sum * 3 % 1000003 + id; }
};

struct Member
{
  Guard first;
  Guard second;
  explicit Member (int n) : first (n), second (n + 1)
  {
    if (n % 5 == 0)
      throw std::invalid_argument ("five");
  }
};

static int
leaf (int n)
{
  Guard guard (n);
  if (n % 7 == 3)
    throw n;
  if (n % 11 == 4)
    throw std::runtime_error ("eleven " + std::to_string (n));
  return n * 2;
}

static int
through (int n, int depth)
{
  Guard guard (depth);
  if (depth == 0)
    return leaf (n);
  return through (n, depth - 1) + 1;
}

static int
rethrows (int n)
{
  try
    {
      return through (n, n % 6);
    }
  catch (const std::runtime_error &error)
    {
      trace_sum += error.what ()[0];
      throw;
    }
  catch (int value)
    {
      Guard guard (value);
      if (value % 2)
	throw std::logic_error ("odd");
      return -value;
    }
}

static int
nested (int n)
{
  int sum = 0;
  for (int i = 0; i < 3; i++)
    try
      {
	Member member (n + i);
	sum += rethrows (n + i);
      }
    catch (const std::logic_error &error)
      {
	sum += error.what ()[0];
	try
	  {
	    sum += leaf (n + 1);
	  }
	catch (...)
	  {
	    sum--;
	    continue;
	  }
      }
    catch (const std::exception &)
      {
	sum += 1000;
	if (sum > 2500)
	  break;
      }
  return sum;
}

static int
never_throws (int n) noexcept
{
  try
    {
      return leaf (n);
    }
  catch (...)
    {
      std::exception_ptr held = std::current_exception ();
      try
	{
	  std::rethrow_exception (held);
	}
      catch (int value)
	{
	  return value;
	}
      catch (const std::exception &error)
	{
	  return -(int) std::string (error.what ()).size ();
	}
    }
}

// One line has all blocks of this, with what destroys its objects and without.
static int
one_line (int n) { try { Guard b (n); leaf (n); Guard c (n); } catch (...) { n = 1; } return n; }

int
main (int argc, char **argv)
{
  int scale = argc > 1 ? atoi (argv[1]) : 1;
  long sum = 0;
  for (int i = 0; i < scale * 500; i++)
    sum = (sum * 17 + nested (i) + never_throws (i)) % 1000000007;
  for (int i = 0; i < 100; i++)
    sum += one_line (i);
  std::vector<Member *> members;
  for (int i = 1; i < 50; i++)
    try
      {
	members.push_back (new Member (i));
      }
    catch (const std::invalid_argument &)
      {
	members.push_back (nullptr);
      }
  for (Member *member : members)
    delete member;
  printf ("%ld %ld\n", sum, trace_sum);
  return 0;
}
