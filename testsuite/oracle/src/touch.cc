// touch.cc - accesses in all kinds of contexts. With -DTRUTH and -finstrument-functions it prints
// itself what the contexts are.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#ifdef TRUTH
#define HIDE __attribute__ ((no_instrument_function))
static const void *frames[1000];
static int depth;
static FILE *out;
extern "C" HIDE void __cyg_profile_func_enter (void *function, void *) { frames[depth++] = function; }
extern "C" HIDE void __cyg_profile_func_exit (void *, void *) { depth--; }
static HIDE void
note (int line)
{
  if (!out)
    out = fopen ("truth", "w");
  fprintf (out, "%d\t", line);
  for (int i = depth; i-- > 0;)
    fprintf (out, "%lx%s", (unsigned long) frames[i], i ? " " : "\n");
}
#define NOTE(line) note (line)
#define DEPTH int before = depth;
#define CUT depth = before;
#else
#define NOTE(line) (void) 0
#define DEPTH
#define CUT
#endif

volatile int touched[1000];
volatile int zero;
#define TOUCH (touched[__LINE__]++, NOTE (__LINE__))

struct guard
{
  ~guard () { TOUCH; }
};

static jmp_buf env;

static void leaf () { TOUCH; }

static void
recurse (int n)
{
  TOUCH;
  if (n)
    {
      recurse (n - 1);
      TOUCH;
      leaf ();
      TOUCH;
    }
}

static int
compare (const void *a, const void *b)
{
  TOUCH;
  leaf ();
  TOUCH;
  return *(const int *) a - *(const int *) b;
}

static void
sort (int (*how) (const void *, const void *))
{
  int v[] = { 3, 1, 2 };
  TOUCH;
  qsort (v, 3, sizeof *v, how);
  TOUCH;
}

static void
jump (int n)
{
  TOUCH;
  if (n)
    jump (n - 1);
  else
    longjmp (env, 1);
}

static int
compare_jump (const void *, const void *)
{
  TOUCH;
  jump (1);
  return 0;
}

static void
jumps ()
{
  DEPTH
  if (!setjmp (env))
    jump (3);
  CUT
  TOUCH;
  leaf ();
  TOUCH;
  if (!setjmp (env))
    sort (compare_jump);
  CUT
  TOUCH;
}

static void
thrower (int n)
{
  guard g;
  TOUCH;
  if (n)
    thrower (n - 1);
  else
    throw 1;
}

static void
through (int n)
{
  TOUCH;
  thrower (n);
}

static void
rethrows ()
{
  try
    {
      through (1);
    }
  catch (int)
    {
      TOUCH;
      throw;
    }
}

static int
compare_throw (const void *, const void *)
{
  TOUCH;
  through (0);
  return 0;
}

static void
exceptions ()
{
  try
    {
      through (2);
    }
  catch (int)
    {
      TOUCH;
    }
  TOUCH;
  try
    {
      rethrows ();
    }
  catch (...)
    {
      TOUCH;
      leaf ();
      TOUCH;
    }
  try
    {
      sort (compare_throw);
    }
  catch (int)
    {
      TOUCH;
    }
  TOUCH;
}

static int
last (int n)
{
  TOUCH;
  return n + zero;
}

static int
middle (int n)
{
  TOUCH;
  return last (n + 1);
}

static void
tails ()
{
  TOUCH;
  int n = middle (1);
  TOUCH;
  n += middle (n);
  TOUCH;
}

// A jump in tail position reaches foreign code, which calls back.
static int v4[] = { 4, 3, 2, 1 };
static void sort_last () { TOUCH; return qsort (v4, 4, sizeof *v4, compare); }

static void
jumped ()
{
  sort_last ();
  TOUCH;
}

static void
handler (int)
{
  TOUCH;
  leaf ();
  TOUCH;
}

// A handler interrupts a function that calls nothing.
static void
interrupted ()
{
  TOUCH;
  asm volatile ("int3" ::: "memory");
  TOUCH;
}

static void
signals ()
{
  signal (SIGTRAP, handler);
  interrupted ();
  TOUCH;
  raise (SIGTRAP);
  TOUCH;
}

// A loop calls several small functions, which are inlined, with accesses of the caller in between.
static void
mixed ()
{
  for (int i = 0; i < 5; i++)
    {
      TOUCH;
      leaf ();
      TOUCH;
      tails ();
      TOUCH;
    }
}

struct big { int v[20]; };

static big
make (int n)
{
  big b = {};
  b.v[n] = n;
  TOUCH;
  return b;
}

static void
bigs ()
{
  big b = make (3);
  TOUCH;
  zero = b.v[4];
}

int
main ()
{
  TOUCH;
  leaf ();
  TOUCH;
  recurse (3);
  TOUCH;
  sort (compare);
  jumps ();
  TOUCH;
  exceptions ();
  TOUCH;
  tails ();
  jumped ();
  TOUCH;
  signals ();
  TOUCH;
  mixed ();
  bigs ();
  TOUCH;
#ifdef KILLED
  raise (SIGKILL);
#endif
}
