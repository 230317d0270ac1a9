#!/bin/bash
# report-loops.sh - report loops and annotate --loops are right in each format: after a plain
# record, with trip counts, and with the files of tune.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc python3
export MALLOC_PERTURB_=85   # freed memory is overwritten, so that a use of it shows

cat >loops.c <<'C'
#include <stdio.h>
static double a[1 << 12];
static void __attribute__ ((noinline)) relax (int n)
{
  for (int r = 0; r < n; r++)
    for (int i = 1; i < 1 << 12; i++)
      a[i] = a[i] / 1.5 / (a[i - 1] + 3);
}
int
main (void)
{
  relax (12000);
  for (int i = 0; i < 3; i++)
    printf ("%d", a[i] > 5);
  return 0;
}
C

# field LINE COLUMN: print a cell of the row of that line in the table `out'.
field ()
{
  awk -F'\t' -v line="$1" -v column="$2" \
    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["line"] == line { print $at[column] }' out
}

# formats: check that all formats of the report say the same.
formats ()
{
  expect 0 "$CABPROF" report loops --format=json; quiet
  python3 -c '
import json, sys
report = json.load (open ("out"))
assert report["report"] == "loops" and report["schema"] == 1
for row in report["rows"]:
    print (row["function"], row["line"], sep="\t")' | sort >json.rows ||
      fail "the JSON is none: $(head -c 300 out)"
  expect 0 "$CABPROF" report loops --html=page.html; quiet
  python3 - <<'P' || fail "the page is not well formed"
import html.parser, sys
class Check (html.parser.HTMLParser):
    stack = []
    def handle_starttag (self, tag, attributes):
        if tag not in ("meta", "br", "hr", "link", "col", "input", "img"):
            self.stack.append (tag)
        for name, value in attributes:
            assert name not in ("src",) and not (name == "href" and value.startswith ("http")), "the page needs the net"
    def handle_endtag (self, tag):
        assert self.stack.pop () == tag, tag
page = Check ()
page.feed (open ("page.html").read ())
assert not page.stack and "<table" in open ("page.html").read ()
P
  expect 0 "$CABPROF" report loops --format=tsv; quiet
  awk -F'\t' \
    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["function"] "\t" $at["line"] }' out | sort | diff - json.rows ||
    fail "TSV and JSON have other rows"
}

# A plain record has shares and what the compiler did; columns without any data are left out.
"$CGCC" -O2 -g -fplugin-arg-cabprof-events=none -fplugin-arg-cabprof-outcome loops.c -o loops ||
  fail "does not compile"
"$CABPROF" record ./loops >/dev/null || fail "record"
expect 0 "$CABPROF" report loops; quiet
prints '^relax +.*loops.c +6 +[0-9.]+%  scalar'
! grep -q 'stripped' out || fail "a program with symbols is called stripped"
prints '^source +'; prints '^samples +[0-9]+, lost [0-9]+'; prints '^overhead of sampling '
prints '^code ranges and line numbers agree'
! grep -Eq '^function.*(trips|choice|predicted|measured)|Stalls|The application' out ||
  fail "columns of which nothing is known: $(cat out)"
formats
[ "$(awk -v s="$(field 6 share)" 'BEGIN { print (s > 0.5) }')" = 1 ] ||
  fail "share of the inner loop: $(cat out)"
[ "$(field 6 trips)" = - ] && [ "$(field 6 choice)" = - ] && [ "$(field 6 assembler)" = relax ] ||
  fail "row: $(cat out)"
checksum=$(field 6 checksum) column=$(field 6 column) outer=$(field 5 column) \
  outersum=$(field 5 checksum)
expect 0 "$CABPROF" annotate --loops; quiet
prints 'share'; grep -Eq '[0-9.]+% +scalar[^|]* +6 \|+ +for \(int i' out ||
  fail "the margin of line 6: $(cat out)"

# For a stripped program the report explains why there are no shares.
cp loops loops.whole && strip loops && "$CABPROF" record -d bare ./loops >/dev/null ||
  fail "record of a stripped program"
expect 0 "$CABPROF" report loops -d bare; quiet
prints '^share of samples in stripped files +[0-9.]+%: their loops cannot be distinguished'
mv loops.whole loops

# The run has trip counts.
"$CGCC" -O2 -g -fplugin-arg-cabprof-events=loops -fplugin-arg-cabprof-outcome loops.c -o loops ||
  fail "does not compile with events=loops"
"$CABPROF" record ./loops >/dev/null || fail "record with trip counts"
expect 0 "$CABPROF" report loops; quiet
prints '^relax +.*loops.c +6 +[0-9.]+% .* 4095'
formats
[ "$(field 6 entries)/$(field 6 iterations)" = 12000/49140000 ] &&
  [ "$(field 5 entries)/$(field 5 iterations)" = 1/12000 ] ||
  fail "entries and iterations: $(cat out)"
