// turns.cc - functions with loops that are tried: threads, fork, recursion, exceptions, longjmp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__ ((noinline, noclone))

static unsigned data[4096];
static jmp_buf back;

struct pair
{
  unsigned long sum, n;
};

// A result in memory, more arguments than there are registers, and a floating one.
KEEP pair
sum (const unsigned *x, int n, long a, long b, long c, long d, long e, double f, pair start)
{
  for (int i = 0; i < n; i++)
    start.sum += x[i] * a;
  start.n += n + b + c + d + e + (long) f;
  return start;
}

KEEP unsigned
nested (unsigned depth, unsigned n)
{
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++)
    s += data[i] ^ depth;
  return depth ? s + nested (depth - 1, n) + nested (depth - 1, n) : s;
}

KEEP unsigned
leaves (unsigned n, int how)
{
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++)
    s += data[i] * 3;
  if (how == 1)
    throw s;
  if (how == 2)
    longjmp (back, 1);
  return s;
}

static unsigned long
work (int rounds)
{
  pair p = { 0, 0 };
  volatile unsigned long s = 0;
  for (int i = 0; i < rounds; i++)
    {
      p = sum (data, 4096, 1, 2, 3, 4, 5, 6.5, p);
      s = s + leaves (1000, 0);
    }
  return p.sum + p.n + s;
}

static void *
thread (void *result)
{
  *(unsigned long *) result = work (4000);
  return NULL;
}

static unsigned long
abandon ()
{
  volatile unsigned long s = 0;
  for (volatile int i = 0; i < 300; i = i + 1)
    {
      try
	{
	  leaves (100, 1);
	}
      catch (unsigned x)
	{
	  s = s + x;
	}
      if (!setjmp (back))
	leaves (100, 2);
      s = s + leaves (100, 0);
    }
  return s;
}

int
main (int argc, char **argv)
{
  unsigned long result[4], s = 0;
  pthread_t threads[4];
  for (int i = 0; i < 4096; i++)
    data[i] = i * 7 % 13;
  if (argc > 1 && !strcmp (argv[1], "short"))
    return printf ("%u\n", leaves (10, 0)) < 0;
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, thread, &result[i]);
  for (int i = 0; i < 4; i++)
    {
      pthread_join (threads[i], NULL);
      s += result[i];
    }
  for (int i = 0; i < 400; i++)
    s += nested (5, 500);
  printf ("%lu %lu\n", s, abandon ());
  fflush (stdout);
  pid_t child = fork ();
  if (!child)
    return work (5000) != work (5000);
  int status = -1;
  waitpid (child, &status, 0);
  return status;
}
