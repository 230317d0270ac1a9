#!/bin/bash
# purposes.sh - `count' and `layout', which stand for several analyses, give the same reports as the
# analyses' own names: live, after a kill, and replayed.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc

cat >prog.c <<'END'
#include <signal.h>
#include <stdlib.h>
struct item { long key, rare[6]; struct item *next; };
__attribute__ ((noipa)) static struct item *make (struct item *next, long key)
{
  struct item *i = malloc (sizeof *i);
  i->key = key;
  i->next = next;
  return i;
}
__attribute__ ((noipa)) static long walk (const struct item *i)
{
  long sum = 0;
  for (; i; i = i->next)
    sum += i->key;
  return sum;
}
int main (int argc, char **argv)
{
  struct item *all = NULL;
  long sum = 0;
  for (int i = 0; i < 50; i++)
    all = make (all, i);
  for (int i = 0; i < 9; i++)
    sum += walk (all);
  if (argc > 1)
    raise (atoi (argv[1]));
  return sum != 9 * 49 * 25;
}
END
probed memory prog.c prog -O2

# alike DIR DIR REPORT...: check that both profiles have the same reports.
alike ()
{
  local a=$1 b=$2 report
  for report in "${@:3}"; do
    "$CABPROF" report "$report" -d "$a" --format=tsv >one 2>err || fail "$report of $a: $(cat err)"
    "$CABPROF" report "$report" -d "$b" --format=tsv >two 2>err || fail "$report of $b: $(cat err)"
    [ "$(wc -l <one)" -gt 1 ] || fail "$report of $a is empty"
    cmp one two || fail "$report: $a and $b differ: $(diff one two)"
  done
}

# run DIR ANALYSES OPTIONS [SIGNAL]: run the program, which is killed by SIGNAL if there is one.
run ()
{
  (CABPROF_OPTIONS=data=$1:analyses=$2:$3 setarch -R ./prog ${4-}) 2>err || [ -n "${4-}" ] ||
    fail "$1: $(cat err)"
  quiet
}

for placement in thread inline; do
  for signal in '' 9; do
    # When the process is killed, its rings hold events that the command applies, by the names in
    # the profile.
    at=$placement$signal
    run own-$at accesses+blocks placement=$placement $signal
    run layout-$at layout placement=$placement $signal
    alike own-$at layout-$at layout accesses blocks sizes
    run count-$at count placement=$placement $signal
    alike own-$at count-$at accesses sizes
    expect 1 "$CABPROF" report blocks -d count-$at; says 'no blocks were counted'
    run both-$at layout+count+blocks placement=$placement $signal
    alike own-$at both-$at layout accesses blocks
  done
done
"$CABPROF" report layout -d layout-thread --format=tsv |
  awk -F '\t' '$6 == "key" && $5 == 50 && $9 == 450 && $10 == 50 { n++ } END { exit n != 1 }' ||
  fail "not what the source says: $("$CABPROF" report layout -d layout-thread --format=tsv)"

run traced tree trace=prog.trace
for names in layout count+layout; do
  expect 0 "$CABPROF" trace replay -d again-$names --analyses=$names prog.trace; quiet
  alike own-thread again-$names layout accesses blocks
done
# A trace of such a run is replayed as it ran.
run named layout trace=named.trace
expect 0 "$CABPROF" trace replay -d again-named named.trace; quiet
alike own-thread again-named layout accesses blocks

# The runtime and the command list the same names: those of analyses in alphabetical order, then
# those of purposes.
(CABPROF_OPTIONS=data=bad:analyses=none-such ./prog) 2>err || fail "none-such: the program fails"
names=$(sed -n "s/.*analysis 'none-such' is not known: known are \(.*\); running unprofiled$/\1/p" err)
[[ $names == *', count, layout' ]] || fail "no names of purposes: $(cat err)"
tr -d ' ' <<<"${names%, count, layout}" | tr , '\n' >listed
LC_ALL=C sort -c listed && [ "$(wc -l <listed)" -ge 14 ] || fail "not in alphabetical order: $names"
for wrong in layouts count,D1=3 tree+layout,line=64; do
  (CABPROF_OPTIONS=data=bad:analyses=$wrong ./prog) 2>err || fail "$wrong: the program fails"
  grep -q "known are $names; running unprofiled" err && [ ! -e bad ] || fail "$wrong: $(cat err)"
  expect 2 "$CABPROF" trace replay -d bad --analyses=$wrong prog.trace; says "known are $names"
done
says "analysis 'layout' takes no arguments: leave them out"
