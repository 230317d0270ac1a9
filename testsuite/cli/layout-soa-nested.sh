#!/bin/bash
# layout-soa-nested.sh - structures of arrays are predicted as the changed program has them, for
# structures in other structures, in arrays of arrays, and on the stack.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3
. "$(dirname "$0")/layout-soa.lib"
# All data fits into the last level; in a smaller one, the lines that meet in a set would depend on
# where the system puts the heap.
caches=(--D1=32K,8,64 --LL=4M,16,64)

# Elements are in blocks, in variables, alone and in arrays, and in an array of arrays; the changed
# program uses the declaration as printed.
cat >nested.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define N 500
#ifdef CHANGED
struct cell;
#include "nested.h"
#define OF(o, i, member) (o).of.member[i]
#define IN(o, i, j, member) (o).in.value_weight[i][j].member
#else
struct cell { double key; char name[39]; char tag; float value, weight; };
struct box { int n; struct cell of[9]; double z; };
struct square { struct cell in[40][50]; char end; };
#define OF(o, i, member) (o).of[i].member
#define IN(o, i, j, member) (o).in[i][j].member
#endif
static struct box *heap, *alone, boxes[N];
static struct square square;
__attribute__ ((noipa)) static double keys (struct box *b, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 9; k++)
      s += OF (b[i], k, key);
  return s;
}
__attribute__ ((noipa)) static double tags (int to)
{
  int s = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 9; k++)
      s += OF (boxes[i], k, tag) += to;
  return s;
}
__attribute__ ((noipa)) static double both (void)
{
  double s = 0;
  for (int i = 0; i < 40; i++)
    for (int k = 0; k < 50; k++)
      s += IN (square, i, k, value) * IN (square, i, k, weight);
  return s;
}
__attribute__ ((noipa)) static void fill (struct box *b, int n)
{
  for (int i = 0; i < n; i++)
    {
      b[i].n = i;
      b[i].z = 1;
      for (int k = 0; k < 9; k++)
	OF (b[i], k, key) = i * k, OF (b[i], k, name[k]) = k;
    }
}
int main (void)
{
  double s = 0;
  heap = malloc (N * sizeof *heap);
  alone = malloc (sizeof *alone);
  fill (heap, N);
  fill (boxes, N);
  fill (alone, 1);
  for (int i = 0; i < 2000; i++)
    IN (square, i / 50, i % 50, value) = i, IN (square, i / 50, i % 50, weight) = 2;
  for (int r = 0; r < 10; r++)
    s += keys (heap, N) + keys (alone, 1) + tags (r) + both () + heap[r].n + boxes[r].z + ++square.end;
  printf ("%g\n", s);
  return 0;
}
END
traced nested nested.c
"$CABPROF" layout -d nested.data --soa cell >words || fail "no layout with --soa"
sed -e '1,/^As a structure of arrays/d' -e '/^Saves: /d' words >nested.h
grep -q '^/\* a\.of\[i\]\.key is now a\.of\.key\[i\]\. \*/$' words ||
  fail "wrong account of the uses of an access in box: $(cat words)"
grep -q '^    char name\[40\]\[50\]\[39\];  /\* bytes of each: 39 \*/$' words ||
  fail "not the dimensions of an array of arrays: $(cat words)"
# The compiler gives each declared member the offset and the size that the report says.
python3 - nested.h >sizes.c <<'END' || fail "not to be read: $(cat nested.h)"
import re, sys
print ('#include <stddef.h>\nstruct cell;\n#include "nested.h"')
outer, n, pending = None, 0, []
for line in open (sys.argv[1]):
    if match := re.match (r"struct (\w+)  /\* bytes: (\d+)", line):
        outer = match[1]
        print (f'_Static_assert (sizeof (struct {outer}) == {match[2]}, "{outer}");')
        n += 1
    elif outer and (match := re.match (r"  struct  /\* at (\d+), bytes: (\d+)", line)):
        pending.append (match)
    elif outer and (match := re.match (r"  } (\w+);", line)):
        at, bytes = pending.pop ().groups ()
        print (f'_Static_assert (offsetof (struct {outer}, {match[1]}) == {at} && sizeof (((struct {outer} *) 0)->{match[1]}) == {bytes}, "{match[1]}");')
        n += 1
    elif outer and (match := re.match (r"  \w+ (\w+);  /\* at (\d+)", line)):
        print (f'_Static_assert (offsetof (struct {outer}, {match[1]}) == {match[2]}, "{match[1]}");')
        n += 1
