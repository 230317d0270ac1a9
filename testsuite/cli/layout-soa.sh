#!/bin/bash
# layout-soa.sh - the declaration of a structure of arrays is valid C, and its prediction is within
# 10 % of the program that was really changed, in the same direction; for a block, a variable, a
# std::vector, and for random accesses, where it is worse and the report says so.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3

. "$(dirname "$0")/layout-soa.lib"

cat >heap.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define N 5000
#ifdef CHANGED
struct particle;
#include "heap.h"
static struct particle_arrays a;
#define P(i, array, member) a.array[i].member
#define ID(i) a.id[i]
#define STEP(i) a.step[i]
#define HISTORY(i, k) a.history[i][k]
#else
static struct particle
{
  double x, y, z; int id; double vx, vy, vz; int (*step) (struct particle *, int); short history[6]; char name[20]; float mass; unsigned low : 3, high : 7;
} *a;
#define P(i, array, member) a[i].member
#define ID(i) a[i].id
#define STEP(i) a[i].step
#define HISTORY(i, k) a[i].history[k]
#endif
__attribute__ ((noipa)) static void start (void)
{
#ifdef CHANGED
  a.x_y_z = malloc (N * sizeof *a.x_y_z);
  a.id = malloc (N * sizeof *a.id);
  a.vx_vy_vz = malloc (N * sizeof *a.vx_vy_vz);
  a.step = malloc (N * sizeof *a.step);
  a.history = malloc (N * sizeof *a.history);
  a.mass_low_high_and_1_more = malloc (N * sizeof *a.mass_low_high_and_1_more);
#else
  a = malloc (N * sizeof *a);
#endif
  for (int i = 0; i < N; i++)
    {
      P (i, x_y_z, x) = i; P (i, x_y_z, y) = 1; P (i, x_y_z, z) = 2; ID (i) = i * 7 % 11; STEP (i) = 0;
      P (i, vx_vy_vz, vx) = 1; P (i, vx_vy_vz, vy) = 2; P (i, vx_vy_vz, vz) = i; HISTORY (i, i % 6) = i;
      P (i, mass_low_high_and_1_more, name[i % 20]) = i; P (i, mass_low_high_and_1_more, mass) = 1;
      P (i, mass_low_high_and_1_more, high) = i;
    }
}
__attribute__ ((noipa)) static double centre (void)
{
  double s = 0;
  for (int i = 0; i < N; i++) s += P (i, x_y_z, x) + P (i, x_y_z, y) * P (i, x_y_z, z);
  return s;
}
__attribute__ ((noipa)) static double energy (void)
{
  double s = 0;
  for (int i = 0; i < N; i++) s += P (i, vx_vy_vz, vx) * P (i, vx_vy_vz, vx) + P (i, vx_vy_vz, vy) * P (i, vx_vy_vz, vz);
  return s;
}
__attribute__ ((noipa)) static int ids (void) { int s = 0; for (int i = 0; i < N; i++) s ^= ID (i); return s; }
__attribute__ ((noipa)) static int steps (void) { int s = 0; for (int i = 0; i < N; i++) s += STEP (i) != 0; return s; }
__attribute__ ((noipa)) static int old (void) { int s = 0; for (int i = 0; i < N; i++) s += HISTORY (i, i % 6); return s; }
int main (void)
{
  double sum = 0;
  start ();
  for (int r = 0; r < 10; r++)
    sum += centre () + energy () + ids () + ids () + steps () + old ();
  printf ("%g\n", sum);
  return 0;
}
END
traced heap heap.c
"$CABPROF" layout -d heap.data particle >words || fail "no layout"
grep -q '^Of those allocated, 5,000 are in arrays: `--soa. has them' words ||
  fail "not that there are arrays: $(cat words)"
"$CABPROF" layout -d heap.data --soa particle >words || fail "no layout with --soa"
grep -q \
  '^As a structure of arrays: 6 arrays, 24 + 4 + 24 + 8 + 12 + 28 = 100 bytes for each element instead of 104$' words || fail "wrong arrays: $(cat words)"
grep -q ' a\[i\]\.x is now a\.x_y_z\[i\]\.x, a\[i\]\.id is now a\.id\[i\]\.$' words ||
  fail "wrong account of the uses of accesses: $(cat words)"
