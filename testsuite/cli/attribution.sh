#!/bin/bash
# attribution.sh - samples are attributed to source loops by exact code ranges and by lines, through
# inlining, in C and C++, and both ways mostly agree.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build

cat >loops.c <<'C'
static double a[1 << 12], b[1 << 12];
static inline double part (double x) { x = x * 0.5 + 1; x = x * x - 0.25; x = x / 1.5; x = x / (x + 3); return x * 0.75 + 0.5; }
static inline double sum (const double *p, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}
void __attribute__ ((noinline)) calls_in_loop (int n)
{
  for (int r = 0; r < n; r++)
    for (int i = 1; i < 1 << 12; i++)
      a[i] = part (a[i - 1]);
}
double __attribute__ ((noinline)) loop_is_inlined (int n)
{
  double s = 0;
  for (int r = 0; r < n; r++)
    s += sum (b, 1 << 12) + r;
  return s;
}
int
main (void)
{
  calls_in_loop (6000);
  return loop_is_inlined (80000) < 0;
}
C
cat >loops.cc <<'C'
#include <vector>
namespace { struct point { double x, y; }; }
static double __attribute__ ((noinline)) local (const std::vector<point> &v, int n)
{
  double s = 0;
  for (int r = 0; r < n; r++)
    for (const auto &p : v)
      s += p.x * p.y;
  return s;
}
int
main ()
{
  std::vector<point> v (1 << 12);
  return local (v, 40000) < 0;
}
C

# share LINE: print the percentage of time in the loop whose header is on LINE of loops.*, without
# its inner loops.
share ()
{
  "$CABPROF" report loops --format=tsv | awk -F'\t' -v line="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["file"] ~ /loops\.cc?$/ && $at["line"] == line { s += $at["share"] }
    END { printf "%d\n", 100 * s }'
}

# least LINE PERCENT WORDS: check that the loop on LINE has at least PERCENT of the time.
least ()
{
  local s
  s=$(share "$1")
  [ "$s" -ge "$2" ] ||
    { "$CABPROF" report loops --format=tsv; fail \
    "$3: the loop on line $1 has $s % of the time, less than $2"; }
}

# check_c WORDS OPTIONS...: check that the inner loop of calls_in_loop, a long chain inlined into
# it, has most of the time, and sum's loop the rest, wherever it was inlined.
check_c ()
{
  local words=$1; shift
  "$CGCC" -g -fplugin-arg-cabprof-events=none "$@" loops.c -o loops || fail "compile $*"
  "$CABPROF" record ./loops || fail "record, $words"
  least 13 30 "$words"
  least 6 10 "$words"
  [ "$(($(share 13) + $(share 6)))" -ge 80 ] ||
    fail "$words: the two inner loops have less than 80 % of the time"
}

check_c "by lines, -O1" -O1
check_c "by lines, -O2" -O2
check_c "by lines, DWARF 4" -O2 -gdwarf-4
check_c "by ranges, -O2" -O2 -fplugin-arg-cabprof-outcome
check_c "by ranges, -O3 -funroll-loops" -O3 -funroll-loops -fplugin-arg-cabprof-outcome

# Under LTO a line program begins in the unit's first file, which libdwarf calls by the unit's name.
# The inlined loop has half of the time of the loop with `s = 0'.
"$CGCC" -g -fplugin-arg-cabprof-events=none -O2 -flto loops.c -o lto || fail "compile -flto"
"$CABPROF" record -d lto.data ./lto || fail "record -flto"
sum=$("$CABPROF" report loops -d lto.data --format=tsv |
  awk -F'\t' 'NR > 1 && $3 ~ /^(6|13|19)$/ { s += $6 } END { printf "%d", 100 * s }')
[ "$sum" -ge 80 ] ||
  { "$CABPROF" report loops -d lto.data; fail "by lines, LTO: the loops have $sum % of the time"; }

# Lines are read even where there are ranges.
"$CABPROF" report loops --format=json >report.json || fail "report loops --format=json"
sed -n 's/.*numbers agree": "\([0-9]*\)\..*% of \([0-9]*\) samples.*/\1 \2/p' report.json >agree
read -r percent samples <agree || fail "nothing is printed about how often ranges and lines agree"
[ "$percent" -ge 80 ] && [ "$samples" -ge 20 ] ||
  fail "ranges and lines agree in $percent % of $samples samples"

# A C++ function that is local to its unit has no linkage name in DWARF.
"$CGXX" -O2 -g -fplugin-arg-cabprof-events=none loops.cc -o loops || fail "compile C++"
"$CABPROF" record ./loops || fail "record, C++"
least 7 80 "C++ by lines"
"$CGXX" -O2 -g -fplugin-arg-cabprof-events=none -fplugin-arg-cabprof-outcome loops.cc -o loops ||
  fail "compile C++ with ranges"
"$CABPROF" record ./loops || fail "record, C++ with ranges"
least 7 80 "C++ by ranges"

# Without line numbers, loops are found by ranges but not by lines.
"$CGCC" -O2 -fplugin-arg-cabprof-events=none -fplugin-arg-cabprof-outcome loops.c -o loops ||
  fail "compile without -g"
"$CABPROF" record ./loops || fail "record without -g"
least 13 30 "ranges without -g"

# inlined: print what the share of calls_in_loop in inlined copies is said to be.
inlined ()
{
  "$CABPROF" report time --format=tsv | awk -F'\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["function"] == "calls_in_loop" { print $at["inlined"] }'
}
says=$(inlined)
[ "$says" = - ] || fail "without -g the share of inlined copies is $says, not unknown"
"$CGCC" -O2 -g -gsplit-dwarf -fplugin-arg-cabprof-events=none loops.c -o loops ||
  fail "compile with -gsplit-dwarf"
"$CABPROF" record ./loops || fail "record with -gsplit-dwarf"
says=$(inlined)
[ "$says" = - ] || fail "-gsplit-dwarf: the share of inlined copies is $says, not unknown"
"$CGCC" -O2 -g -fplugin-arg-cabprof-events=none loops.c -o loops || fail "compile with -g"
"$CABPROF" record ./loops || fail "record with -g"
says=$(inlined)
[ "$says" = 0.000000 ] || fail "-g: the share of inlined copies is $says, not 0"
exit 0
