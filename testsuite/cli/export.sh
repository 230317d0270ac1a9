#!/bin/bash
# export.sh - genhtml, callgrind_annotate and flamegraph.pl read what is exported, and find the
# counts there; folded stacks add up.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need genhtml callgrind_annotate
tally cabprof.data

expect 0 "$CABPROF" export lcov -o tally.info; quiet
[ ! -s out ] || fail "-o and standard output"
for line in "SF:$PWD/tally.c" FN:23,kind FNDA:60,kind FNDA:0,unused DA:25,60 DA:26,20 DA:28,10 \
  DA:35,0 BRDA:25,0,0,20 BRDA:25,0,1,40; do
  grep -qxF "$line" tally.info || fail "no line $line: $(cat tally.info)"
done
# From version 2 on it warns of files that do not say where functions end.
version=$(genhtml --version)
[[ $version = *" 1."* ]] || more="--ignore-errors unsupported,unsupported"
# shellcheck disable=SC2086
genhtml ${more:-} --branch-coverage -o html tally.info >genhtml.log 2>&1 ||
  fail "genhtml: $(cat genhtml.log)"
! grep -Ei 'warn|error' genhtml.log || fail "genhtml complains: $(cat genhtml.log)"
[ -n "$(find html -name 'tally.c.gcov.html')" ] || fail "no page: $(find html)"
prints 'functions[.]*: 80.0% \(4 of 5' genhtml.log
expect 0 lcov --summary tally.info; prints 'lines'
for line in FNF:5 FNH:4; do
  grep -qxF "$line" tally.info || fail "no line $line: $(cat tally.info)"
done

# A branch that was never reached is not a branch that was never taken; two builds of a function
# count as one.
cat >twice.c <<'END'
int never (int n) { if (n > 3) return 1; return 2; }
int main (int c, char **v) { if (c > 9 OR) return never (c); return !v; }
END
build twice twice.c -O0 -DOR=; profile twice.data ./twice
build twice twice.c -O0 '-DOR=|| c < -9'; profile again.data ./twice
expect 0 "$CABPROF" merge -o both.data twice.data again.data
expect 0 "$CABPROF" export lcov -d both.data; quiet
for line in BRDA:1,0,0,- BRDA:1,0,1,- FNDA:2,main FNDA:0,never FNF:2 FNH:1 DA:2,2; do
  grep -qxF "$line" out || fail "no line $line: $(cat out)"
done
[ "$(grep -c ^FN: out)" = 2 ] || fail "a function is listed twice: $(cat out)"

expect 0 "$CABPROF" export callgrind -o callgrind.out; quiet
callgrind_annotate --inclusive=yes callgrind.out >annotated 2>annotated.err ||
  fail "callgrind_annotate: $(cat annotated.err)"
[ ! -s annotated.err ] || fail "callgrind_annotate: $(cat annotated.err)"
! grep -iq warning annotated || fail "callgrind_annotate: $(cat annotated)"
total=$("$CABPROF" report methods --format=tsv | awk -F'\t' 'NR > 1 { n += $4 } END { print n }')
lines=$("$CABPROF" report lines --format=tsv | awk -F'\t' 'NR > 1 { n += $3 } END { print n }')
tr -d , <annotated >plain
prints "^$lines \(100.0%\) $total \(100.0%\) +PROGRAM TOTALS" plain
prints "^$lines \(100.0%\) $total \(100.0%\) +([^ ]*/)?tally.c:main" plain
prints ' +60 \([ 0-9.]+%\) +([^ ]*/)?tally.c:kind' plain
prints ' +5 \([ 0-9.]+%\) +([^ ]*/)?tally.c:factorial' plain
prints '=> ([^ ]*/)?tally.c:kind \(60x\)' plain
# A source that was compiled in another directory by a relative name is found from here without an
# option.
mkdir -p elsewhere/src && cp tally.c elsewhere/src/below.c &&
  (cd elsewhere && ${GCC:-gcc} -g -O0 -fplugin="$PLUGIN" src/below.c -o below) || fail "below.c"
profile below.data elsewhere/below; expect 0 "$CABPROF" export callgrind -d below.data -o below.out
quiet
(mkdir -p apart && cd apart && callgrind_annotate --auto=yes ../below.out) >plain 2>&1 ||
  fail "callgrind_annotate: $(cat plain)"
grep -qF "Auto-annotated source: $PWD/elsewhere/src/below.c" plain && grep -q 'kind (int' plain ||
  fail "no source: $(cat plain)"

