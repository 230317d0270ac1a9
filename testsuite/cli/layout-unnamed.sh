#!/bin/bash
# layout-unnamed.sh - structures, members and types without a name in the source get one in the
# report, and what is proposed compiles.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3

. "$(dirname "$0")/layout.lib"

# proposal_compiles NAME: check that the proposal for the structure NAME compiles, and has the
# layout that it states.
proposal_compiles ()
{
  "$CABPROF" layout -d profile "$1" >words || fail "$what: no layout of $1"
  python3 - words >check.c <<'END' || fail "$what: $1: nothing proposed: $(cat words)"
import re, sys
code, checks, name = [], [], None
for line in open (sys.argv[1]):
    if match := re.match (r"(typedef )?struct ?(\w*)  /\* bytes: (\d+)", line):
        name, size, members = match[2], match[3], []
        if not name and not match[1]:
            name = "nameless"   # so that one can speak of it
            line = "struct nameless\n"
    if name is None:
        continue
    code.append (line)
    plain = re.sub (r"\{.*\}", "", line)   # what has no name has members of its own
    if member := re.search (r"(?:\(\*\(\*|\(\*)(\w+)\).*;  /\* at (\d+)", plain) or re.search (r"(\w+)(?:\[\d+\])*;  /\* at (\d+)", plain):
        members.append (member.groups ())
    if line.startswith ("}"):
        name = f"struct {name}" if name else line.strip ("} ;\n")
        checks.append (f'_Static_assert (sizeof ({name}) == {size}, "{name}");')
        checks += [f'_Static_assert (offsetof ({name}, {m}) == {offset}, "{name}.{m}");' for m, offset in members if m not in ("struct", "union")]
        name = None
print ("#include <stddef.h>\nstruct known { int n; };\nenum tone { LOW, HIGH };\n" + "".join (code) + "\n".join (checks))
sys.exit (len (checks) < 6)
END
  gcc -Wall -Werror -fsyntax-only check.c 2>errors ||
    fail "$what: $1: the compiler lays it out otherwise: $(cat errors check.c)"
}

# compiles NAME: check the same, and that the proposal as arrays compiles too.
compiles ()
{
  proposal_compiles "$1"
  "$CABPROF" layout -d profile --soa "$1" | sed -n '/^struct .*arrays$/,/^}/p' >arrays
  grep -q . arrays || fail "$what: $1: no arrays"
  (echo 'struct known { int n; }; enum tone { LOW, HIGH };'; cat arrays) >arrays.c
  gcc -Wall -Werror -fsyntax-only arrays.c 2>errors ||
    fail "$what: $1: as arrays: $(cat errors arrays.c)"
}

cat >all.h <<'END'
struct known { int n; };
enum tone { LOW, HIGH };
#ifdef __cplusplus
#define SOME 2
#else
#define SOME
#endif
typedef struct
{
  long key;
  struct { int x, y; } at;
  long rare[6];
  struct { short s; } *to;
  struct { short t; } *(*table)[4];
  enum { RED, GREEN = 3, BLUE } color;
  enum tone tone;
  union { int i; float f; struct { char c, d; }; };
  const volatile struct { unsigned low : 3, high : 5; int (*act) (int, struct known *, ...); } flags;
  int (*(*way) (void)) (struct known, double[3]);
  struct { int many; char text[SOME]; } *tail;
  struct { long a; char pad[40]; struct { long b[1]; } b; } inner[3];
} item;
END
cat >all.c <<'END'
#include <stdlib.h>
#include "all.h"
#ifdef __cplusplus
#define IN(name) item::name
#else
#define IN(name) name
#endif
static volatile struct { long hits; char rare[50]; long misses; } counts[500];
static item *items;
int main (void)
{
  volatile item *v = items = calloc (500, sizeof *items);
  for (int i = 0; i < 500; i++)
    {
      v[i].rare[2] = i; v[i].color = IN (BLUE); v[i].tone = HIGH;
      v[i].to = 0; v[i].table = 0; v[i].way = 0; v[i].tail = 0;
    }
  for (int r = 0; r < 20; r++)
    for (int i = 0; i < 500; i++)
      {
	v[i].key += v[i].at.y + v[i].i + v[i].flags.low;
	v[i].inner[r % 3].b.b[0] += v[i].d;
	counts[i].hits++;
	counts[i].misses++;
      }
  return v[3].key != 0;
}
END
sed 's/calloc (/(item *) calloc (/; s/(\*act) (int, struct known \*, ...)/(*act) (int)/' \
  all.c >all.cc