sys.exit (n != 7)
END
gcc -Wall -Wno-unused -fsyntax-only sizes.c ||
  fail "the compiler lays it out otherwise: $(cat nested.h)"
check nested nested.c 4 cell
[ ! -s nested.words ] || fail "words where all instances are in arrays: $(cat nested.words)"
"$CABPROF" layout -d nested.data --soa --html=- cell >page && grep -q '^struct square ' page ||
  fail "not in the page"
# The structures that hold them are left unchanged unless they are named.
"$CABPROF" layout -d nested.data --soa box >words || fail "no layout of box"
grep -q 'key\[' words && fail "cells are changed, though only boxes are asked for: $(cat words)"

# The plugin records local variables on request: one is filled by other functions, one belongs to an
# activation that exists several times.
cat >local.c <<'END'
#include <stdio.h>
#define N 1500
#ifdef CHANGED
struct cells { double key[N]; char name[N][40]; double value[N]; long id[N]; };
#define KEY(c, i) (c)->key[i]
#define NAME(c, i) (c)->name[i]
#define VALUE(c, i) (c)->value[i]
#define ID(c, i) (c)->id[i]
#define DECLARE(c) struct cells own; struct cells *c = &own
#else
struct cell { double key; char name[40]; double value; long id; };
#define cells cell
#define KEY(c, i) c[i].key
#define NAME(c, i) c[i].name
#define VALUE(c, i) c[i].value
#define ID(c, i) c[i].id
#define DECLARE(c) struct cell own[N]; struct cell *c = own
#endif
__attribute__ ((noipa)) static void fill (struct cells *c, int n)
{
  for (int i = 0; i < n; i++)
    KEY (c, i) = i, NAME (c, i)[i % 40] = i, VALUE (c, i) = 1, ID (c, i) = i * 3;
}
__attribute__ ((noipa)) static double keys (struct cells *c) { double s = 0; for (int i = 0; i < N; i++) s += KEY (c, i); return s; }
__attribute__ ((noipa)) static double values (struct cells *c) { double s = 0; for (int i = 0; i < N; i++) s += VALUE (c, i); return s; }
__attribute__ ((noipa)) static long ids (struct cells *c) { long s = 0; for (int i = 0; i < N; i++) s ^= ID (c, i); return s; }
__attribute__ ((noipa)) static double once (int rounds)
{
  double s = 0;
  DECLARE (c);
  fill (c, N);
  for (int r = 0; r < rounds; r++)
    s += keys (c) + values (c) + ids (c);
  return s;
}
__attribute__ ((noipa)) static double deeper (int n)
{
  DECLARE (c);
  fill (c, N);
  double s = n ? deeper (n - 1) : 0;
  for (int r = 0; r < 4; r++)
    s += keys (c) + ids (c);
  return s;
}
int main (void)
{
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += once (6);
  printf ("%g\n", s + deeper (3));
  return 0;
}
END
memory=(-fplugin-arg-cabprof-locals)
check local local.c 4 cell
[ ! -s local.words ] || fail "words where all instances are on the stack: $(cat local.words)"
"$CABPROF" trace filter local.trace | "$CABPROF" layout -d local.data --soa --try=- "${caches[@]}" \
  --format=tsv cell >table 2>words || fail "no trial of rows"
cmp table local.table || fail "rows have local variables, too: $(cat table words)"
exit 0
