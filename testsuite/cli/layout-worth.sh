#!/bin/bash
# layout-worth.sh - a layout is proposed only where it can save something: not for a structure with
# one instance, with few accesses, or without known instances; the report says what is saved, and a
# simulated cache never saves more.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
. "$(dirname "$0")/layout.lib"

cat >worth.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct globals { long hits; char names[4000]; long misses; char log[9000]; long errors; };
struct parser { long token; char text[800]; long line; char rest[300]; long depth; };
struct state { long low; char window[60000]; long high; };
struct rare { char a; long b; char c; long d; char e; };
struct item { long key; char name[112]; struct item *next; };
typedef struct item item_t;
typedef struct { char a; long b; char c; long d; char e; } padded;
struct cell { long x; char text[56]; long y; };
struct grid { int n; struct cell cells[600]; };
struct slack { char a; long b; char c; long d[11]; };
static struct globals globals;
static item_t items[50], *first;
static padded paddeds[1000];
static struct { long m; char pad[120]; long n; } unnamed[300];
static struct grid grid;
static struct slack slacks[500];
static struct rare rares[4];
/* The program has its own allocator, as interpreters do, so no call names a type. */
__attribute__ ((noipa)) static void *get (size_t bytes) { return calloc (1, bytes); }
__attribute__ ((noipa)) static void step (volatile struct parser *p, volatile struct state *s)
{
  p->token++, p->line++, p->depth++, s->low++, s->high++;
  globals.hits++, globals.misses++, globals.errors++;
}
int main (void)
{
  struct parser parser = { 0 };
  struct state *state = get (sizeof *state);
  for (int i = 0; i < 1000; i++)
    {
      struct item *n = malloc (sizeof *n);
      n->key = i, n->name[i % 100] = i, n->next = first, first = n;
      step (&parser, state);
    }
  long sum = 0;
  for (int r = 0; r < 50; r++)
    for (volatile struct item *n = first; n; n = n->next)
      sum += n->key;
  for (volatile item_t *n = items; n < items + 50; n++)
    n->key++;
  for (int r = 0; r < 20; r++)
    {
      for (volatile padded *p = paddeds; p < paddeds + 1000; p++)
	p->a++, p->b++, p->c++, p->d++, p->e++;
      for (int i = 0; i < 300; i++)
	((volatile long *) &unnamed[i].m)[0]++, sum += unnamed[i].n;
      for (volatile struct cell *c = grid.cells; c < grid.cells + 600; c++)
	c->x++, c->y++;
      for (volatile struct slack *s = slacks; s < slacks + 500; s++)
	{
	  s->a++, s->b++, s->c++;
	  for (int i = 0; i < 11; i++)
	    s->d[i]++;
	}
      grid.n++;
    }
  for (volatile struct rare *r = rares; r < rares + 4; r++)
    r->a++, r->b++;
  printf ("%ld %ld\n", sum, globals.hits + parser.token + state->low);
  return 0;
}
END
what=worth.c
gcc -O1 "${memory[@]}" worth.c -o worth || fail "worth.c does not compile"
rm -rf profile
CABPROF_OPTIONS=data=profile:analyses=layout:trace=worth.trace ./worth >output 2>errors ||
  fail "worth fails: $(cat errors)"
"$CABPROF" report layout -d profile --format=tsv >table || fail "no report"
expect "stays one known instance -" globals hits goes_to advice saved_bytes
expect "stays instances not known" parser token goes_to advice
expect "stays instances not known" state low goes_to advice
expect "few few accesses" rare a used advice
expect "split 1000" item key advice instances
expect "another order" padded a advice
expect "16000" padded a saved_bytes   # 1,000 times, 40 bytes become 24
expect "split" cell x advice          # known by the array that `grid' has
expect "stays saves little" slack a goes_to advice
[ "$(awk -F '\t' '$1 ~ /^{worth.c:/ && $6 == "m" { print $16 }' table)" = split ] ||
  fail "not the variable whose type has no name: $(cat table)"

# In a table for people, the advice appears once, in words, where the command prints it.
"$CABPROF" report layout -d profile | grep -c '^item .* split ' >once
[ "$(cat once)" = 1 ] || fail "the advice is repeated: $("$CABPROF" report layout -d profile)"
"$CABPROF" layout -d profile globals >words || fail "no layout"
grep -q '^Proposed: stays as it is: one known instance$' words && grep -q 'affinity=TRACE counts' \
  words && ! grep -q '_cold' words ||
  fail "not why nothing is proposed: $(cat words)"

# A trace counts instances, including those that no allocation names.
"$CABPROF" layout -d profile --affinity=worth.trace state parser >words 2>errors ||
  fail "no layout by a trace: $(cat errors)"
[ "$(grep -c '^Proposed: stays as it is: one instance$' words)" = 2 ] ||
  fail "not one instance: $(cat words)"
grep -q 'affinity=TRACE counts' words && fail "asks for the trace that it has: $(cat words)"

# The saving is an upper bound of what simulated caches save, and most of it is really saved.
"$CABPROF" layout -d profile item >words || fail "no layout of item"
said=$(sed -n 's/^Saves: .*in all at most \([0-9,]*\) of .*/\1/p' words | tr -d ,)
"$CABPROF" layout -d profile --try=worth.trace --D1=1K,2,64 --LL=16K,8,64 --format=tsv item >table \
  2>errors || fail "no trial: $(cat errors)"
awk -F '\t' -v said="$said" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  NR == 3 { as_it_is = $at["D1_misses"] } NR == 4 { saved = as_it_is - $at["D1_misses"] }
  END { exit !(saved <= said && saved > said / 2) }' table || fail "says $said lines: $(cat table)"
exit 0