# The declaration is used as printed, and the compiler lays it out as it says.
sed -e '1,/^As a structure of arrays/d' -e '/^Saves: /d' words >heap.h
python3 - heap.h >sizes.c <<'END' || fail "not to be read: $(cat words)"
import re, sys
checks, bytes = [], None
for line in open (sys.argv[1]):
    if match := re.match (r"  struct  /\* bytes: (\d+) ", line):
        bytes = match[1]
    elif match := re.match (r"  } \*(\w+);", line):
        checks.append ((match[1], bytes))
    elif match := re.match (r"  .*\*(\w+)\)?.*;  /\* bytes: (\d+)", line):
        checks.append ((match[1], match[2]))
print ("struct particle;\n#include \"heap.h\"\nstatic struct particle_arrays a;")
for name, bytes in checks:
    print (f"_Static_assert (sizeof *a.{name} == {bytes}, \"{name}\");")
sys.exit (len (checks) != 6)
END
gcc -Wall -Wno-unused -fsyntax-only sizes.c ||
  fail "the compiler lays it out otherwise: $(cat heap.h)"
check heap heap.c 4 particle
[ ! -s heap.words ] || fail "words where all instances are in an array: $(cat heap.words)"
"$CABPROF" report layout -d heap.data --format=tsv >table || fail "no report"
[ "$(cells table type particle member vy array array_offset)" = "vx_vy_vz 8" ] ||
  fail "not the array of vy: $(cat table)"
"$CABPROF" layout -d heap.data --soa --svg=chart.svg particle &&
  python3 -c 'import xml.dom.minidom as m; m.parse ("chart.svg")' || fail "the chart is no XML"
grep -q '>array x_y_z, an element: 24 bytes<' chart.svg || fail "not in the chart: x_y_z"
"$CABPROF" layout -d heap.data --svg=chart.svg particle && grep -q 'an element' chart.svg &&
  fail "arrays in the chart without --soa"
"$CABPROF" layout -d heap.data --soa --html=- particle >page &&
  grep -q '<p>As a structure of arrays: 6 arrays, ' page || fail "not in the page"
"$CABPROF" layout -d heap.data --soa --try=heap.trace "${caches[@]}" --format=json >json ||
  fail "no JSON"
python3 -c '
import json
rows = json.load (open ("json"))["rows"]
assert [row["recommended"] for row in rows] == ["no", "no", "no", "yes"] and rows[3]["D1_change"] < -0.5, rows' || fail "wrong JSON: $(cat json)"

# One variable is an array; other instances are single: on the heap, in a variable, on the stack, in
# another structure.
cat >static.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 4000
struct cell { double key; char name[40]; double value, weight; };
#ifdef CHANGED
static struct { double key[N]; char name[N][40]; struct { double value, weight; } both[N]; } cells;
#define KEY(i) cells.key[i]
#define NAME(i) cells.name[i]
#define BOTH(i) cells.both[i]
#else
static struct cell cells[N];
#define KEY(i) cells[i].key
#define NAME(i) cells[i].name
#define BOTH(i) cells[i]
#endif
static struct cell one;
static struct { long n; struct cell of[3]; } inside;
__attribute__ ((noipa)) static void touch (struct cell *c, int n) { c->key = n; c->value = n; }
__attribute__ ((noipa)) static double find (double key)
{
  for (int i = 0; i < N; i++)
    if (KEY (i) == key)
      return BOTH (i).value * BOTH (i).weight;
  return 0;
}
__attribute__ ((noipa)) static double sum (void)
{
  double s = 0;
  for (int i = 0; i < N; i++)
    s += BOTH (i).value * BOTH (i).weight;
  return s;
}
int main (void)
{
  struct cell own, *alone = malloc (sizeof *alone);
  double s = 0;
  for (int i = 0; i < N; i++)
    {
      KEY (i) = i; BOTH (i).value = 1; BOTH (i).weight = i; NAME (i)[i % 40] = 1;
    }
  for (int r = 0; r < 20; r++)
    s += find (N - 1 - 100 * r) + sum ();
  for (int i = 0; i < 50; i++)
    {
      touch (&own, i); touch (alone, i); touch (&one, i); touch (&inside.of[1 + i % 2], i);
      s += own.value + alone->key + one.value + inside.of[1].key;
    }
  printf ("%g\n", s);
  return 0;
}
END
check static static.c 4 cell
# Two stores to a member, 50 times in three places, and the reads of them: single instances stay
# where they are and are counted; `inside' has an array.
grep -q \
  ': 450 of [0-9]* accesses to members are not of instances in arrays: these stay as they are$' \
  static.words || fail "not what is in no array: $(cat static.words)"
