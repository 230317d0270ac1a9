#!/bin/bash
# prefetch.sh - a hint to prefetch adds prefetches where that is safe, and says why not elsewhere.
# The program reads nothing that it would not read without: its arrays lie against pages that cannot
# be read.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/hints.lib"

# outcome FUNCTION: print what became of FUNCTION's prefetches.
outcome ()
{
  awk -F'\t' -v f="$1" '/^o/ && $2 == f { print $5 }' outcomes | tr , '\n' |
    sed -n 's/^\(no\)\{0,1\}prefetch\(ed\)\{0,1\}:/\1/p'
}

# expect FUNCTION WORD: it has WORD prefetches, or none for that reason.
expect ()
{
  [ "$(outcome "$1")" = "$2" ] || failed "$1: $(outcome "$1"), not $2"
}

names='gather count sparse strided chained sometimes search changing'

# guarded LEVEL DISTANCE: the hinted loops do what the plain ones do.
guarded ()
{
  enter "guard pages, $1, $2 ahead"
  cp "$src/prefetch.c" .
  tables $CC prefetch.c && hints 0 "$names" tables.o "hints['schema'] = 4; row['prefetch'] = $2" \
    >all.hints
  $CC $1 -c prefetch.c -o plain.o &&
    compile $CC $1 -fchecking=2 -fplugin-arg-cabprof-feedback=all.hints -c prefetch.c &&
    [ ! -s words ] || { failed "$(head -n 5 words)"; return; }
  python3 "$tests/link/records.py" other.o O >outcomes
  for object in plain other; do
    $CC -O1 "$src/guarded.c" $object.o -o $object && ./$object >$object.out || failed "$object"
  done
  cmp -s plain.out other.out || failed "$(cat plain.out other.out)"
  expect count 1; expect sparse 1; expect search noexits; expect sometimes 2
  [ "$1" = -O1 ] || expect changing 1
  [ "$3" ] || { expect gather 1; expect strided 1; expect chained 2; }
  objdump -d other.o >text
  sum=$(awk -F'\t' '/^o/' outcomes | tr , '\n' | awk -F: '$1 == "prefetched" { n += $2 }
    END { print n + 0 }')
  [ "$(grep -c prefetch text)" = "$sum" ] ||
    failed "$(grep -c prefetch text) instructions, $sum in the records"
  passed
}
guarded -O1 4
guarded -O2 16
guarded "-O2 -fno-tree-ch" 32
guarded -O3 64 vectors

enter "a loop that is inlined"
cat >inlined.c <<'END'
static inline long
gathered (const int *b, const long *a, int n)
{
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[b[i]];
  return s;
}
long
all (int *const *b, const long *a, int n)
{
  long s = 0;
  for (int j = 0; j < n; j++)
    s += gathered (b[j], a, n);
  return s;
}
END
tables $CC inlined.c
hints 0 "gathered" tables.o "hints['schema'] = 4; row['prefetch'] = 16" >one.hints
compile $CC -O2 -fplugin-arg-cabprof-feedback=one.hints -c inlined.c
python3 "$tests/link/records.py" other.o O >outcomes
expect gathered 1 && passed

enter "vectorised loops have none"
cp "$src/kernels.c" .
tables $CC kernels.c
hints 0 "dot" tables.o "hints['schema'] = 4; row['prefetch'] = 16" >one.hints
compile $CC -O3 -ffast-math -fplugin-arg-cabprof-feedback=one.hints -c kernels.c
python3 "$tests/link/records.py" other.o O >outcomes
expect dot novector && passed

enter "at -Os and -O0"
cp "$src/prefetch.c" .
tables $CC prefetch.c
hints 0 gather tables.o "hints['schema'] = 4; row['prefetch'] = 16" >one.hints
compile $CC -Os -fplugin-arg-cabprof-feedback=one.hints -c prefetch.c
python3 "$tests/link/records.py" other.o O >outcomes
expect gather nosize && passed

enter "at the link"
cp "$src/prefetch.c" .
tables $CC prefetch.c
hints 0 "gather chained" tables.o "hints['schema'] = 4; row['prefetch'] = 16" >one.hints
compile $CC -O2 -flto -fplugin-arg-cabprof-feedback=one.hints -c prefetch.c && mv other.o lto.o &&
  compile $CC -O2 -flto -fplugin-arg-cabprof-outcome "$src/guarded.c" lto.o &&
  python3 "$tests/link/records.py" other.o O >outcomes && ./other.o >/dev/null &&
  grep -q 'prefetched:2' outcomes && passed || failed "$(head -n 5 words outcomes)"

if command -v $FORTRAN >/dev/null; then
  enter "Fortran"
  cp "$src/prefetch.f90" .
  tables $FORTRAN prefetch.f90
  hints 0 gathered_ tables.o "hints['schema'] = 4; row['prefetch'] = 16" >one.hints
  compile $FORTRAN -O2 -fplugin-arg-cabprof-feedback=one.hints -c prefetch.f90
  python3 "$tests/link/records.py" other.o O >outcomes
  expect gathered_ 1
  [ "$(objdump -d other.o | grep -c prefetch)" = 1 ] && passed || failed "$(cat words)"
else
  skipped "$FORTRAN is not installed"
fi
finish
