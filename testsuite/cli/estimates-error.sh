#!/bin/bash
# estimates-error.sh - what sample=PERCENT estimates is hardly more wrong than what bursts of the
# same size and number would give that are drawn at random from all events of the same program.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The program calls 90 functions, rare ones and frequent ones, and each some times in a row, as
# programs do; it pauses, so that what it sends is read in time also by the only processor.  A run
# that could not read what it was to read, on a busy machine, does not count.
. "$(dirname "$0")/cli.sh"
need python3

cat >work.c <<'C'
#include <stdlib.h>
#include <unistd.h>
static unsigned state = 1;
__attribute__ ((noipa)) static unsigned
draw (unsigned n) { return (state = state * 1664525 + 1013904223) / 65536 % n; }
#define F(n) __attribute__ ((noipa)) static int f##n (int x) { return x + n; }
#define T(m, a) m (a##0) m (a##1) m (a##2) m (a##3) m (a##4) m (a##5) m (a##6) m (a##7) m (a##8) m (a##9)
T (F, 1) T (F, 2) T (F, 3) T (F, 4) T (F, 5) T (F, 6) T (F, 7) T (F, 8) T (F, 9)
#define C(n) case n - 10: sum += f##n (sum); break;
int
main (int n_arguments, char **arguments)
{
  int n = n_arguments > 2 ? atoi (arguments[1]) : 0, sum = 0;
  state = n ? atoi (arguments[2]) : 1;
  for (int i = 0; i < n; i++)
    {
      unsigned k = 90;
      if (i % 256 == 0)
	usleep (500);
      for (int j = 0; j < 4; j++)
	k = draw (k + 1);
      for (int r = draw (20); r >= 0; r--)
	switch (k)
	  {
	    T (C, 1) T (C, 2) T (C, 3) T (C, 4) T (C, 5) T (C, 6) T (C, 7) T (C, 8) T (C, 9)
	  }
    }
  return 0;
}
C
probed calls work.c work -O1 -fplugin-arg-cabprof-ring=cab
gcc -O2 -shared -fPIC -I "$TOP/include" "$TOP/testsuite/experiments/drawn.c" -o drawn.so -lm ||
  fail "drawn.c"

PYTHONPATH=$TOP/testsuite:$TOP/testsuite/bench:$TOP/testsuite/experiments BUILD=$BUILD \
  CABPROF_ANALYSES=$PWD python3 - >out 2>&1 <<'end'
import os, shutil, statistics, subprocess, sys
import lib
from rates import DRAWN_NAMES, NAMES, error, overlap, sums

RATE, WANTED, MOST, NEAR = 0.1, 24, 100, 1.2

def profile(seed, options):
    """Run the program, whose calls depend on SEED, and return its counts and the account."""
    shutil.rmtree("profile", ignore_errors=True)
    subprocess.run(["./work", "30000", str(seed)], check=True,
                   env=dict(os.environ, CABPROF_OPTIONS="data=profile:" + options))
    return (sums(lib.table("profile", "calls"), NAMES["calls"], "count"),
            {row["item"]: int(row["count"]) for row in lib.table("profile", "account")})

def wrong(true, one):
    """Return the error of an estimate, and how far it is from a full overlap."""
    return error(true, one), 1 - overlap(true, one)

found = {"read": [], "bursts": [], "events": []}
for seed in range(MOST):
    some, items = profile(seed, "sample=%g%%:analyses=calls" % (100 * RATE))
    true, all_items = profile(seed, "analyses=calls+drawn,burst=8,rates=%d" % (1e6 * RATE))
    if items["events_analysed"] < 0.95 * RATE * all_items["events_sent"]:
        continue
    rows = lib.table("profile", "drawn")
    true_drawn = sums(rows, DRAWN_NAMES["calls"], "count")
    assert sorted(true_drawn.values()) == sorted(true.values()), "the counts differ"
    found["read"].append(wrong(true, some))
    for kind in "bursts", "events":
        drawn = [sums(rows, DRAWN_NAMES["calls"], name) for name in rows[0]
                 if name.startswith(kind)]
        for one in drawn:
            assert abs(sum(one.values()) / sum(true.values()) - 1) < 0.1, "does not add up"
        found[kind] += [wrong(true_drawn, one) for one in drawn]
    if len(found["read"]) == WANTED:
        break
means = {kind: [statistics.mean(column) for column in zip(*of)] for kind, of in found.items()}
print("of %d runs: %s" % (len(found["read"]), means))
if len(found["read"]) < WANTED:
    sys.exit(77)
for mine, drawn in zip(means["read"], means["bursts"]):
    assert mine <= NEAR * drawn, "worse than bursts at random"
# Bursts of calls of one function tell less than as many single events.
assert means["events"][1] < means["bursts"][1], "single events are no better"
end
case $? in
  0) exit 0 ;;
  77) skip "the machine is too busy to read what is to be read: $(tail -n 1 out)" ;;
  *) fail "$(cat out)" ;;
esac