"$CABPROF" trace filter static.trace | "$CABPROF" layout -d static.data --soa --try=- cell >table \
  2>words || fail "no trial of rows"
grep -q ' these stay as they are; rows do not tell of variables: try the packed trace$' words ||
  fail "not that rows have no variables: $(cat words)"

# The elements of a growing vector are moved as a whole.
cat >vector.cc <<'END'
#include <cstdio>
#include <vector>
struct body { double x, y; double history[6]; long id; };
#ifdef CHANGED
struct place { double x, y; };
struct past { double history[6]; };
static std::vector<place> places;
static std::vector<past> pasts;
static std::vector<long> ids;
static void add (int i) { places.push_back (place { i * 1.0, 2 }); pasts.push_back (past { { 1, 2, 3, 4, 5, i * 1.0 } }); ids.push_back (i); }
#define X(i) places[i].x
#define Y(i) places[i].y
#define ID(i) ids[i]
#define SIZE places.size ()
#else
static std::vector<body> bodies;
static void add (int i) { bodies.push_back (body { i * 1.0, 2, { 1, 2, 3, 4, 5, i * 1.0 }, i }); }
#define X(i) bodies[i].x
#define Y(i) bodies[i].y
#define ID(i) bodies[i].id
#define SIZE bodies.size ()
#endif
int main ()
{
  double s = 0;
  long n = 0;
  for (int i = 0; i < 6000; i++)
    add (i);
  for (int r = 0; r < 15; r++)
    {
      for (size_t i = 0; i < SIZE; i++) X (i) += Y (i) * r;
      for (size_t i = 0; i < SIZE; i++) n += ID (i) & r;
    }
  for (size_t i = 0; i < SIZE; i++) s += X (i);
  std::printf ("%g %ld\n", s, n);
}
END
check vector vector.cc 4 body

# new[] of a type with a destructor puts a count in front of the elements.
cat >counted.cc <<'END'
#include <cstdio>
#include <cstdlib>
#define N 4000
#ifdef CHANGED
struct most { double value, weight; char name[40]; };
struct owner { long *own; owner () : own (nullptr) {} ~owner () { std::free (own); } };
static double *keys;
static most *mosts;
static owner *owners;
static void make () { keys = new double[N]; mosts = new most[N]; owners = new owner[N]; }
static void unmake () { delete[] keys; delete[] mosts; delete[] owners; }
#define KEY(i) keys[i]
#define MOST(i) mosts[i]
#else
struct cell { double key; char name[40]; double value, weight; long *own; cell () : own (nullptr) {} ~cell () { std::free (own); } };
static cell *cells;
static void make () { cells = new cell[N]; }
static void unmake () { delete[] cells; }
#define KEY(i) cells[i].key
#define MOST(i) cells[i]
#endif
__attribute__ ((noipa)) static double find (double key)
{
  for (int i = 0; i < N; i++)
    if (KEY (i) == key)
      return MOST (i).value * MOST (i).weight;
  return 0;
}
int main ()
{
  double s = 0;
  make ();
  for (int i = 0; i < N; i++)
    {
      KEY (i) = i; MOST (i).value = 1; MOST (i).weight = i; MOST (i).name[i % 40] = 1;
    }
  for (int r = 0; r < 20; r++)
    s += find (N - 1 - 100 * r);
  std::printf ("%g\n", s);
  unmake ();
}
END
check counted counted.cc 4 cell
[ ! -s counted.words ] || fail "words where all instances are behind a count: $(cat counted.words)"

# Fortran has arrays of a derived type, one allocated and one in a module.
if command -v gfortran >/dev/null; then
  cat >derived.F90 <<'END'
module cells
  implicit none
  integer, parameter :: n = 5000
#ifdef CHANGED
  type places
    real(8) :: x, y
  end type
  type pasts
    real(8) :: history(6)
  end type
  type (places), allocatable :: place(:)
  type (pasts), allocatable :: past(:)
  integer, allocatable :: id(:)
  type heats
    real(8) :: heat, flow
  end type
  type names
    character (40) :: name
  end type
  type (heats), save :: heated(n)
  type (names), save :: named(n)
