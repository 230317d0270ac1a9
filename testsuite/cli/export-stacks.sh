#!/bin/bash
# export-stacks.sh - exports of calling contexts: pprof, which Go's tool opens, speedscope's JSON,
# and flame graphs; their sums are those of the reports, and deep recursions do not make them grow
# for ever.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc python3

cat >walk.c <<'C'
#include <stdlib.h>
static int cells[4096];
static int *__attribute__ ((noinline)) room (int n) { return malloc (n * sizeof (int)); }
static int __attribute__ ((noinline)) leaf (int n) { return cells[n & 4095]++; }
static int __attribute__ ((noinline)) down (int n) { return n ? down (n - 1) + leaf (n) : 0; }
int
main (int argc, char **argv)
{
  int *p = room (100);
  free (p);
  return down (argc > 1 ? atoi (argv[1]) : 20) < 0;
}
C
probed calls+memory walk.c walk -O1 -fno-optimize-sibling-calls -fplugin-arg-cabprof-context
export CABPROF_OPTIONS=analyses=tree+contexts+offenders+blocks+accesses
CABPROF_OPTIONS+=:data=walk.data ./walk || fail "walk: exit status $?"
CABPROF_OPTIONS+=:data=deep.data ./walk 3000 || fail "walk 3000: exit status $?"
unset CABPROF_OPTIONS

# sum COLUMN: print the sum of a column of the TSV that standard input has.
sum ()
{
  awk -F'\t' -v name="$1" '
    /^#/ { next }
    !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
    { n += $at } END { print n + 0 }'
}

# wanted DIR: set what the reports count.
wanted ()
{
  calls=$("$CABPROF" report methods -d "$1" --format=tsv | sum calls)
  accesses=$("$CABPROF" report accesses -d "$1" --format=tsv | sum accesses)
  d1=$("$CABPROF" report offenders --by=context -d "$1" --format=tsv | sum misses)
  bytes=$("$CABPROF" report blocks -d "$1" --format=tsv | sum bytes)
}

# speedscope DIR: check the JSON of DIR as speedscope's schema describes it, and its sums.
speedscope ()
{
  expect 0 "$CABPROF" export speedscope -d "$1" -o out.json; quiet
  python3 - "$calls" "$accesses" "$d1" "$bytes" <<'P' || fail "$1: the JSON of speedscope is wrong"
import json, sys
d = json.load (open ("out.json"))
assert d["$schema"] == "https://www.speedscope.app/file-format-schema.json"
frames = d["shared"]["frames"]
assert all (type (f["name"]) is str for f in frames)
sums = {}
for p in d["profiles"]:
    assert p["type"] == "sampled" and p["unit"] in ("none", "nanoseconds", "bytes")
    assert len (p["samples"]) == len (p["weights"]) and p["startValue"] == 0
    assert all (0 <= f < len (frames) for s in p["samples"] for f in s)
    sums[p["name"]] = sum (p["weights"])
    assert sums[p["name"]] == p["endValue"]
wanted = dict (zip (("Calls", "Accesses to memory", "Misses in D1", "Bytes allocated"),
                    map (int, sys.argv[1:])))
assert all (sums.get (k, 0) == v for k, v in wanted.items ()), (sums, wanted)
P
}

wanted walk.data
is "calls of the reports" "$calls" 43
speedscope walk.data
wanted deep.data
speedscope deep.data
[ "$(stat -c %s out.json)" -lt 40000000 ] || fail "the JSON has $(stat -c %s out.json) bytes"
grep -q '(contexts left out)' out.json || fail "nothing says what was left out"

expect 0 "$CABPROF" export pprof -d deep.data -o deep.pb.gz; quiet
[ "$(head -c 2 deep.pb.gz | od -An -tx1)" = " 1f 8b" ] || fail "pprof's file is not compressed"
expect 0 "$CABPROF" export pprof -d walk.data -o walk.pb.gz; quiet
tally plain.data
expect 0 "$CABPROF" export pprof -d plain.data -o plain.pb.gz; quiet
build paths_only walk.c -O1 -fplugin-arg-cabprof-events=paths && profile paths.data ./paths_only &&
  expect 1 "$CABPROF" export pprof -d paths.data && says 'no calls were recorded'

# The flame graph is well-formed, the widths of frames are their counts, and a measure that is not
# there is said.
expect 0 "$CABPROF" export flamegraph --measure=calls -d walk.data -o walk.svg; quiet
python3 - 43 <<'P' || fail "the flame graph is wrong"
import re, sys, xml.etree.ElementTree as tree
shapes, svg = {}, "{http://www.w3.org/2000/svg}"
for g in tree.parse ("walk.svg").getroot ().findall (svg + "g"):
    title = g.find (svg + "title").text
    name, n = re.match (r"(\w+)(?: \(walk\.c:\d+\))?: (\d+) calls, ", title).groups ()
    rect = g.find (svg + "rect").attrib
    shapes.setdefault (name, []).append ((int (n), float (rect["width"]), int (rect["y"])))
(all_n, all_width, bottom), = shapes["all"]
assert all_n == int (sys.argv[1]) and all_width == 1180
for n, width, y in (shape for s in shapes.values () for shape in s):
    assert abs (width - n * all_width / all_n) < .01, shapes
assert sorted (n for n, w, y in shapes["down"]) == list (range (1, 42, 2)), shapes
assert [n for n, w, y in shapes["leaf"]] == [1] * 20 and shapes["main"] == [(43, 1180, bottom - 17)]
P
expect 0 "$CABPROF" export flamegraph --measure=d1 -d walk.data -o walk.svg; quiet
wanted walk.data
grep -q ">All: $d1 misses, 100.00 %" walk.svg || fail "misses: $(grep All: walk.svg)"
expect 1 "$CABPROF" export flamegraph --measure=time -d walk.data
says 'nothing of time was recorded by context (there is: calls, accesses, d1, ll, bytes)'
expect 2 "$CABPROF" export flamegraph --measure=heat -d walk.data; says 'no such measure'
expect 2 "$CABPROF" export folded --measure=d1 -d walk.data; says 'is for flamegraph'

# Go's tool reads them, and finds the counts.
need go
export HOME=$PWD PPROF_TMPDIR=$PWD
go tool pprof -top -nodecount=99 -nodefraction=0 -sample_index=calls walk.pb.gz >top 2>top.err ||
  fail "pprof: $(cat top.err)"
prints '^Showing nodes accounting for 43, 100% of 43 total' top
prints ' 21 +48.84% +[0-9.]+% +41 +95.35% +down' top
prints ' 20 +46.51% +[0-9.]+% +20 +46.51% +leaf' top
wanted walk.data
go tool pprof -top -nodefraction=0 -sample_index=d1 walk.pb.gz >top 2>top.err ||
  fail "$(cat top.err)"
prints "100% of $d1 total" top
go tool pprof -top -sample_index=bytes walk.pb.gz >top 2>top.err || fail "$(cat top.err)"
prints '400B +100% +100% +400B +100% +room' top
exit 0
