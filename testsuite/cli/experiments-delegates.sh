#!/bin/bash
# experiments-delegates.sh - what the simulation of delegates is fed with has each row once, by the
# same keys as at run time; the simulation gives the times of cases that can be told by hand;
# messages of all sizes arrive.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3
tools=$BUILD/experiments/bin

cat >sums.c <<'end'
#include <stdlib.h>
static int sums[64];
int main (int argc, char **argv)
{
  unsigned seed = 1;
  int n = atoi (argv[argc - 1]);
  for (int i = 0; i < n; i++)
    {
      seed = seed * 1664525 + 1013904223;
      sums[seed >> 26] += i;
      sums[seed >> 20 & 63] -= 1;
    }
  return 0;
}
end
probed memory+values sums.c sums -O2
expect 0 "$CABPROF" record -d traced --sample=off --quiet --options=analyses=methods \
  --trace=sums.trace -- ./sums 20000
expect 0 "$CABPROF" record -d live --sample=off --quiet \
  --options=analyses=values:delegates=3 -- ./sums 20000

# rows DELEGATES: print how many rows went to each delegate, in order.
rows ()
{
  "$tools/serving" values "$1" sums.trace >served || fail "serving $1: $?"
  awk -F'\t' '$1 == "slot" { n[$2] += $3; if ($5 < 0) exit 1 } $1 == "end" { words += $3 }
    END { for (p = 0; p < 64; p++) if (n[p]) printf "%s%d", p ? " " : "", n[p]; exit !words }' \
    served || fail "serving $1: $(head served)"
}

whole=$(rows 0)
[ "$whole" -ge 80000 ] || fail "$whole rows instead of 80000"
is "one delegate" "$(rows 1)" "$whole"
for n in 2 3 8; do
  is "$n delegates" "$(($(rows $n | tr ' ' '+')))" "$whole"
done
"$CABPROF" report delegates -d live --format=tsv >delegates.tsv || fail "report delegates: $?"
live=$(awk -F'\t' '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $at["rows"] { printf "%s%d", n++ ? " " : "", $at["rows"] }' delegates.tsv)
is "3 delegates, live" "$live" "$(rows 3)"
"$tools/serving" methods 2 sums.trace >/dev/null 2>err && fail "methods has no key, and passes"
[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"

# A chunk that is decoded at once and has four slots of 10 ns takes 40 in one thread, 20 in two, 30
# if one delegate has three of them. The program's 5 ns come first. Where decoding takes 100, it
# sets the pace.
PYTHONPATH=$TOP/testsuite:$TOP/testsuite/bench:$TOP/testsuite/experiments BUILD=$BUILD \
  python3 - >out 2>&1 <<'end' || fail "$(cat out)"
from delegates import in_line, simulate

def slots(*parts, put=0):
    return [(put, part, 10) for part in parts]

for chunks, delegates, wanted in (
        ([(8, 0, slots(0, 0, 0, 0))], 1, 45),
        ([(8, 0, slots(0, 1, 0, 1))], 2, 25),
        ([(8, 0, slots(0, 1, 0, 0))], 2, 35),
        ([(8, 100, slots(0, 1, 0, 1))], 2, 105),
        ([(8, 100, slots(0, 1, 0, 1, put=100))], 2, 125),
        ([(4, 0, slots(0, 1)), (4, 0, slots(0, 1))], 2, 22.5)):
    found = simulate(chunks, delegates, 5)
    assert found == wanted, (chunks, delegates, found, wanted)
# A fifth slot waits until the first has been fed, and what is put after it comes later.
chunks = [(8, 0, slots(0, 0, 0, 0, 0, 1))]
assert simulate(chunks, 2, 0) == 50, simulate(chunks, 2, 0)
chunks = [(8, 0, slots(0, 0, 0, 0, 0, 1, 1, 1, 1))]
assert simulate(chunks, 2, 0) == 50, simulate(chunks, 2, 0)
chunks = [(8, 0, slots(0, 0, 0, 0, 0, 1, 1, 1, 1, 1))]
assert simulate(chunks, 2, 0) == 60, simulate(chunks, 2, 0)
assert in_line([(8, 7, slots(0, 1))], 5) == 32
end

CAB_TEST_RUN=1 CABPROF_OPTIONS=data=messages:delegates=2 "$tools/message" >sent 2>err ||
  fail "message: $?: $(cat err)"
awk -F'\t' '{ n[$1 " " $2]++; bad += $3 <= 0 || $4 <= 0 || $5 < 0 || $5 > 100
    bad += $2 == "alone" && $5 != 0 }
  END { for (k in n) kinds++; exit kinds != 10 || bad }' sent || fail "$(cat sent)"