for build in "gcc -O0 all.c" "gcc -O2 all.c" "g++ -O2 all.cc"; do
  what=$build
  $build -w "${memory[@]}" -o all || fail "$what: does not compile"
  profile_of all
  expect "296 500 0 20001 hot" item key size instances offset accesses used
  expect "8 8 10000 0" item at offset bytes reads writes
  expect "88 4 20000" item "{i, f, c, ...}" offset bytes reads
  expect "4 0 500" item color bytes reads writes
  expect "56 48 8 10000 10000 hot" "{all.h:21}" b size offset bytes reads writes used
  expect "72 0 8 20000" "{${build##* }:8}" hits size offset bytes accesses
  [ "$(tail -n +2 table | cut -f1 | sort -u | wc -l)" = 3 ] ||
    fail "$what: not three structures: $(cat table)"
  compiles item
  compiles '{all.h:21}'
  grep -q '^  struct { long int b\[1\]; } \*b;' arrays ||
    fail "$what: not a pointer to what has braces: $(cat arrays)"
  compiles "{${build##* }:8}"
  "$CABPROF" layout -d profile item | grep -q "^typedef struct  /" ||
    fail "$what: not as the source has it"
done

# The link knows only structures with a name; for others it knows what is inside them.
what="gcc -flto"
gcc -O2 -w -flto "${memory[@]}" all.c -o all || fail "$what: does not compile"
profile_of all
expect "296 500 0 20001 hot" item key size instances offset accesses used
[ "$(tail -n +2 table | cut -f1 | sort -u)" = item ] || fail "$what: what has no name: $(cat table)"
proposal_compiles item   \
  # arrays would not save enough: it is not known here that `inner' has structures

# Types are pointers to members, and the captures of lambda expressions.
cat >members.cc <<'END'
#include <stdlib.h>
struct S { int a; int f (double) { return 1; } };
struct T { long pad[9]; int (S::*method) (double); int S::*member; int &r; long key; };
int main (int argc, char **)
{
  int x = 3;
  S s { 4 };
  T *volatile t = (T *) malloc (sizeof *t);
  auto any = [&s, x] (auto k) { return s.a + x + k; };
  auto use = [&s, &t, x, any] (int k) { return (s.*t->method) (k) + s.*t->member + x + any (k); };
  new (t) T { { 1 }, &S::f, &S::a, x, argc };
  for (volatile int i = 0; i < 100; i++)
    t->key += use (argc);
  return t->key == 0;
}
END
for build in "g++ -O0" "g++ -O2" "g++ -O0 -flto"; do
  what="$build members.cc"
  $build -w -include new "${memory[@]}" members.cc -o all || fail "$what: does not compile"
  profile_of all
  strings all | grep -qP '^m\t72\t16\t8\t-\tmethod\tint \(S::\*method\) \(double\)$' ||
    fail "$what: wrong pointer to a function"
  strings all | grep -qP '^m\t88\t8\t8\t-\tmember\tint S::\*member$' ||
    fail "$what: wrong pointer to a member"
  tail -n +2 table | cut -f1 | grep -q '{' && fail "$what: what is captured: $(cat table)"
done

# The structure that OpenMP's threads share is the compiler's, and is called so.
cat >omp.c <<'END'
#include <stdlib.h>
struct node { long key, pad[9]; } nd;
int main (int argc, char **argv)
{
  long sum = 0, x = argc, *arr = calloc (100, 8);
#pragma omp parallel for shared(x, nd, arr) reduction(+:sum)
  for (int i = 0; i < 100; i++)
    {
      arr[i] += x;
      sum += arr[i] + nd.key;
    }
  return sum == 0;
}
END
cat >omp.f90 <<'END'
program p
  real :: a(100), s
  integer :: i
  s = 0
  a = 1
  !$omp parallel do shared(a) reduction(+:s)
  do i = 1, 100
    a(i) = a(i) + i
    s = s + a(i)
  end do
  print *, s