#define X(i) place(i)%x
#define Y(i) place(i)%y
#define HISTORY(i, k) past(i)%history(k)
#define ID(i) id(i)
#define HEAT(i) heated(i)%heat
#define FLOW(i) heated(i)%flow
#define NAME(i) named(i)%name
#else
  type particle
    real(8) :: x, y, history(6)
    integer :: id
  end type
  type (particle), allocatable :: all(:)
  type cell
    real(8) :: heat
    character (40) :: name
    real(8) :: flow
  end type
  type (cell), save :: grid(n)
#define X(i) all(i)%x
#define Y(i) all(i)%y
#define HISTORY(i, k) all(i)%history(k)
#define ID(i) all(i)%id
#define HEAT(i) grid(i)%heat
#define FLOW(i) grid(i)%flow
#define NAME(i) grid(i)%name
#endif
end module
program main
  use cells
  implicit none
  integer :: i, k, total
  real(8) :: sum
#ifdef CHANGED
  allocate (place(n), past(n), id(n))
#else
  allocate (all(n))
#endif
  do i = 1, n
    X(i) = i; Y(i) = 2; ID(i) = i
    HISTORY(i, mod (i, 6) + 1) = i
    HEAT(i) = i; FLOW(i) = 1; NAME(i)(mod (i, 40) + 1:mod (i, 40) + 1) = 'a'
  end do
  total = 0
  do k = 1, 15
    do i = 1, n
      X(i) = X(i) + Y(i) * k
    end do
    do i = 1, n
      total = ieor (total, ID(i) * k)
    end do
    do i = 1, n
      HEAT(i) = HEAT(i) * 0.5 + FLOW(i)
    end do
  end do
  sum = 0
  do i = 1, n
    sum = sum + X(i) + HEAT(i)
  end do
  print *, sum, total
end program
END
  check derived derived.F90 4 particle cell
  [ ! -s derived.words ] ||
    fail "Fortran: words where all instances are in arrays: $(cat derived.words)"
fi

# Different functions each use half of the members of a random element: loops do not show that these
# are used together, a trace does.
cat >random.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define N 20000
#ifdef CHANGED
struct first { double a, b, c, d; };
struct second { double e, f, g, h; };
static struct { struct first *first; struct second *second; } all;
#define FIRST(i) all.first[i]
#define SECOND(i) all.second[i]
#else
static struct record { double a, b, c, d, e, f, g, h; } *all;
#define FIRST(i) all[i]
#define SECOND(i) all[i]
#endif
static unsigned seed = 1;
static unsigned next_random (void) { return seed = seed * 1103515245 + 12345, seed >> 8; }
__attribute__ ((noipa)) static double first (int i) { return FIRST (i).a * FIRST (i).b + FIRST (i).c * FIRST (i).d; }
__attribute__ ((noipa)) static double second (int i) { return SECOND (i).e * SECOND (i).f + SECOND (i).g * SECOND (i).h; }
int main (void)
{
  double s = 0;
#ifdef CHANGED
  all.first = calloc (N, sizeof *all.first);
  all.second = calloc (N, sizeof *all.second);
#else
  all = calloc (N, sizeof *all);
#endif
  for (int r = 0; r < 60000; r++)
    {
      int i = next_random () % N;
      s += first (i) + second (i);
    }
  printf ("%g\n", s);
  return 0;
}
END
check random random.c 2 record
"$CABPROF" layout -d random.data --soa --affinity=random.trace record >words ||
  fail "no layout by a trace"
grep -q '^As a structure of arrays: no: its members are all used together$' words ||
  fail "not that they are all used together: $(cat words)"

# Some types cannot become structures of arrays.
cat >none.cc <<'END'
#include <cstdio>
#include <cstdlib>
struct derived { virtual ~derived () {} long a, b; };
struct tail { int n, m; char text[]; };
static derived all[30];
int main ()
{
  long sum = 0;
  tail *t = static_cast<tail *> (std::malloc (sizeof *t + 10));
  *const_cast<int volatile *> (&t->n) = 1; *const_cast<char volatile *> (&t->text[3]) = 1; *const_cast<int volatile *> (&t->m) = 1;
  for (derived volatile &d : all) { d.a = 1; sum += d.b; }
  std::printf ("%ld\n", sum);
}
END
traced none none.cc
"$CABPROF" layout -d none.data --soa derived tail >words || fail "no layout"
grep -q '^As a structure of arrays: no: it has a base or virtual functions$' words ||
  fail "arrays of what has virtual functions: $(cat words)"
grep -q '^As a structure of arrays: no: it ends in an array without a size$' words ||
  fail "arrays of what has no size: $(cat words)"
exit 0
