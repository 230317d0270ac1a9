/* ranges.c - builtins that access ranges, atomics, asm, bit-fields, aggregates, thread-local and
   variable-length objects, complex numbers.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#define _GNU_SOURCE
#include <complex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bits { unsigned a : 3, b : 17, c : 30; long d : 5; unsigned char e; };
struct big { int v[12]; struct bits b; double d; };
union either { int i; float f; struct { short lo, hi; } s; };
static __thread int own[4];
static struct big bigs[3];
static _Atomic int counter;
static _Complex double z[4];
static volatile int port;

__attribute__ ((noinline)) static size_t
strings (char *to, const char *from, size_t n)
{
  char *end = stpcpy (to, from);
  memmove (to + 1, to, strlen (to));
  memset (end, '.', n);
  end = mempcpy (to, from, n);
  return (size_t) (end - to) + strlen (from) + (memcmp (to, from, n) != 0);
}

__attribute__ ((noinline)) static int
atomics (int *p, int n)
{
  int expected = 3;
  __atomic_fetch_add (p, n, __ATOMIC_SEQ_CST);
  __atomic_compare_exchange_n (p, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  __sync_fetch_and_or (p + 1, 4);
  atomic_fetch_sub (&counter, n);
  asm volatile ("addl $1, %0" : "+m" (p[2]) : "r" (n));
  asm ("movl %1, %0" : "=r" (n) : "m" (p[3]));
  return *p + expected + n + atomic_load (&counter);
}

__attribute__ ((noinline)) static struct big
pass (struct big b, int i)
{
  b.v[i] += b.b.b;
  b.b.c = b.b.a + i;
  b.b.d--;
  return b;
}

__attribute__ ((noinline)) static int
lengths (int n)
{
  int a[n], sum = 0;
  struct { int head; int tail[n]; } s, t;
  for (int i = 0; i < n; i++)
    a[i] = i * 3, s.tail[n - 1 - i] = a[i];
  t = s;
  memcpy (a, t.tail, n * sizeof *a);
  for (int i = 0; i < n; i++)
    sum += a[i] * own[i & 3];
  return sum;
}

__attribute__ ((noinline)) static int
dense (const int *m, int n, int i)
{
  /* There are more addresses than one event holds, in and out of groups. */
  return m[i] + m[i + 1] + m[2 * i] + m[3 * i] + m[3 * i - 2] + m[n - i] + m[n * i % 7] + m[(i ^ 3) + 1] + m[i * i % 50] + m[0] + m[n] + m[i + 2];
}

int
main (int argc, char **argv)
{
  char text[100];
  int cells[60];
  for (int i = 0; i < 60; i++)
    cells[i] = i;
  own[argc & 3] = 5;
  bigs[1].b.b = 77, bigs[1].b.a = 5, bigs[1].b.d = 3;
  for (int i = 0; i < 10; i++)
    {
      bigs[i % 3] = pass (bigs[1], i);
      z[i & 3] += 1 + i * I;
      __real__ z[0] = i;
      port = i;
    }
  union either e = { .f = 1.5f };
  e.s.lo ^= argc;
  char *p = strdup ("a string that is not so short");
  printf ("%zu %d %d %d %u %d %g %d\n", strings (text, p, 7 * argc), atomics (cells, 4), lengths (9 * argc), dense (cells, 20, 5), bigs[2].b.c,
	  e.i, creal (z[3]), port);
  free (p);
  return argv[0] == 0;
}
