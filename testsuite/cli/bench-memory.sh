#!/bin/bash
# bench-memory.sh - the driver of `make bench-memory' measures two kernels and puts the figures into
# the documents. Times do not matter here; words and bytes of events per access are the same on
# every machine.
# timeout: 300
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need python3

# A build directory with the same plugin and command keeps the results of measurements by hand
# untouched.
mkdir place && ln -s "$BUILD"/* place || fail "no place"
rm -rf place/bench-memory*
run ()
{
  QUICK=1 ROUNDS=1 WITHOUT="lackey;cachegrind;valgrind none" BUILD=$TEST_DIR/place \
    "$TOP/testsuite/bench/memory/run" >out 2>&1 ||
    { cat out; fail "exit status $?"; }
}

PROGRAMS="2mm list" run
cat out
here=place/bench-memory-quick/memory.tsv
expected='cache;counted;counted, inline;not analysed;plain;stored;'
for program in 2mm list; do
  columns=$(awk -F '\t' -v p=$program '$1 == p { print $3 }' $here | sort | tr '\n' ';')
  [ "$columns" = "$expected" ] || fail "$program: columns measured: $columns"
done

# A dense product consists of a few nests; a list has one address per visit, which is predicted from
# the second walk on.
figure ()
{
  awk -F '\t' -v p="$1" -v column="$2" -v low="$3" -v high="$4" \
    '$1 == p && $3 == "plain" { found = $column > low && $column < high } END { exit !found }' $here
}
figure 2mm 8 0 0.001 || fail "2mm: words an access"
figure 2mm 9 0 0.01 || fail "2mm: bytes an access"
figure list 8 0.3 3 || fail "list: words an access"
figure list 9 0.0005 1 || fail "list: bytes an access"
grep -q 'a stored trace, bytes an access' out || fail "no goal of stored traces"
[ -z "$(find place/bench-memory-quick -name '*.trace')" ] || fail "traces were left"

# Measured rounds stay, except for those older than the build of cabprof, whose programs are
# measured again.
rounds=place/bench-memory-quick/rounds.tsv
cp $rounds first
cp $here first-figures
PROGRAMS="2mm list" run
cmp first $rounds && cmp first-figures $here ||
  fail "earlier results were measured again, or were lost"
awk -F '\t' -v OFS='\t' '$1 == "list" && $2 == "plain" { $6 = 1 } 1' first >$rounds
PROGRAMS="2mm list" run
for program in 2mm list; do
  grep "^$program" first >before
  grep "^$program" $rounds >after
  [ "$(wc -l <before)" = "$(wc -l <after)" ] || fail "$program: rounds: $(cat after)"
  same=$(cmp before after >differs && echo yes)
  [ $program = list ] || [ "$same" = yes ] || fail "$program was measured again: $(cat differs)"
  [ $program = 2mm ] || [ "$same" != yes ] || fail "$program was not measured again"
done

mkdir docs && cp "$TOP/docs/fill-figures" "$TOP/docs/figures.md" docs
docs/fill-figures $here "a machine of a test" || fail "fill-figures"
grep -q 'Measured on: a machine of a test' docs/figures.md || fail "the page has no such machine"
[ "$(sed -n '/memory: docs/,/end of memory/p' docs/figures.md | grep -c -e '^| 2mm ' -e '^| list ' \
  -e '^| geomean, affine kernels ')" = 3 ] ||
  fail "the page has no such lines: $(sed -n '/memory: docs/,/end of memory/p' docs/figures.md)"
