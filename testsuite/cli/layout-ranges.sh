#!/bin/bash
# layout-ranges.sh - members that only ranges access (strings, memset, memcpy of one member) have
# these counts, copies of a whole count for no member, and uses out of sight are called unseen: no
# report says "never", and a split says how much of it depends on that.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

. "$(dirname "$0")/layout.lib"

cat >ranges.c <<'END'
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rec
{
  long key; char tag[16]; char buf[64]; int n; struct { int a, b; } in; double d[4]; char shown[24]; int given; short parts[8]; struct { int a, b; } other; long last;
};
struct tail { int n; char text[]; };
struct cell { int x, y; };
struct box { long first; struct cell cells[10]; long last; };
static struct rec fixed[10];
static struct box box;
__attribute__ ((noipa)) static void
fill (struct rec *r, long i, const void *from)
{
  r->key = i;
  if (i % 100 == 0)
    memset (r->buf, 0, sizeof r->buf);
  memcpy (r->d, from, sizeof r->d);
  memcpy (&r->in, from, sizeof r->in);
  memset (r->parts, 0, i % 16 + 1);
}
__attribute__ ((noipa)) static void name (struct rec *r, const char *s) { strcpy (r->tag, s); }
__attribute__ ((noipa)) static size_t length (struct rec *r) { return strlen (r->tag); }
__attribute__ ((noipa)) static long far (struct rec *r) { return r->key + r->last; }
__attribute__ ((noipa)) static void two (struct rec *r) { memset (&r->n, 0, offsetof (struct rec, d) - offsetof (struct rec, n)); }
__attribute__ ((noipa)) static void whole (struct rec *to, const struct rec *from, size_t n) { memcpy (to, from, n * sizeof *to); }
__attribute__ ((noipa)) static void end (struct tail *t, const char *s) { t->n++; strcpy (t->text, s); }
__attribute__ ((noipa)) static void
cells (void)
{
  box.first++;
  memset (box.cells, 0, sizeof box.cells);
  memset (&box.cells[3], 0, 5 * sizeof *box.cells);
}
int main (void)
{
  static double from[4];
  struct rec *v = calloc (100, sizeof *v);
  struct tail *t = malloc (sizeof *t + 20);
  size_t sum = 0;
  for (int i = 0; i < 1000; i++)
    {
      fill (&v[i % 100], i, from);
      name (&v[i % 100], "abc");
      sum += length (&v[i % 100]);
      for (int k = 0; k < 3; k++)
	sum += far (&v[i % 100]);
    }
  t->n = 0;
  for (int i = 0; i < 50; i++)
    two (&fixed[i % 10]), end (t, "some text"), cells ();
  for (int i = 0; i < 20; i++)
    whole (fixed, v, 10);
  snprintf (v->shown, sizeof v->shown, "%zu", sum);
  sscanf ("3", "%d", &v->given);
  puts (v->shown);
  return 0;
}
END
for flags in -O0 -O2 "-O2 -flto"; do
  what="ranges.c $flags"
  gcc $flags -w "${memory[@]}" ranges.c -o ranges || fail "ranges.c does not compile"
  profile_of ranges
  expect "1000 1000 hot" rec tag reads writes used
  expect "0 10" rec buf reads writes
  expect "0 1000" rec d reads writes
  expect "0 50" rec n reads writes       # by a range that covers two members
  expect "0 1050" rec in reads writes
  expect "0 1000" rec parts reads writes
  expect "0 unseen" rec other accesses used
  expect "50" tail text writes
  expect "0 nested" box cells accesses used   # cells that are copied whole
  # No event records what snprintf and sscanf do.
  expect "0 unseen" rec shown accesses used
  expect "0 unseen" rec given accesses used
  "$CABPROF" layout -d profile rec >words || fail "no layout"
  grep -q never words && fail "$what: never: $(cat words)"
  grep -q '^unseen: ' words || fail "$what: not what unseen means: $(cat words)"
  grep -q '^  char shown\[24\];  /\* at [0-9]*, accesses: none seen \*/$' words ||
    fail "$what: not none seen: $(cat words)"
  grep -q '^Proposed: split: .*; 36 of these are of unseen members: look whether they are used$' \
    words || fail "$what: the split hides what it rests on: $(cat words)"
  "$CABPROF" report layout -d profile | grep -q '^(unseen: ' ||
    fail "$what: the report does not say what unseen means"
  "$CABPROF" layout -d profile --html=- | grep -q '^<p>unseen: ' ||
    fail "$what: the page does not say what unseen means"
done

cat >unseen.cc <<'END'
#include <cstdio>
struct text { char bytes[40]; text (); void add (int c); int n; };
text::text () : bytes (), n (0) {}
void __attribute__ ((noinline)) text::add (int c) { bytes[n++ % 40] = c; }
struct config { long hits; text name; long last; };
int main ()
{
  config *c = new config[500];
  for (int i = 0; i < 1000; i++)
    c[i % 500].hits++, c[i % 500].name.add (i), c[i % 500].last = i;
  std::printf ("%ld\n", c[3].hits + c[4].last);
}
END
what=unseen.cc
g++ -O1 -fno-inline "${memory[@]}" unseen.cc -o unseen || fail "unseen.cc does not compile"
profile_of unseen
expect "0 unseen" config name accesses used
expect "hot" text n used
"$CABPROF" layout -d profile config | grep -q '; 44 of these are of unseen members' ||
  fail "a split that rests on an unseen member: $("$CABPROF" layout -d profile config)"
# Where nothing is unseen, the report does not mention it.
"$CABPROF" layout -d profile text | grep -E "^unseen|of unseen" && fail "what was seen is unseen"
exit 0
