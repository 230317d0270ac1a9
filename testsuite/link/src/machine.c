/* machine.c - do all that a program may do with registers, stacks and jumps, each with a result
 * that shows whether it worked. testsuite/compile/flags compiles it with many flags.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define APART __attribute__ ((noinline, noclone))

static unsigned long sum;

APART static void
add (unsigned long x)
{
  sum = sum * 31 + x;
}

/* Vectors live over calls with probes. */
typedef double vector __attribute__ ((vector_size (64)));
APART static double
vectors (int n)
{
  vector a = { 1, 2, 3, 4, 5, 6, 7, 8 }, b = a + 1, c = a * 2;
  for (int i = 0; i < n; i++)
    {
      add (i);
      a += b;
      b = b * 0.5 + c;
      if (i % 3 == 0)
	add (i + 1);
      c += a * 0.25;
    }
  a += b * c;
  return a[0] + a[3] + a[7];
}

APART static long double
old_floats (long double x, int n)
{
  for (int i = 0; i < n; i++)
    {
      add (i);
      x = x * 1.5L + i;
    }
  return x;
}

APART static long
labels (const char *code)
{
  static const void *const to[] = { &&up, &&down, &&twice, &&out };
  long n = 0;
  goto *to[*code++ - '0'];
 up: n++; add (n); goto *to[*code++ - '0'];
 down: n--; goto *to[*code++ - '0'];
 twice: n *= 2; add (n); goto *to[*code++ - '0'];
 out: return n;
}

APART static long
apply (long (*f) (long), long x)
{
  long n = 0;
  for (int i = 0; i < 5; i++)
    n += f (x + i);
  return n;
}

/* Call a nested function by a trampoline on the stack, and jump out of one. */
APART static long
nested (long x)
{
  __label__ out;
  long seen = 0;
  long inner (long y)
  {
    seen += y;
    if (seen > 1000)
      goto out;
    return y * x;
  }
  seen += apply (inner, x);
 out:
  return seen;
}

static jmp_buf where;
APART static void
deep (int n)
{
  add (n);
  if (n == 0)
    longjmp (where, 3);
  deep (n - 1);
  add (n + 1);
}

APART static int
jumps (void)
{
  volatile int rounds = 0;
  int got = setjmp (where);
  rounds = rounds + 1;
  if (rounds < 4)
    deep (rounds);
  return rounds * 10 + got;
}

static ucontext_t home, fibre[2];
static char stacks[2][65536];
APART static void
fibre_body (int k)
{
  for (int i = 0; i < 20; i++)
    {
      add (k * 100 + i);
      swapcontext (&fibre[k], i == 19 ? &home : &fibre[!k]);
    }
}

APART static void
fibres (void)
{
  for (int k = 0; k < 2; k++)
    {
      getcontext (&fibre[k]);
      fibre[k].uc_stack.ss_sp = stacks[k];
      fibre[k].uc_stack.ss_size = sizeof stacks[k];
      fibre[k].uc_link = &home;
      makecontext (&fibre[k], (void (*) (void)) fibre_body, 1, k);
    }
  swapcontext (&home, &fibre[0]);
}

#ifndef PLAIN_TARGET
__attribute__ ((target_clones ("avx2", "default")))
#endif
__attribute__ ((noinline)) long
cloned (const int *p, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    s += p[i] * 3;
  add (s);
  return s;
}

#ifndef NO_IFUNC
static long
chosen (long x)
{
  add (x);
  return x + 7;
}
static long (*choose (void)) (long)
{
  return chosen;
}
long by_ifunc (long x) __attribute__ ((ifunc ("choose")));
#else
#define by_ifunc(x) ((x) + 7)
#endif

APART static long
variable (int n)
{
  int v[n];
  char *p = alloca (n);
  memset (p, n, n);
  for (int i = 0; i < n; i++)
    v[i] = p[i] + i;
  add (v[n - 1]);
  return v[n / 2];
}

static volatile sig_atomic_t handled;
static void
on_signal (int sig)
{
  handled += sig;
  add (sig);
}

APART static long
many (long a, long b, long c, long d, long e, long f, long g, long h, double x, double y)
{
  add (a + h);
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + (long) (x * y);
}

struct big { long v[20]; };
APART static struct big
by_value (struct big b)
{
  for (int i = 0; i < 20; i++)
    b.v[i] += i;
  add (b.v[3]);
  return b;
}

int
main (void)
{
  int numbers[100];
  struct big big = { { 1, 2, 3 } };
  for (int i = 0; i < 100; i++)
    numbers[i] = i * i;
  printf ("%.3f\n", vectors (30));
  printf ("%.3Lf\n", old_floats (1, 20));
  printf ("%ld\n", labels ("00021203"));
  printf ("%ld %ld\n", nested (3), nested (300));
  printf ("%d\n", jumps ());
  fibres ();
  printf ("%ld %ld\n", cloned (numbers, 100), by_ifunc (5));
  printf ("%ld\n", variable (50));
  signal (SIGUSR1, on_signal);
  for (int i = 0; i < 10; i++)
    raise (SIGUSR1);
  printf ("%ld\n", many (1, 2, 3, 4, 5, 6, 7, 8, 1.5, 2.5));
  big = by_value (big);
  printf ("%ld %ld\n", big.v[19], (long) handled);
  printf ("%lu\n", sum);
  return 0;
}
