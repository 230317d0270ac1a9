#!/bin/bash
# reports.sh - each report of a program whose counts are known is right, in each format.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
tally cabprof.data

expect 0 "$CABPROF" report; quiet; prints 'kind'
expect 0 "$CABPROF" report methods --format=tsv; quiet
[ "$(head -n 1 out)" = $'function\tfile\tline\tcalls\tnot_returned' ] ||
  fail "methods' columns: $(head -n 1 out)"
for row in $'kind\ttally.c\t23\t60\t0' $'factorial\ttally.c\t15\t5\t0' \
  $'main\ttally.c\t39\t1\t0'; do
  grep -qxF -- "$row" out || fail "methods: no row $row: $(cat out)"
done
expect 0 "$CABPROF" report calls --format=tsv; quiet
[ "$(head -n 1 out)" = $'caller\tcallee\tfile\tline\tcount' ] ||
  fail "calls' columns: $(head -n 1 out)"
for row in $'main\tkind\ttally.c\t43\t60' $'main\tfactorial\ttally.c\t45\t1' \
  $'factorial\tfactorial\ttally.c\t19\t4' $'-\tmain\t\t0\t1'; do
  grep -qxF -- "$row" out || fail "calls: no row $row: $(cat out)"
done
expect 0 "$CABPROF" report lines --format=tsv; quiet
for row in $'tally.c\t25\t60\t0' $'tally.c\t26\t20\t0' $'tally.c\t28\t10\t0' \
  $'tally.c\t35\t0\t0'; do
  grep -qxF -- "$row" out || fail "lines: no row $row: $(cat out)"
done
# With some functions alone, a line shows their part only, even if other functions share it.
expect 0 "$CABPROF" report lines --function=kind --format=tsv; quiet
prints $'^tally.c\t25\t60\t0$'; ! grep -q $'\t43\t' out || fail "lines of kind: $(cat out)"
printf '#define BOTH(n, to) int n (int x) { int s = 0; while (x--) s += x; return s + (to); }\n%s\nint main (int c, char **v) { %s }\n' \
  'BOTH (one, 1) BOTH (two, 2)' 'return one (3 * c) + two (40 * c) < 0 || !v;' >pair.c
build pair pair.c -O0; profile pair.data ./pair
for which in 'one 1' 'two 1' 't* 1' '*o* 2'; do
  read -r glob times <<<"$which"
  expect 0 "$CABPROF" report lines -d pair.data "--function=$glob" --format=tsv; quiet
  cp out "lines.$times$glob"
done
count_of () { awk -F'\t' '$2 == 2 { print $3 }' "$1"; }
[ "$(count_of lines.1one)" -gt 1 ] && [ "$(count_of lines.1two)" -gt "$(count_of lines.1one)" ] &&
  cmp lines.1two 'lines.1t*' &&
  [ "$(count_of 'lines.2*o*')" = $(($(count_of lines.1one) + $(count_of lines.1two))) ] ||
  fail "line 2 of one, two and both: $(head lines.*)"

expect 0 "$CABPROF" report tree --format=tsv; quiet
[ "$(head -n 1 out)" = $'id\tparent\tdepth\tfunction\tcalls' ] ||
  fail "tree's columns: $(head -n 1 out)"
[ "$(grep -c $'\tfactorial\t1$' out)" = 5 ] ||
  fail "tree: recursion is not shown as it is: $(cat out)"
expect 0 "$CABPROF" report tree --fold-recursion --format=tsv; quiet
prints $'\tfactorial\t5$'
expect 0 "$CABPROF" report paths --format=tsv --function=kind; quiet
[ "$(head -n 1 out)" = $'function\tfile\tline\tpath\tcount\tshare\tlines' ] ||
  fail "paths' columns: $(head -n 1 out)"
[ "$(awk -F'\t' 'NR > 1 { n += $5 } END { print n }' out)" = 60 ] ||
  fail "paths of kind: $(cat out)"
expect 0 "$CABPROF" report edges --format=tsv; quiet
[ "$(head -n 1 out)" = $'function\tfrom_line\tto_line\tfrom_block\tto_block\tcount' ] ||
  fail "edges' columns: $(head -n 1 out)"
for report in methods calls tree paths edges lines; do
  expect 0 "$CABPROF" report $report --format=json; quiet
  python3 \
    -c 'import json, sys; d = json.load (open ("out")); assert d["schema"] == 1 and d["rows"], d' ||
    fail "$report: no such JSON"
  expect 0 "$CABPROF" report $report --limit=1; quiet
  expect 0 env COLUMNS=40 "$CABPROF" report $report; quiet
done
expect 0 "$CABPROF" info; [ -s out ] || fail "info prints nothing"

# Rows that pass no filter are told from events that did not happen; machines get a table without
# rows.
for report in methods calls tree paths edges lines; do
  expect 0 "$CABPROF" report $report --function=nobody; quiet
  prints '^\(nothing passes --function: .cabprof info --functions. lists'
  expect 0 "$CABPROF" report $report --file=nowhere.c; quiet; prints '^\(nothing passes --file: '
  expect 0 "$CABPROF" report $report --function=nobody --format=tsv; quiet
  [ "$(wc -l <out)" = 1 ] || fail "$report of nobody: $(cat out)"
