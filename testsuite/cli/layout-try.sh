#!/bin/bash
# layout-try.sh - the prediction for a proposed layout is within 10 % of the misses of the program
# that was really changed, in the same caches and the same direction: for a list in blocks among
# others, for arrays in a block and in static memory, and for members that ranges access, with two
# levels of caches and with three.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

two=(--D1=32K,8,64 --L2=none --LL=256K,16,64)
three=(--D1=32K,8,64 --L2=96K,6,64 --LL=256K/16/64)

# traced PROGRAM FLAG...: build it from its source and run it; leave a profile and a trace.
traced ()
{
  gcc -O2 -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory "${@:3}" "$2" -o "$1" ||
    fail "$2 does not compile"
  CABPROF_OPTIONS=data=$1.data:analyses=accesses+blocks:trace=$1.trace "./$1" >"$1.out" 2>errors ||
    fail "$1 fails: $(cat errors)"
}

# misses PROGRAM ROW CACHE...: print the misses of each level, from the first to the last.
misses ()
{
  "$CABPROF" layout -d "$1.data" --try="$1.trace" "${@:3}" --format=tsv >table ||
    fail "$1: cannot be tried"
  awk -F'\t' -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == row + 1 { print $at["D1_misses"], $at["L2_misses"], $at["LL_misses"] }' table
}

# marked PROGRAM CACHE...: print the same, from the trace's rows as marked by these caches.
marked ()
{
  "$CABPROF" cache --mark --model=non-inclusive "${@:2}" "$1.trace" >rows ||
    fail "$1: cannot be marked"
  "$CABPROF" offenders --format=tsv --by=function rows |
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { d1 += $at["read_misses"] + $at["write_misses"]; ll += $at["ll_read_misses"] + $at["ll_write_misses"]
      l2 = $at["l2_read_misses"] == "-" ? "-" : l2 + $at["l2_read_misses"] + $at["l2_write_misses"] } END { print d1, l2, ll }'
}

# predicts NAME CACHE...: check that the prediction for NAME is what NAME-changed has.
predicts ()
{
  local before=$(misses "$1" 1 "${@:2}") same=$(misses "$1" 2 "${@:2}") proposed=$(misses "$1" 3 \
    "${@:2}") changed=$(misses "$1-changed" 1 "${@:2}")
  [ "$before" = "$(marked "$1" "${@:2}")" ] ||
    fail "$1: as it ran: $before, by \`cache --mark': $(marked "$1" "${@:2}")"
  echo "$before $same $proposed $changed" | awk '
    function near(a, b) { return a == b || (a <= 1.1 * b && b <= 1.1 * a) }
    { for (i = 1; i <= 3; i++) bad += !near($i, $(3 + i)) || !near($(6 + i), $(9 + i)); exit bad || ($7 < $4) != ($10 < $1) }' ||
    fail "$1: misses: as it ran $before, in the model $same, predicted $proposed, of the changed" \
    "program $changed"
}

