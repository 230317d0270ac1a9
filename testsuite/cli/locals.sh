#!/bin/bash
# locals.sh - local variables reached through pointers, also from other functions, are known by name
# with the counts of the source, at each level of optimisation, in C and C++; in loops, in
# recursion, through threads, exceptions and longjmp; and the program behaves as without probes.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

memory=(-g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory)

# expect_data "BLOCKS SIZE READS WRITES TYPE" OBJECT: check its row.
expect_data ()
{
  local got
  got=$(cells table kind local object "$2" blocks size reads writes type)
  [ "$got" = "$1" ] || fail "$what, $2: '$got' instead of '$1': $(cat table)"
}

cat >all.c <<'END'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
struct point { int x, y; };
static jmp_buf back;
__attribute__ ((noipa)) static void add (volatile int *p, int n) { for (int i = 0; i < n; i++) { int old = p[i]; p[i] = old + 1; } }
__attribute__ ((noipa)) static void move (volatile struct point *p) { p->y = p->x; }
__attribute__ ((noipa)) static void leave (int *p) { add (p, 1); longjmp (back, 1); }
/* One variable lives for one round, one is declared before the loop; both are used only in it. */
__attribute__ ((noipa)) static void rounds (int n)
{
  int outer[4];
  for (int i = 0; i < n; i++)
    {
      int inner[3];
      add (inner, 3);
      add (outer, 4);
    }
}
/* Each activation has its own variable. */
__attribute__ ((noipa)) static void deeper (int n)
{
  int own[2];
  if (n)
    deeper (n - 1);
  add (own, 2);
}
/* Two variables in scopes that may share their place, and a parameter. */
__attribute__ ((noipa)) static void scopes (int argument, int n)
{
  for (int i = 0; i < n; i++)
    if (i & 1)
      {
	int odd[5];
	add (odd, 5);
      }
    else
      {
	struct point even;
	move (&even);
      }
  add (&argument, 1);
}
__attribute__ ((noipa)) static void jumps (void)
{
  int gone;
  leave (&gone);
}
int main (void)
{
  rounds (6);
  deeper (3);
  scopes (2, 8);
  for (int i = 0; i < 3; i++)
    if (!setjmp (back))
      jumps ();
  int *block = calloc (7, sizeof (int));
  add (block, 7);
  printf ("%d\n", block[6]);
  free (block);
  return 0;
}
END
for level in 0 1 2 3; do
  what="all.c -O$level"
  gcc "${memory[@]}" -fplugin-arg-cabprof-locals -O$level all.c -o all 2>build.log ||
    fail "$what: $(cat build.log)"
  CABPROF_OPTIONS=data=all-$level:trace=all-$level.trace:analyses=blocks ./all >output 2>errors ||
    fail "$what: $(cat errors)"
  [ "$(cat output)" = 1 ] || fail "$what: prints $(cat output)"
  "$CABPROF" data --format=tsv all-$level.trace >table || fail "$what: no table"
  expect_data "1 16 24 24 int[]" "outer in rounds"
  expect_data "6 72 18 18 int[]" "inner in rounds"
  expect_data "4 32 8 8 int[]" "own in deeper"
  expect_data "4 80 20 20 int[]" "odd in scopes"
  expect_data "4 32 4 4 point" "even in scopes"
  expect_data "1 4 1 1 int" "argument in scopes"
  expect_data "3 12 3 3 int" "gone in jumps"
  # The profile has the same for all blocks that ended; those left by a jump did not.
  "$CABPROF" report blocks -d all-$level --format=tsv >table || fail "$what: no report"
  got=$(for name in outer inner own odd even argument gone; do cells table file all.c callee \
    "local $name" blocks released; done | tr '\n' ' ')
  [ "$got" = "1 1 6 6 4 4 4 4 4 4 1 1 3 0 " ] || [ "$got" = "1 1 6 6 4 4 4 4 4 4 1 1 3 2 " ] ||
    fail "$what: blocks: $got: $(cat table)"
done

cat >all.cc <<'END'
#include <pthread.h>
#include <stdio.h>
struct box { int n; explicit box (int k) : n (k) {} ~box (); };
__attribute__ ((noipa)) static void add (volatile int *p) { int old = *p; *p = old + 1; }
__attribute__ ((noipa)) box::~box () { add (&n); }
__attribute__ ((noipa)) static void touch (box &b) { add (&b.n); if (b.n == 3) throw 1; }
__attribute__ ((noipa)) static void hold (int k) { box held (k); touch (held); }
static void *other (void *p) { add ((int *) p); return nullptr; }
int main ()
{
  for (int i = 0; i < 4; i++)
    try { hold (i); } catch (int) {}
  int shared = 0;
  pthread_t thread;
  pthread_create (&thread, nullptr, other, &shared);
  pthread_join (thread, nullptr);
  printf ("%d\n", shared);
}
END
for level in 0 2; do
  what="all.cc -O$level"
  g++ "${memory[@]}" -fplugin-arg-cabprof-locals -O$level all.cc -o alls -pthread 2>build.log ||
    fail "$what: $(cat build.log)"
  CABPROF_OPTIONS=data=alls-$level:trace=alls-$level.trace ./alls >output 2>errors ||
    fail "$what: $(cat errors)"
  [ "$(cat output)" = 1 ] || fail "$what: prints $(cat output)"
  "$CABPROF" data --format=tsv alls-$level.trace >table || fail "$what: no table"
  # touch makes, reads and writes each one, the test reads it, the destructor reads and writes it;
  # the constructor adds one read and one write.
  [ "$(cells table kind local object "held in hold(int)" blocks size writes \
    type)" = "4 16 12 box" ] || fail "$what: held: $(cat table)"
  [ "$(cells table kind local object "shared in main" blocks reads writes)" = "1 2 2" ] ||
    fail "$what: shared: $(cat table)"
done

# Without the option no locals are recorded; with it alone there is nothing to record.
gcc "${memory[@]}" -O1 all.c -o plain && CABPROF_OPTIONS=data=plain.data:trace=plain.trace \
  ./plain >output || fail "without the option"
"$CABPROF" data --format=tsv plain.trace | grep -q '^local' && fail "locals without the option"
gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls -fplugin-arg-cabprof-locals -c all.c \
  2>err && fail "locals without accesses"
grep -q \
  'fplugin-arg-cabprof-locals: names the variables that are accessed, but no accesses are recorded' err || fail "unexpected message: $(cat err)"
exit 0
