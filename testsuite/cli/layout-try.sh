#!/bin/bash
# layout-try.sh - what is predicted of a proposed layout, against the program that was really changed so: misses in the same caches, within 10 %,
# and in the same direction; of a list in blocks among others, and of arrays, one in a block, one static.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

caches=(--D1=32K,8,64 --LL=256K,16,64)

# traced PROGRAM FLAG...: from its source, run; a profile and a trace.
traced ()
{
  gcc -O2 -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory "${@:3}" "$2" -o "$1" || fail "$2 does not compile"
  CABPROF_OPTIONS=data=$1.data:analyses=accesses+blocks:trace=$1.trace "./$1" >"$1.out" 2>errors || fail "$1 fails: $(cat errors)"
}

# misses PROGRAM ROW: of the first level and the last.
misses ()
{
  "$CABPROF" layout -d "$1.data" --try="$1.trace" "${caches[@]}" --format=tsv >table || fail "$1: cannot be tried"
  awk -F'\t' -v row="$2" 'NR == row + 1 { print $3, $4 }' table
}

# check NAME: NAME.c with -DCHANGED is as proposed.
check ()
{
  local before changed same proposed
  traced "$1" "$1.c"
  traced "$1-changed" "$1.c" -DCHANGED
  cmp "$1.out" "$1-changed.out" || fail "$1: the change changes what it prints"
  before=$(misses "$1" 1) same=$(misses "$1" 2) proposed=$(misses "$1" 3) changed=$(misses "$1-changed" 1)
  echo "$before | $same | $proposed | $changed" | tr -d '|' | awk '
    function near(a, b) { return a <= 1.1 * b && b <= 1.1 * a }
    { exit !(near($1, $3) && near($2, $4) && near($5, $7) && near($6, $8) && ($5 < $3) == ($7 < $1)) }' ||
    fail "$1: misses: as it ran $before, in the model $same, predicted $proposed, of the changed program $changed"
}

cat >list.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define N 4000
#ifdef CHANGED
struct item_cold { double history[5]; char tag; char name[32]; };
struct item { struct item *next; long key; int at; struct item_cold *cold; };
#define COLD(p) (p)->cold->
#else
struct item { char tag; double history[5]; long key; int at; char name[32]; struct item *next; };
#define COLD(p) (p)->
#endif
static struct item *list, *table[N];
static unsigned seed = 1;
static unsigned next_random (void) { return seed = seed * 1103515245 + 12345, seed >> 8; }
int main (void)
{
  for (int i = 0; i < N; i++)
    {
      struct item *n = malloc (sizeof *n);
#ifdef CHANGED
      static struct item_cold *pool;
      if (!pool) pool = malloc (N * sizeof *pool);
      n->cold = &pool[i];
#endif
      char *text = malloc (20 + i % 30);
      text[0] = i;
      COLD (n) tag = i; n->key = i; n->at = i; COLD (n) name[i % 32] = 1;
      for (int k = 0; k < 5; k++) COLD (n) history[k] = k;
      table[i] = n;
    }
  for (int i = N - 1; i > 0; i--)
    {
      int k = next_random () % (i + 1);
      struct item *t = table[i]; table[i] = table[k]; table[k] = t;
    }
  for (int i = 0; i < N; i++) { table[i]->next = list; list = table[i]; }
  long sum = 0;
  for (int r = 0; r < 20; r++)
    for (struct item *n = list; n; n = n->next)
      if (n->key % 3) sum += n->at;
  for (struct item *n = list; n; n = n->next) sum += COLD (n) history[2];
  printf ("%ld\n", sum);
  return 0;
}
END
cat >arrays.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define N 3000
#ifdef CHANGED
struct cell_cold { double history[4]; char name[16]; };
struct cell { int flag; double x, w; struct cell_cold *cold; };
struct loose { char a, c; int e; long b, d; };
static struct cell_cold colds[N];
#define COLD(c) (c).cold->
#else
struct cell { int flag; double history[4]; double x; char name[16]; double w; };
struct loose { char a; long b; char c; long d; int e; };
#define COLD(c) (c).
#endif
static struct cell cells[N];
static struct loose *loose;
int main (void)
{
  loose = calloc (N, sizeof *loose);
  for (int i = 0; i < N; i++)
    {
#ifdef CHANGED
      cells[i].cold = &colds[i];
#endif
      cells[i].x = i; cells[i].w = 1; cells[i].flag = i & 1;
      COLD (cells[i]) history[i & 3] = i; COLD (cells[i]) name[i & 15] = 1;
      loose[i].a = 1, loose[i].b = 2, loose[i].c = 3, loose[i].d = 4, loose[i].e = 5;
    }
  double sum = 0;
  for (int r = 0; r < 20; r++)
    {
      for (int i = 0; i < N; i++)
	if (cells[i].flag) sum += cells[i].x * cells[i].w;
      for (int i = 0; i < N; i++)
	sum += loose[i].a + loose[i].b + loose[i].c + loose[i].d + loose[i].e;
    }
  printf ("%g\n", sum);
  return 0;
}
END
check list
check arrays

# The list gains in the first level, the arrays in both.
"$CABPROF" layout -d list.data --try=list.trace "${caches[@]}" --format=json item >json || fail "no JSON"
grep -q '"layout-try"' json || fail "not the report: $(cat json)"
"$CABPROF" layout -d list.data --format=tsv 2>words && fail "--format without --try"
grep -q 'go with --try only' words || fail "not the words: $(cat words)"
"$CABPROF" layout -d list.data --try=list.trace --D1=32K,8,63 2>words && fail "a cache with lines of 63 bytes"
grep -q '^cabprof: 32K,8,63: its lines' words || fail "not the words: $(cat words)"
echo nothing >none
"$CABPROF" layout -d list.data --try=none 2>words && fail "a trace that is none"
grep -q '^cabprof: none: ' words || fail "not the words: $(cat words)"
exit 0