done

# Without calls, or without paths, the report says what is missing.
for events in paths calls; do
  ${GCC:-gcc} -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=$events tally.c -o only ||
    fail "does not compile"
  profile only-$events ./only
done
expect 1 "$CABPROF" report tree -d only-paths; says 'no calls were recorded'
expect 1 "$CABPROF" export folded -d only-paths; says 'no calls were recorded'
for report in paths edges lines; do
  expect 1 "$CABPROF" report $report -d only-calls; says 'no paths were recorded'
done
expect 1 "$CABPROF" annotate -d only-calls; says 'no paths were recorded'
expect 1 "$CABPROF" export lcov -d only-calls; says 'no paths were recorded'
expect 0 "$CABPROF" export callgrind -d only-calls; quiet; prints '^events: Calls$'
expect 0 "$CABPROF" export callgrind -d only-paths; quiet; prints '^events: Executions Calls$'

# Paths that end at calls give the same line counts: what follows a call is counted where control
# arrives.
for cut in "" -fplugin-arg-cabprof-cut-at-calls; do
  ${GCC:-gcc} -O0 -g -fplugin="$PLUGIN" $cut tally.c -o at-calls || fail "does not compile"
  profile "cut$cut" ./at-calls 60
  expect 0 "$CABPROF" report lines -d "cut$cut" --format=tsv; quiet
  mv out "lines$cut"
done
diff lines lines-fplugin-arg-cabprof-cut-at-calls || fail "lines differ with cut-at-calls"
# At calls, only those that do not return lead to the exit.
expect 0 "$CABPROF" report edges -d cut-fplugin-arg-cabprof-cut-at-calls --function=main \
  --format=tsv; quiet
[ "$(awk -F'\t' '$5 == 1 && $6 > 0' out | wc -l)" = 1 ] ||
  fail "calls that came back are edges to the exit: $(cat out)"

# A line that was inlined counts in each function, whichever line its block ends with there.
cat >rd.h <<'END'
static inline int rd (const int *p) { return *p; }
static inline int both (const int *p)
{
  int n = rd (p);
  return n * 7 ^ n >> 3;
}
END
cat >inlined.c <<'END'
#include "rd.h"
#define FAR __attribute__ ((noipa))
FAR int f (const int *p) { return both (p); }
FAR int g (const int *p, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += rd (p + i) ^ s << 1;
  return s;
}
int main (int argc, char **argv)
{
  int n = 0;
  for (int i = 0; i < 5; i++)
    n += f (&i);
  for (int i = 0; i < 3; i++)
    n += g (&i, 1);
  return n == 0;
}
END
build inlined inlined.c -O2; profile inlined.data ./inlined
expect 0 "$CABPROF" report lines -d inlined.data --format=tsv; quiet
prints '^rd.h	1	8	0$'; prints '^rd.h	5	5	0$'

# A tree keeps the heaviest nodes and says in place what it left out; tables say what a limit
# removed.
cat >wide.c <<'END'
#define FAR __attribute__ ((noipa))
FAR void leaf (int n) { (void) n; }
FAR void seldom (int n) { leaf (n); }
FAR void often (int n) { leaf (n); leaf (n); }
FAR void chain (int n) { if (n) chain (n - 1); leaf (n); }
int main (void) { chain (200); for (int i = 0; i < 1000; i++) often (i); seldom (1); return 0; }
END
build wide wide.c -O0 -fplugin-arg-cabprof-events=calls; profile wide.data ./wide
expect 0 "$CABPROF" report tree -d wide.data --limit=4; quiet
for row in ' 3,405  100.0%      1  main' ' 3,000   88.1%  1,000    often' \
  ' 2,000   58.7%  2,000      leaf' '   402   11.8%      1    chain' \
  '   401   11.8%    401      (401 more below, 11.8 %)' \
  '     2    0.1%      2    (2 more below, 0.1 %)' 'total              3,405'; do
  grep -qF -- "$row" out || fail "the tree has no row $row: $(cat out)"
done
prints '^\(403 more, 11.8 % of the total: --limit=0 shows all\)'
# A single row is shown, since one that says so would take its place.
expect 0 "$CABPROF" report tree -d wide.data --limit=2; quiet
prints '2,000 +58.7% +2,000 +leaf'; prints '\(404 more below, 11.9 %\)'
expect 0 "$CABPROF" report tree -d wide.data --limit=1; quiet
prints '^\(406 more, 100.0 % of the total: --limit=0 shows all\)'
expect 0 "$CABPROF" report tree -d wide.data --limit=0; quiet
[ "$(grep -c 'chain$' out)" = 201 ] || fail "--limit=0 prunes"
expect 0 "$CABPROF" report methods -d wide.data --limit=1; quiet
prints '^\(4 more, 35.3 % of the total: --limit=0 shows all\)'