expect 0 "$CABPROF" export folded; quiet; cp out stacks
for line in 'main 1' 'main;kind 60' 'main;factorial;factorial;factorial;factorial;factorial 1'; do
  grep -qxF "$line" stacks || fail "no stack $line: $(cat stacks)"
done
prints '^main;\[qsort\];compare [0-9]+$' stacks
[ "$(awk '{ n += $NF } END { print n }' stacks)" = "$total" ] ||
  fail "stacks do not add up to $total: $(cat stacks)"
! grep -Evq '^[^ ;][^;]*(;[^;]+)* [0-9]+$' stacks || fail "not a folded stack: $(cat stacks)"
flamegraph=$(dpkg -L libdevel-nytprof-perl 2>/dev/null | grep '/flamegraph\.pl$')
[ -n "$flamegraph" ] || fail "flamegraph.pl is missing: make deps"
perl "$flamegraph" --minwidth=0 stacks >flame.svg 2>flame.err && [ ! -s flame.err ] ||
  fail "flamegraph.pl: $(cat flame.err)"
for frame in "all ($total samples, 100%)" 'kind (60 samples,' 'compare ([0-9]* samples,' \
  'factorial (1 samples,'; do
  grep -q "<title>$frame" flame.svg ||
    fail "flamegraph.pl has no frame $frame: $(grep -o '<title>[^<]*' flame.svg)"
done
expect 0 "$CABPROF" export folded --fold-recursion; quiet; prints '^main;factorial 5$'

# Output is the same to a file, to standard output, and over an existing file, also through a link.
expect 0 "$CABPROF" export folded -o new; cmp new stacks || fail "-o differs"
expect 0 "$CABPROF" export folded -o -; cmp out stacks || fail "-o - differs"
echo old >real && ln -s real link
expect 0 "$CABPROF" export folded -o link; [ -L link ] && cmp real stacks ||
  fail "the link was replaced"

# For C++, callgrind's format and stacks have readable names, and lcov's has names that genhtml can
# parse.
cxx=$(sed 's/gcc/g++/' <<<"${GCC:-gcc}")
if command -v "$cxx" >/dev/null; then
  cat >shapes.cc <<'END'
template<class T> __attribute__ ((noinline)) T add (T a, T b) { return a + b; }
namespace { __attribute__ ((noinline)) int hidden (int a) { return a ? a : 1; } }
int main () { int n = 0; for (int i = 0; i < 9; i++) n += add<int> (i, 1) + (int) add<double> (i, 2) + hidden (i); return n == 0; }
END
  "$cxx" -g -O0 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths,calls shapes.cc -o shapes ||
    fail "shapes.cc"
  profile shapes.data ./shapes
  expect 0 "$CABPROF" export folded -d shapes.data; quiet
  prints '^main;.*add<double>\(double, double\) 9$'
  prints '^main;\(anonymous namespace\)::hidden\(int\) 9$'
  expect 0 "$CABPROF" export callgrind -d shapes.data -o shapes.out; quiet
  callgrind_annotate shapes.out >plain 2>&1 || fail "callgrind_annotate: $(cat plain)"
  prints 'shapes.cc:.*add<int>\(int, int\)' plain
  prints 'shapes.cc:\(anonymous namespace\)::hidden' plain
  expect 0 "$CABPROF" export lcov -d shapes.data -o shapes.info; quiet
  genhtml --demangle-cpp -o html2 shapes.info >genhtml.log 2>&1 ||
    fail "genhtml: $(cat genhtml.log)"
  prints 'functions[.]*: 100.0% \(4 of 4' genhtml.log
fi

# In a deep recursion, whole stacks are refused before anything is written; folded there are three
# frames.
cat >deep.c <<'END'
__attribute__ ((noinline)) int leaf (int n) { return n & 1; }
__attribute__ ((noinline)) int down (int n) { return n ? down (n - 1) + leaf (n) : 0; }
int main (void) { return down (50000) < 0; }
END
build deep deep.c -O1 -fno-optimize-sibling-calls; profile deep.data ./deep
expect 1 "$CABPROF" export folded -d deep.data -o stacks.deep; says 'use --fold-recursion'
[ ! -e stacks.deep ] || fail "a file is left"
expect 0 "$CABPROF" export folded -d deep.data --fold-recursion; quiet
[ "$(cat out)" = "$(printf 'main 1\nmain;down 50001\nmain;down;leaf 50000')" ] ||
  fail "folded: $(cat out)"
expect 0 "$CABPROF" export callgrind -d deep.data; quiet
prints '^totals: [0-9]+ 100002$'
