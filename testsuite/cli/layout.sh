#!/bin/bash
# layout.sh - the report of structures has the compiler's offsets and the counts of the source, and
# the compiler lays out the proposals as promised; in C, C++ and Fortran.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3

. "$(dirname "$0")/layout.lib"

cat >all.c <<'END'
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
struct point { int x, y; };
typedef struct item
{
  char tag;
  double history[5];
  long key;
  struct point at;
  char name[32];
  struct item *next;
  int (*compare) (struct item *, int);
  unsigned low : 3, high : 7;
} item;
static item *list;
struct loose { char a; long b; char c; long d; char e; } loose[500];
struct full { int a, b; } full[50];
struct __attribute__ ((packed)) tight { char a; int b; } tight;
struct grid { int n; struct point points[100]; } grid;
struct tail { int n, m; char text[]; };
struct stars { char a; int **p; char c; const char *const *q; char d; int *r[2]; char e; } stars[500];
#ifdef PROPOSED
#include PROPOSED
#endif
int main (int argc, char **argv)
{
  (void) argv;
  for (int i = 0; i < 1000; i++)
    {
      item *n = malloc (sizeof *n);
      n->tag = i; n->key = i; n->at.y = 1; n->name[i % 32] = 1; n->next = list; n->compare = 0; n->high = i;
      for (int k = 0; k < 5; k++) n->history[k] = k;
      list = n;
    }
  long sum = 0;
  for (int r = 0; r < 100; r++)
    for (volatile item *n = list; n; n = n->next)
      if (n->key >= 500) sum += n->at.y;
  for (volatile struct loose *l = loose; l < loose + 500; l++) { l->a++; l->b++; l->c++; l->d++; l->e++; }
  for (volatile struct full *f = full; f < full + 50; f++) f->a = f->b;
  for (int i = 0; i < 100; i++) ((volatile struct grid *) &grid)->points[i].x = argc;
  volatile struct tail *volatile t = malloc (sizeof *t + 10);
  t->n = 3; t->text[argc] = 5; t->m = 4; t->text[argc + 1] = 7;
  ((volatile struct tight *) &tight)->b = 1;
  for (volatile struct stars *s = stars; s < stars + 500; s++) s->a = 1;
  item copy = *list;
  *(item *volatile *) &list = &copy;
  printf ("%ld\n", sum);
  return 0;
}
END
for level in -O0 -O2; do
  what="all.c $level"
  gcc $level -w "${memory[@]}" all.c -o all || fail "all.c does not compile"
  profile_of all
  # A copy of the whole structure reads and writes each member of `item' once.
  expect "120 1000 0 1 1001 cold" item tag size instances offset reads writes used
  expect "8 40 1 5001 cold" item history offset bytes reads writes used
  expect "48 8 100001 1001 hot first" item key offset bytes reads writes used goes_to
  expect "50001 1001 hot" item at reads writes used
  expect "64 32 1 1001 cold cold" item name offset bytes reads writes used goes_to
  expect "96 100001 hot" item next offset reads used
  expect "104 8 1 1001" item compare offset bytes reads writes
  expect "112 1002 cold" item "low, high" offset accesses used
  expect "40 8 500 500 hot first" loose b size offset reads writes used goes_to
  expect "50 0 stays" full b reads writes goes_to
  expect "stays 0" point y goes_to accesses
  expect "1 8 0 2" tail text instances offset bytes writes
  expect "1 stays" tight b offset goes_to

  # The proposal is valid C, and the compiler lays it out as stated.
  "$CABPROF" layout -d profile item loose >words || fail "no layout"
  grep -q '^  key with next: 101,002$' words ||
    fail "$what: not what is used together: $(cat words)"
  grep -q '^Proposed: split: 32 bytes instead of 120, and 88 in a part of their own$' words ||
    fail "$what: not the split: $(cat words)"
  grep -q '^Proposed: another order: 24 bytes instead of 40$' words ||
    fail "$what: wrong order: $(cat words)"
  "$CABPROF" layout -d profile --no-split item full >whole || fail "no layout without splits"
  grep -q '^Proposed: another order: 112 bytes instead of 120$' whole && ! grep -q cold: whole &&
    ! grep -q item_cold whole ||
    fail "$what: not the order of the whole: $(cat whole)"
  grep -q '^  struct item \*next;  /\* at 8, ' whole ||
    fail "$what: its hot members are not at its front: $(cat whole)"
  "$CABPROF" layout -d profile --no-split stars >order || fail "no layout of stars"
  grep -q '^  int \*\*p;  ' order && grep -q '^  const char \*const \*q;  ' order &&
    grep -q '^  int \*r\[2\];  ' order || fail "$what: asterisks: $(cat order)"
  grep -q '^Proposed: stays as it is: ' whole || fail "$what: another order of full: $(cat whole)"
  python3 - words >check.c <<'END' || fail "$what: not to be read: $(cat words)"
