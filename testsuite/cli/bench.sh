#!/bin/bash
# bench.sh - the part of `make bench' that measures the rings sends every event, and prints a line
# for each amount of work.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need python3
cat >measure.py <<'end'
import sys
sys.path[:0] = [sys.argv[1] + "/testsuite", sys.argv[1] + "/testsuite/bench/rings"]
import rings
added, alone = rings.measure("place", 1, 1)
rings.write("rings.tsv", added, alone)
rings.show(added, alone)
print(len(rings.medians(added, "chunk")))
end
BUILD=$BUILD python3 measure.py "$TOP" >out 2>&1 || fail "$(cat out)"
[ "$(tail -n 1 out)" = 3 ] || fail "not each amount of work has a figure: $(cat out)"
counts=$(cut -f 1 rings.tsv | sort | uniq -c | tr -s " \n" " ")
[ "$counts" = " 4 cab 4 calls 4 chunk 4 fastforward 4 pipa 1 ring " ] ||
  fail "rings.tsv: $(cat rings.tsv)"
# A ring that loses events is reported.
sed 's/1000000 \* str/999999 * str/' "$TOP/testsuite/bench/kernels/ring.c" >ring.c
mkdir -p fewer/kernels fewer/rings && mv ring.c fewer/kernels && cp "$TOP"/testsuite/bench/rings/* \
  fewer/rings
sed "s|testsuite/bench/rings|fewer/rings|; s|sys.argv\[1\] + \"/fewer|\"fewer|" measure.py >other.py
BUILD=$BUILD python3 other.py "$TOP" >out 2>&1
grep -q 'not all events were sent' out || fail "a run with fewer events passes: $(cat out)"
