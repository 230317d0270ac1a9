#!/bin/bash
# bench-loops.sh - the driver of `make bench-loops' builds, checks, measures and reports all columns
# of a small kernel, keeps what was measured, and repeats a missing round. The figures themselves do
# not matter here.
# timeout: 400
# SPDX-License-Identifier: GPL-3.0-or-later
# spare
. "$(dirname "$0")/../lib.sh"
need_build
need python3 make objcopy

run ()
{
  QUICK=1 PROGRAMS=gravity WITH="factor 8" BUILD=$TEST_DIR/place \
    "$TOP/testsuite/bench/loops/run" "$@" >out 2>&1 ||
    { cat out; fail "exit status $?"; }
}

# A build directory with the same plugin and command keeps the results of measurements by hand
# untouched.
mkdir place && ln -s "$BUILD"/* place || fail "no place"
rm -rf place/bench-loops-quick
run
cat out
here=place/bench-loops-quick
columns=$(cut -f 3 $here/loops.tsv | tail -n +2 | sort | tr '\n' ';')
expected="-O3;-O3 again;-fprofile-use;-funroll-loops;cabprof, all;cabprof, loops;cabprof, profile;"
[ "$columns" = "${expected}factor 8;run for -fprofile-use;run for cabprof's profile;" ] ||
  fail "columns measured: $columns"
[ "$(awk -F '\t' '$7 != 3' $here/loops.tsv | wc -l)" = 1 ] || fail "not three rounds of each"
[ "$(awk -F '\t' '$1 == "gravity" && $3 > 0 && $4 > 0 { print $2 }' $here/tuning.tsv | sort |
  tr '\n' ';')" = 'cabprof, all;cabprof, loops;' ] || fail "no cost of tuning"
grep -q '"every": 8' $here/gravity/every-8.hints || fail "factor 8 is not by a hints file"
grep -q '^<svg' $here/loops.svg || fail "no chart"
grep -q 'all over -fprofile-use' out &&
  grep -q "cabprof's profile over one for GCC's, geomean: " out || fail "no goals"

# After the last round is cut off, it is measured again; the others stay, and nothing is rebuilt.
rounds=$here/gravity/rounds.tsv
grep -v '^2	' $rounds >kept && cp kept $rounds
built ()
{
  find $here/gravity -name gravity -type f -printf '%T@ %p\n' | sort
}
built >before
run
[ "$(cut -f 1 $rounds | sort -u | tr '\n' ' ')" = "0 1 2 " ] ||
  fail "the rounds are: $(cut -f 1 $rounds | sort -u | tr '\n' ' ')"
grep -v '^2	' $rounds | cmp - kept || fail "rounds that were there have changed"
built | diff before - || fail "programs were built again"
run report
grep -q 'geomean, kernels' out || fail "no table from what there is"
grep -q 'again.* -funroll .* all ' out || fail "no column of all that tune can try"
WITHOUT='-funroll-loops;cabprof, all' run report
! grep -q -e 'again.* -funroll ' -e 'again.* all  ' out || fail "columns were not left out"

# A program whose output differs from the reference has no figure.
sed -i 's/"[0-9a-f]\{64\}"\]$/"0"]/' $here/gravity/factor-8/output
run
grep -q 'factor 8: its output is not that of the build with -O1' out ||
  { cat out; fail "a wrong output was not noticed"; }
PROGRAMS=none "$TOP/testsuite/bench/loops/run" >out 2>&1
[ $? = 2 ] && grep -q 'none: no such program' out || fail "an unknown program is no error"