import re, sys
structure, code, checks = None, [], []
for line in open (sys.argv[1]):
    if match := re.match (r"struct (\w+)  /\* bytes: (\d+)", line):
        structure = match[1]
        checks.append (f"_Static_assert (sizeof (struct {structure}) == {match[2]}, \"{structure}\");")
    if structure:
        code.append (line)
    member = re.match (r".*?(?:\(\*)?(\w+)(?:\[\d+\]|\) \(.*\))?;  /\* at (\d+)", line)
    if structure and member and " : " not in line.split (";")[0]:
        checks.append (f"_Static_assert (offsetof (struct {structure}, {member[1]}) == {member[2]}, \"{member[1]}\");")
    if line.startswith ("}"):
        structure = None
print ("#include <stddef.h>\nstruct point { int x, y; };")
print ("".join (code), "\n".join (checks), sep = "")
sys.exit (len (checks) != 16)
END
  gcc -Wall -fsyntax-only check.c ||
    fail "$what: the compiler lays it out otherwise: $(cat check.c)"
done
what="all.c -flto"
gcc -O2 -w -flto "${memory[@]}" all.c -o all || fail "all.c does not compile with -flto"
profile_of all
expect "120 48 8 hot first" item key size offset bytes used goes_to
"$CABPROF" layout -d profile --svg=chart.svg &&
  python3 -c 'import sys, xml.dom.minidom as m; m.parse ("chart.svg")' || fail "the chart is no XML"
"$CABPROF" layout -d profile --html=- >page || fail "no page"
grep -q '<h2>item</h2>' page || fail "not in the page: item"
"$CABPROF" layout -d profile nothing 2>words && fail "a structure that is not there"
grep -q '^cabprof: nothing: no structure of that name was accessed: see `cabprof report layout.$' \
  words || fail "unexpected message: $(cat words)"

cat >all.cc <<'END'
#include <cstdio>
namespace ns {
struct base { virtual ~base () {} int id; };
template <typename T> struct cell : base
{
  T value; double weights[4]; cell *next; union { int i; float f; };
  static int count;
};
template <typename T> int cell<T>::count;
}
int main ()
{
  ns::cell<long> *first = nullptr;
  for (int i = 0; i < 500; i++)
    {
      auto *c = new ns::cell<long>;
      c->value = i; c->weights[i & 3] = i; c->id = i; c->next = first; c->f = 1;
      *(ns::cell<long> *volatile *) &first = c;
    }
  long s = 0;
  for (int r = 0; r < 10; r++)
    for (volatile ns::cell<long> *c = first; c; c = c->next)
      s += c->value;
  std::printf ("%ld\n", s);
}
END
cat >all.f90 <<'END'
module m
  type particle
    real(8) :: x, y, z
    integer :: id
    real(8) :: history(8)
  end type
  type(particle) :: p(1000)
contains
  subroutine scale (a)
    real(8) :: a(:, :)
    a = a * 2
  end subroutine
end module
program main
  use m
  integer :: i, k
  real(8), allocatable :: grid(:, :)
  allocate (grid(20, 20), source = 1d0)
  call scale (grid(::2, :))
  do i = 1, 1000
    p(i)%x = i; p(i)%y = 2; p(i)%z = 0; p(i)%id = i; p(i)%history(mod(i,8)+1) = 1
  end do
  do k = 1, 50
    do i = 1, 1000
      p(i)%x = p(i)%x + p(i)%y * k
    end do
  end do
  print *, p(7)%x, grid(3, 3)