# check NAME: check that NAME.c with -DCHANGED has the proposed layout.
check ()
{
  traced "$1" "$1.c"
  traced "$1-changed" "$1.c" -DCHANGED
  cmp "$1.out" "$1-changed.out" || fail "$1: the change changes what it prints"
  predicts "$1" "${two[@]}"
  predicts "$1" "${three[@]}"
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
      /* Sizes without a period: blocks then begin everywhere in a line, as the model has it. */
      char *text = malloc (20 + next_random () % 30);
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
# Only ranges access these members, in blocks and in a static array.
cat >ranges.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 3000
#ifdef CHANGED
struct rec_cold { char name[40], text[64]; };
struct rec { long key, next; struct rec_cold *cold; };
static struct rec_cold colds[2][N];
#define COLD(r) (r)->cold->
#else
struct rec { long key; char text[64], name[40]; long next; };
#define COLD(r) (r)->
#endif
static struct rec fixed[N];
static void __attribute__ ((noipa)) fill (struct rec *r, int i, int which)
{
#ifdef CHANGED
  r->cold = &colds[which][i];
#endif
  memset (COLD (r) text, i, sizeof (COLD (r) text));
  strcpy (COLD (r) name, "a name");
  r->key = i;
  r->next = (i + 77) % N;
}
static long __attribute__ ((noipa)) walk (struct rec *r)
{
  long sum = 0;
  for (int k = 0, i = 0; k < 20 * N; k++, i = r[i].next)
    sum += r[i].key;
  return sum;
}
int main (void)
{
  struct rec *v = calloc (N, sizeof *v);
  long sum = 0;
  for (int i = 0; i < N; i++) fill (&v[i], i, 0), fill (&fixed[i], i, 1);
  for (int i = 0; i < N; i += 3) sum += strlen (COLD (&v[i]) name) + strlen (COLD (&fixed[i]) name);
  printf ("%ld\n", sum + walk (v) + walk (fixed));
  return 0;
}
END
check list
check arrays
check ranges

# The list gains in the first level, the arrays in both.
"$CABPROF" layout -d list.data --try=list.trace --D1=32K,8,64 --LL=256K,16,64 --format=json \
  item >json || fail "no JSON"
grep -q '"layout-try"' json && [ "$(grep -cE '"L2_(misses|change)": null' json)" = 6 ] ||
  fail "wrong report: $(cat json)"
"$CABPROF" layout -d list.data --try=list.trace "${two[@]}" item >text && ! grep L2 text ||
  fail "text has a level that is not there: $(cat text)"
"$CABPROF" layout -d list.data --try=list.trace "${three[@]}" item >text &&
  grep -q 'D1 of 32768 bytes, L2 of 98304 bytes, LL of' text &&
  grep -qE 'D1_misses +L2_misses +LL_misses +D1_change +L2_change +LL_change' text ||
  fail "text lacks a level: $(cat text)"
# recommended CACHE...: print the recommended row.
recommended ()
{
  "$CABPROF" layout -d list.data --try=list.trace "$@" --format=tsv |
    awk -F'\t' '$NF == "yes" { print NR - 1 }'
}
# Pointers to cold parts cost in a D1 of one word, and only the second level gains.
[ "$(recommended --D1=8,1,8 --LL=8M,16,64) $(recommended --D1=8,1,8 --L2=256K,16,64 \
  --LL=8M,16,64)" = "2 3" ] || fail "misses of L2 do not count"
"$CABPROF" layout -d list.data --format=tsv 2>words && fail "--format without --try"
grep -q 'go with --try only' words || fail "unexpected message: $(cat words)"
"$CABPROF" layout -d list.data --try=list.trace --D1=32K,8,63 2>words &&
  fail "a cache with lines of 63 bytes"
grep -q '^cabprof: 32K,8,63: --D1 is no cache: its lines' words ||
  fail "unexpected message: $(cat words)"
"$CABPROF" layout -d list.data --try=list.trace --L2=some 2>words; [ $? = 2 ] &&
  grep -q '^cabprof: some: neither SIZE,ASSOC,LINE nor none' words || fail "L2: $(cat words)"
"$CABPROF" layout -d list.data --L2=none 2>words; [ $? = 2 ] &&
  grep -q -e '--L2.*go with --try only' words || fail "--L2 without --try: $(cat words)"
"$CABPROF" layout -d list.data --try=list.trace --D1=32K,8,64 --L2=64K,8,32 --LL=256K,8,64 2>words
[ $? = 2 ] && grep -q 'see .cabprof layout --help' words ||
  fail "an L2 of shorter lines: $(cat words)"
echo nothing >none
"$CABPROF" layout -d list.data --try=none 2>words && fail "a trace that is none"
grep -q '^cabprof: none: ' words || fail "unexpected message: $(cat words)"
exit 0
