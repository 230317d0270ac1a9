#!/bin/bash
# hints.sh - a hints file is shown as a table or as a patch, and the patched sources, compiled
# plainly, give the hinted code to the last instruction.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc g++ gfortran patch objdump python3

mkdir src && cp "$(dirname "$0")"/src/unroll* src
of=$(dirname "$0")/hints_of.py
compiler_of ()
{
  case $1 in *.cc) echo g++ ;; *.c) echo gcc ;; *) echo gfortran ;; esac
}

# code OBJECT: print its instructions.
code ()
{
  objdump -d --no-show-raw-insn --no-addresses "$1" | sed 1,3d
}

for file in src/*; do
  $(compiler_of "$file") -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=none -O2 -c "$file" \
    -o "$file.o" || fail "$file does not compile"
done
python3 "$of" 4 src/*.o >loops.hints || fail "no loop tables"

# The table is right.
expect 0 "$CABPROF" hints; quiet
prints '^sum +src/unroll.c +70  unroll 4$'
expect 0 "$CABPROF" hints --format=tsv; quiet
[ "$(head -n 1 \
  out)" = $'function\tfile\tline\tcolumn\tordinal\tunroll\tvectorize\tregisters\talign\tprefetch\tassembler\tchecksum' ] || fail "columns: $(head -n 1 out)"
[ "$(tail -n +2 out | cut -f 6 | sort -u)" = 4 ] || fail "factors: $(cat out)"
prints '^total<int>\(.*src/unroll.cc'

# The patch lists what is not in it.
expect 0 "$CABPROF" hints --patch
cp out all.patch
listed='unroll.c:42: .*goto or by a macro
unroll.c:46: .*goto or by a macro
unroll.c:50: .*a for without a condition
unroll.c:26: .*goto or by a macro
unroll.c:77: .*an endless loop
unroll.cc:10: .*in a template
unroll.cc:18: .*a declaration
unroll.f90:9: .*array expression
unroll.f90:9: .*several loops
unroll.f90:11: .*DO WHILE'
while read -r words; do
  grep -Eq "^cabprof: src/$words.*: not in the patch" err || fail "not listed: $words: $(cat err)"
done <<<"$listed"
[ "$(wc -l <err)" = "$(wc -l <<<"$listed")" ] || fail "more is listed than that: $(cat err)"
cp err listed
python3 "$of" 4 src/*.o -- listed >loops.hints
cp -r src hinted && mkdir patched && cp -r src patched
(cd patched && patch -s -p1 <../all.patch) || fail "patch does not take the patch"
[ "$(grep -ch 'unroll 4' patched/src/unroll.c)" = 11 ] ||
  fail "directives in unroll.c: $(grep -n unroll patched/src/unroll.c)"
version=$(gcc -dumpversion | cut -d. -f1)
for level in -O2 -O3; do
  for file in src/unroll*[!o]; do
    compiler=$(compiler_of "$file")
    $compiler -fplugin="$PLUGIN" -fplugin-arg-cabprof-feedback=loops.hints $level -c "$file" \
      -o hinted.o 2>words || fail "$file: $(cat words)"
    [ ! -s words ] || fail "$file: the compiler complains of the hints: $(cat words)"
    (cd patched && $compiler $level -c "$file" -o ../patched.o 2>../words) ||
      fail "$file: the patched source does not compile: $(cat words)"
    ! grep annotation words || fail "$file: the compiler ignores a directive: $(cat words)"
    $compiler $level -c "$file" -o plain.o
    code hinted.o >hinted.s; code patched.o >patched.s; code plain.o >plain.s
    diff hinted.s patched.s >difference ||
      fail "$file $level: the patched source gives other code than the hints: $(head difference)"
    # From GCC 16 on the vectorizer at -O3 makes the same of a factor of 4 and of none there.
    ! cmp -s hinted.s plain.s || { [ "$level$file" = -O3src/unroll.cc ] && [ $version -ge 16 ]; } ||
      fail "$file $level: the hints change nothing"
  done
done

# In the patched sources nothing is left to add; another factor replaces the directives.
cd patched || exit 1
rm -f src/*.o
for file in src/*; do
  $(compiler_of "$file") -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=none -O2 -c "$file" \
    -o "$file.o" 2>words || fail "$file: $(cat words)"
done
python3 "$of" 4 src/*.o >loops.hints
expect 0 "$CABPROF" hints --patch
[ ! -s out ] && grep -q 'loops.hints: 18 of its loops have their directive already' err ||
  fail "patched again: $(cat out err)"
python3 "$of" 8 src/*.o >loops.hints
expect 0 "$CABPROF" hints --patch -o again.patch
patch -s -p1 <again.patch || fail "patch does not take the second patch"
! grep -rn 'unroll 4' src || fail "directives of the old factor are left"
[ "$(grep -rh 'unroll 8' src | wc -l)" = 18 ] || fail "directives of the new factor are missing"
cd ..

# A hints file may say more than factors.
cat >loops.hints <<'end'
{ "schema": 3, "format": "cabprof hints", "every": 2, "loops": [
  { "function": "_Z1fv", "name": "void f()", "file": "x.y", "line": 1, "column": 1, "ordinal": 0, "checksum": "0000abcd", "unroll": 4 },
  { "function": "g", "file": "gone.c", "line": 1, "column": 1, "ordinal": 0, "checksum": "0000abcd", "unroll": 1 },
  { "function": "h", "file": "/usr/include/math.h", "line": 1, "column": 1, "ordinal": 0, "checksum": "0000abcd", "unroll": 4 },
  { "function": "m", "file": "src/unroll.c", "line": 12, "column": 3, "ordinal": 0, "checksum": "0000abcd", "unroll": 4, "flags": "m" },
  { "function": "i", "file": "src/unroll.c", "line": 12, "column": 17, "ordinal": 0, "checksum": "0000abcd", "unroll": 4 },
  { "function": "k", "file": "src/unroll.c", "line": 12, "column": 17, "ordinal": 0, "checksum": "0000abcd", "unroll": 8 },
  { "function": "v", "file": "src/unroll.c", "line": 14, "column": 10, "ordinal": 0, "checksum": "0000abcd", "unroll": 0, "vectorize": false },
  { "function": "r", "file": "src/unroll.c", "line": 14, "column": 10, "ordinal": 0, "checksum": "0000abcd", "unroll": 0, "registers": true },
  { "function": "s", "file": "src/unroll.c", "line": 14, "column": 10, "ordinal": 0, "checksum": "0000abcd", "align": 32 } ] }
end
expect 0 "$CABPROF" hints; quiet
prints '^f\(\) +x.y +1  unroll 4$'; prints ' do not unroll$'; prints ' do not vectorize$'
prints ' rename registers$'; prints ' align to 32$'
prints '^\* .*unroll 2, where nothing else is said$'
expect 0 "$CABPROF" hints --patch
[ ! -s out ] || fail "a patch of these hints: $(cat out)"
for words in 'x.y:1: .*made into C, C\+\+ or Fortran by a program' 'gone.c:1: .*not found' \
  'math.h:1: .*outside of the working directory' \
  'unroll.c:12: .*for m: it stands in a macro' 'for i: it has hints of different factors' \
  'for k: it has hints of different factors' \
  ': do not vectorize for v: .*no directive' ': rename registers for r: .*no directive' \
  ': align for s: .*no directive' \
  'loops.hints: unroll 2 for every other loop'; do
  grep -Eq "$words" err || fail "not listed: $words: $(cat err)"
done
sed -i '1i /* DO NOT EDIT. */' src/unroll-fixed.f
echo '{ "schema": 1, "format": "cabprof hints", "loops": [] }' >none.hints
expect 0 "$CABPROF" hints none.hints; quiet; prints 'no hints'

# For bad input there is one line that names the file.
expect 1 "$CABPROF" hints gone.hints; says 'gone.hints: '
for bad in '' '{' '[]' '{ "schema": 5, "format": "cabprof hints", "loops": [] }' \
  '{ "schema": 1, "format": "other", "loops": [] }' \
  '{ "schema": 1, "format": "cabprof hints", "loops": [ { "function": 3 } ] }'; do
  echo "$bad" >bad.hints
  expect 1 "$CABPROF" hints bad.hints; says 'bad.hints: '
done
expect 2 "$CABPROF" hints --patch --format=tsv; says '--format: a patch'
expect 2 "$CABPROF" hints -o x; says '-o: goes with --patch'
expect 2 "$CABPROF" hints a b; says 'b: one file'