end program
END
what=all.cc
g++ -O2 "${memory[@]}" all.cc -o all || fail "all.cc does not compile"
profile_of all
expect "500 5000 500 hot" cell value instances reads writes used
expect "500 cold" cell weights writes used
what=all.f90
gfortran -O1 -fno-inline "${memory[@]}" all.f90 -o all || fail "all.f90 does not compile"
profile_of all
expect "96 0 8 hot first" particle x size offset bytes used goes_to
expect "1000 cold cold" particle history writes used goes_to
expect "1000 cold" particle id writes used
# Declarations are C; structures that the compiler makes for itself, as for printing, are not
# listed.
"$CABPROF" layout -d profile particle >declared || fail "no layout of a type of Fortran"
grep -q '  double x;' declared && grep -q '  int id;' declared && grep -q '  double history\[8\];' \
  declared || fail "not as C: $(cat declared)"
[ "$("$CABPROF" report layout -d profile --format=tsv | cut -f 1 | sort -u |
  tr '\n' ' ')" = "particle type " ] ||
  fail "structures: $("$CABPROF" report layout -d profile --format=tsv | cut -f 1 | sort -u)"

# Affinity depends on the instance: x and z of one and y of another are used in the same loop; a and
# x of one instance in different loops, one after the other; elements of an array belong to the
# nearest instance.
cat >pairs.c <<'END'
#include <stdio.h>
#define N 1000
struct thing { double x, y, z, a; int many[6]; } things[N];
__attribute__ ((noipa)) static double apart (void)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += things[i].x * things[i].z + things[(i + N / 2) % N].y;
  return sum;
}
__attribute__ ((noipa)) static double one (struct thing *t) { return t->a + t->x; }
__attribute__ ((noipa)) static int element (struct thing *t, int k) { return t->y > 0 ? 0 : t->many[k]; }
int main (void)
{
  double sum = apart ();
  for (int i = 0; i < 300; i++)
    sum += one (&things[i]);
  for (int i = 0; i < 200; i++)
    sum += element (&things[i * 7 % N], i % 6);
  return sum != 0;
}
END
what=pairs.c
gcc -O1 "${memory[@]}" pairs.c -o pairs || fail "pairs.c does not compile"
rm -rf profile
CABPROF_OPTIONS=data=profile:ring=16K:chunk=2K:trace=pairs.trace ./pairs 2>errors ||
  fail "pairs fails: $(cat errors)"
"$CABPROF" layout -d profile thing | sed -n '/^Used together/,/^$/p' >words
printf '%s\n' 'Used together, in the same loops:' '  x with y: 1,000' '  x with z: 1,000' \
  '  y with z: 1,000' '  x with a: 300' '  y with many: 200' '' | cmp - words ||
  fail "not what loops say: $(cat words)"
"$CABPROF" layout -d profile --affinity=pairs.trace thing 2>errors |
  sed -n '/^Used together/,/^$/p' >words
printf '%s\n' 'Used together, in the same instance:' '  x with z: 1,000' '  x with a: 300' \
  '  y with many: 200' '' | cmp - words ||
  fail "other counts than the trace gives: $(cat words errors)"
"$CABPROF" layout -d profile --affinity=- --no-split thing <pairs.trace |
  grep -q '^Used together, in the same instance' || fail "not from standard input"
# The readable part of a trace that was cut off is used.
head -c $(($(stat -c %s pairs.trace) * 9 / 10)) pairs.trace >cut.trace
"$CABPROF" layout -d profile --affinity=cut.trace thing >words 2>errors
[ $? = 1 ] && grep -q '^Used together, in the same instance' words &&
  grep -q '^cabprof: cut.trace: at offset .*: the trace is cut off' errors ||
  fail "a trace that was cut off: $(cat words errors)"
"$CABPROF" layout -d profile --affinity=nothing thing 2>errors && fail "a trace that is not there"
grep -q '^cabprof: nothing: ' errors || fail "unexpected message: $(cat errors)"
exit 0
