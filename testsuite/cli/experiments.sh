#!/bin/bash
# experiments.sh - `make experiments' writes a table, a picture and a section for an experiment; its
# counts are right whatever the machine does; a wrong name is refused, and what cannot be measured
# leaves the text as it was.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3
need_build
export BUILD=$BUILD PLACE=$PWD/place QUICK=1
experiments=$TOP/testsuite/experiments/run

# drawn NAME: check that there is a picture of NAME, and that its text has the table.
drawn ()
{
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse (sys.argv[1])' "place/$1.svg" ||
    fail "$1.svg is not XML"
  for words in '^Measured on: ' 'QUICK=1' '^| --- |'; do
    grep -q "$words" "place/$1.md" || fail "$words is not in $1.md: $(cat "place/$1.md")"
  done
  [ "$(grep -c '^| ' "place/$1.md")" -ge 4 ] || fail "$1.md has no table"
}

EXPERIMENTS=recording "$experiments" >out 2>&1 || fail "$(cat out)"
drawn recording
# An event for each access takes a word at least; the denser encodings never take more, and loops
# take next to none.  Probes make code larger.
awk -F'\t' '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { words[$1, $2] = $at["words_per_access"]; grown += $at["code_ratio"] > 1; n++ }
  END {
    split ("jacobi sort", kernels, " ")
    for (i in kernels) {
      k = kernels[i]
      if (words[k, "access"] < 1 || words[k, "block"] > words[k, "access"] ||
	  words[k, "chain"] > words[k, "block"] || words[k, "path"] > words[k, "loop"])
	exit 1
    }
    exit !(n == 10 && grown == 10 && words["jacobi", "path"] < 0.01)
  }' place/recording.tsv || fail "$(cat place/recording.tsv)"

EXPERIMENTS="rings" "$experiments" >out 2>&1 && fail "an unknown experiment passes"
grep -q 'known are queues' out || fail "$(cat out)"

# A compiler that fails: nothing is measured.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/failing-gcc
chmod +x bin/failing-gcc
cp place/recording.md before
EXPERIMENTS=recording GCC=$PWD/bin/failing-gcc "$experiments" >out 2>&1 &&
  fail "nothing measured, and status 0"
grep -q 'not measured, and left as they were: recording$' out || fail "$(cat out)"
cmp -s before place/recording.md || fail "the text has changed"