[ "$(field 13 trips)" = 3.000000 ] || fail "trips of main's loop: $(field 13 trips)"
expect 0 "$CABPROF" annotate --loops loops.c; quiet
grep -Eq ' 4095.0 +.* 6 \|+ ' out || fail "no trips in the margin: $(cat out)"

# The directory has tune's files: the matrix, the decision, the application, the races, and the
# conditions of measurement.
rm -rf cabprof.data && mkdir cabprof.data
cat >cabprof.data/loops.json <<end
{ "schema": 1, "format": "cabprof loops", "program": "loops", "run": "./loops",
  "columns": [ { "name": "default" }, { "name": "2", "unroll": 2 }, { "name": "4", "unroll": 4 }, { "name": "no-vec", "unroll": 0, "vectorize": false },
    { "name": "registers", "unroll": 0, "registers": true, "align": 32 },
    { "name": "aligned", "unroll": 0, "align": 64 } ],
  "loops": [
    { "function": "relax", "name": "relax", "file": "$PWD/loops.c", "line": 6, "column": $column, "ordinal": 0, "checksum": "$checksum",
      "share": 0.75, "trip": { "entries": 3000, "iterations": 12285000, "mean": 4095 }, "outcome": [ "scalar", "unrolled:2,hinted:2", "unrolled:4,hinted:4", "scalar", "scalar,registers", "scalar,aligned:64" ],
      "stalls": [ { "mean": 1000, "low": 990, "high": 1010, "n": 5 }, { "mean": 900, "low": 880, "high": 920, "n": 5 }, { "mean": 1200, "low": 1190, "high": 1210, "n": 5 }, null, null, { "mean": 950, "low": 940, "high": 960, "n": 5 } ],
      "choice": 2, "reason": "factor 2 took 0.900 of the default", "predicted": 0.9, "measured": 0.91 },
    { "function": "relax", "name": "relax", "file": "$PWD/loops.c", "line": 5, "column": $outer, "ordinal": 0, "checksum": "$outersum",
      "share": 0.05, "trip": null, "outcome": [ "scalar", "scalar", "scalar", "scalar", "scalar,registers", "scalar" ],
      "stalls": [ { "mean": 60, "low": 50, "high": 70, "n": 5 }, null, null, { "mean": 33, "low": 20, "high": 40, "n": 5 }, { "mean": 30, "low": 20, "high": 40, "n": 5 }, null ],
      "choice": 0, "registers": true, "align": 32,
      "reason": "not measured", "predicted": null, "measured": null } ],
  "application": { "S": [ 1060, 960, 1260, 1030, 1050, 1010 ], "S_opt": 900, "best_factor": { "unroll": 2, "predicted": 0.92, "measured": 0.93, "low": 0.92, "high": 0.94 },
    "per_loop": { "name": "per loop", "predicted": 0.925, "measured": null, "low": null, "high": null } },
  "races": [ { "name": "factor 2", "ratio": 0.93, "low": 0.92, "high": 0.94, "n": 7, "kept": true, "reason": "faster" } ],
  "measured_with": { "source": "cpu-clock", "period": 1000000, "runs": 22, "noise": 0.004, "correlation": 0.99 } }
end
expect 0 "$CABPROF" report loops; quiet
prints '^relax +.*loops.c +6 +75.0% '
for words in 'Stalls by hint' 'default +2 +4 +no-vec +registers +aligned' '0.50.*\*' \
  'rename registers, align to 32' \
  'one hint for all loops \(2\) +0.92' 'a hint for each loop +0.93' 'factor 2 .*0.93' \
  'best of each' \
  '^runs +22' '^noise +'; do
  grep -Eq -- "$words" out || fail "not in the report: $words: $(cat out)"
done
formats
[ "$(field 6 choice)/$(field 6 vectorize)/$(field 6 predicted)/$(field 6 \
  measured)" = 2/-/0.900000/0.910000 ] || fail "decision: $(cat out)"
[ "$(field 5 choice)/$(field 5 vectorize)/$(field 5 registers)/$(field 6 \
  registers)/$(field 5 align)/$(field 6 align)" = 0/-/yes/-/32/- ] || fail "decision of the outer loop: $(cat out)"
grep -Eq 'background' page.html || fail "no heat in the matrix"
expect 0 "$CABPROF" annotate --loops loops.c; quiet
grep -Eq '75.0% .* 6 \|+ ' out || fail "the margin of line 6: $(cat out)"

# The files are malformed.
for bad in '{' '{ "schema": 2, "format": "cabprof loops", "columns": [], "loops": [] }' \
  '{ "schema": 1, "format": "cabprof loops", "loops": [] }' \
  '{ "schema": 1, "format": "cabprof loops", "columns": [ { "name": "default" } ], "loops": [ 3 ] }'; do
  echo "$bad" >cabprof.data/loops.json
  expect 1 "$CABPROF" report loops; says 'loops.json'
done
expect 1 "$CABPROF" report loops -d nowhere; says 'nowhere: '
exit 0