end program
END
for build in "gcc -O2 omp.c" "gcc -O0 omp.c" "gfortran -O2 omp.f90"; do
  what=$build
  $build -w -fopenmp "${memory[@]}" -o all || fail "$what: does not compile"
  profile_of all
  tail -n +2 table | cut -f1 | grep -v '^node$' &&
    fail "$what: a structure of the compiler's: $(cat table)"
  "$CABPROF" report accesses -d profile --format=tsv | cut -f1 >names
  grep -q '^\.omp_data_[si].*\(arr\|a\)$\|^\*\?\.omp_data' names ||
    fail "$what: not what is shared: $(cat names)"
  grep -qx '?' names && fail "$what: without a name: $(cat names)"
done

# Proposals for unusual types compile, and have the size that they state.
cat >odd.c <<'END'
#include <stdlib.h>
enum tone { LOW, HIGH };
typedef long arr_t[3];
typedef struct
{
  long key;
  const enum tone ct;
  enum { A, B } x, y;
  enum { C0, C1 } c0 : 2, c1 : 3;
  struct { int a : 5, b : 32, c : 1; } bits;
  union { int i; char data[0]; } u;
  struct { int a; int z[0]; int b; } z;
  _Atomic int at; _Atomic long *p; volatile _Atomic int w; int *_Atomic ap;
  _Complex double cd;
  float v __attribute__((vector_size(16)));
  const arr_t car; const arr_t *cpar;
  struct { char a; int b; } __attribute__ ((packed)) pu;
  struct { char a; } __attribute__ ((aligned (32))) al;
  struct { char c; _Alignas (16) int d; } am;
  enum __attribute__ ((packed)) { P1, P2 } ep;
  enum { UL = 0xffffffffffffffffULL } ul;
  enum { NEG = -3, ZERO = 0, BIG = 70000 } neg;
  struct { struct { struct { struct { struct { struct { struct { struct { struct { int i; } i; } h; } g; } f; } e; } d; } c; } b; } deep;
  int : 4; int b4 : 4;
  long rare[20];
  struct { int n; } tail[0];
} item;
item *volatile items[500];
int main (int argc, char **argv)
{
  for (int i = 0; i < 500; i++)
    items[i] = aligned_alloc (64, sizeof (item) + 63 & -64);
  for (int r = 0; r < 20; r++)
    for (int i = 0; i < 500; i++)
      {
	volatile item *t = items[i];
	t->key += t->b4 + t->w + t->deep.b.c.d.e.f.g.h.i.i + t->neg + t->pu.b + t->al.a + t->am.d + t->x;
      }
  return 0;
}
END
for build in "gcc -O2" "gcc -O2 -flto"; do
  what="$build odd.c"
  $build -w "${memory[@]}" odd.c -o all || fail "$what: does not compile"
  profile_of all
  "$CABPROF" layout -d profile item | sed -n '/^struct item_cold/,/^} item;$/p' >proposed
  (
    echo 'enum tone { LOW, HIGH }; typedef long arr_t[3];'
    cat proposed
    sed -n 's/^struct item_cold .*bytes: \([0-9]*\).*/_Static_assert (sizeof (struct item_cold) == \1, "cold");/p
	    s/^typedef struct .*bytes: \([0-9]*\).*/_Static_assert (sizeof (item) == \1, "item");/p' proposed
  ) >check.c
  gcc -fsyntax-only check.c 2>errors && [ "$(grep -c Static_assert check.c)" = 2 ] ||
    fail "$what: $(cat errors check.c)"
done

# Two structures on one line are kept apart.
cat >two.c <<'END'
static volatile struct { long m, n; } one[4]; static volatile struct { long m, n; } other[4];
int main (void) { for (int i = 0; i < 4; i++) one[i].m = other[i].n = i; return 0; }
END
what=two.c
gcc -O2 "${memory[@]}" two.c -o all || fail "$what: does not compile"
profile_of all
[ "$(grep -c '{two.c:1}.*	m	' table)" = 2 ] || fail "$what: $(cat table)"
true
