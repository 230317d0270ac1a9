#!/bin/bash
# deps-patch.sh - `cabprof deps --patch' makes programs in C, C++ and Fortran run in parallel that
# print the same; what cannot have a directive is named, and changed sources are refused.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc g++ gfortran patch
kernels=$(dirname "$0")/../oracle/src
echo 'int main (void) { return 0; }' >empty.c
gcc -fopenmp empty.c -o empty 2>/dev/null || skip "no libgomp"

# profiled SOURCE COMPILER LEVEL: leave SOURCE in the directory src, and its profile in profile.
profiled ()
{
  rm -rf src profile && mkdir src && cp "$1" src && cd src || exit
  "$2" "$3" -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory+loops "$(basename "$1")" \
    -o program -lm || fail "$1 does not compile"
  CABPROF_OPTIONS=data=../profile:analyses=deps ./program >../plain || fail "$1 fails"
  cd ..
}

# patched SOURCE COMPILER LEVEL: patch it; what it prints must be the same.
patched ()
{
  profiled "$@"
  (cd src && "$CABPROF" deps --patch -d ../profile --share=0 -o ../patch 2>../err) ||
    fail "$1 $3: $(cat err)"
  (cd src && patch -s -p1 <../patch) || fail "$1 $3: the patch does not apply"
  "$2" "$3" -fopenmp "src/$(basename "$1")" -o parallel -lm 2>err.gcc ||
    fail "$1 $3: $(cat err.gcc)"
  for threads in 1 2 4; do
    OMP_NUM_THREADS=$threads ./parallel >out && cmp out plain ||
      fail "$1 $3: prints something else with $threads threads"
  done
}

# has PATTERN LOOP: the line before the one with LOOP in the patch is added, and has PATTERN.
has ()
{
  grep -B1 -e "$2" patch | head -1 | grep -Eq "^\+ *$1\$" || fail "no $1 before $2: $(cat patch)"
}

for level in -O0 -O2; do
  patched "$kernels/verdicts.c" gcc "$level"
  has '#pragma omp parallel for reduction\(max: largest\) reduction\(\+: s\)' 'max)'
  has '#pragma omp parallel for reduction\(\+: sum\[:1\]\)' 'reduction of .sum '
  has '#pragma omp parallel for reduction\(\+: bins\)' 'reduction of bins'
  has '#pragma omp parallel for lastprivate\(conditional: last\) lastprivate\(t\)' \
    'value written last'
  has '#pragma omp parallel for linear\(k: 2\)' 'k grows by 2'
  has '#pragma GCC ivdep' 'copy of a'
  has '#pragma omp simd safelen\(8\)' 'vector ('
  grep -q 'members: s.plain is a member of a structure.*: not in the patch' err || fail "$(cat err)"
  ! grep -A9 'void previous\|double decays' patch | grep -q '^+ *#' ||
    fail "a carried loop: $(cat patch)"
  patched "$kernels/verdicts.cc" g++ "$level"
  grep -q 'throw or longjmp may leave it: not in the patch' err || fail "$(cat err)"
  patched "$kernels/verdicts.f90" gfortran "$level"
  has '!.omp   private\(j, t\)' 'do i = 1, k . IS parallel after: private t'
done

# Loops that are parallel but not of the form that OpenMP takes.
cat >forms.c <<'end'
int a[99], b[99];
__attribute__ ((noipa)) void run (int n)
{
  int i = 0;
  do
    a[i] = 1;
  while (++i < n);
  for (int k = 0; k != n; k += 3)
    a[k] = 2;
  int last = 0;
  while (last < n)
    b[last++] = 3;
#pragma GCC unroll 2
  for (int k = 0; k < n; k++)
    b[k] += 1;
  for (int k = 0, m = n; k < m; k++)
    b[k] += 2;
  for (i = 0; i < n; i++)
    a[i] += 1;
  b[0] = i;
#define LOOP for (int k = 0; k < n; k++) a[k] *= 2;
  LOOP
}
int main (void) { run (99); return 0; }
end
profiled forms.c gcc -O0
(cd src && "$CABPROF" deps --patch -d ../profile >../patch 2>../err) || fail "$(cat err)"
for words in '6: run: its test is at its end' '8: run: its test is !=' '11: run: it is no for' \
  '14: run: a pragma of GCC stands before it' '16: run: the head of the for sets several' \
  '22: run: it stands in a macro'; do
  grep -q "forms.c:$words.*: not in the patch" err || fail "no $words: $(cat err)"
done
is "directives" "$(grep '^+ ' patch)" "+  #pragma omp parallel for lastprivate(i)"

# A source that has changed is refused, whatever its time says.
touch -r src/forms.c stamp && echo '/* more */' >>src/forms.c && touch -r stamp src/forms.c
(cd src && expect 1 "$CABPROF" deps --patch -d ../profile)
grep -q 'sources have changed since the build: no patch: build and run it again' src/err ||
  fail "changed: $(cat src/err)"
[ ! -s src/out ] || fail "a patch of a changed source"
expect 2 "$CABPROF" deps -d profile
gcc -g -O0 "-fplugin=$PLUGIN" forms.c -o program && CABPROF_OPTIONS=data=none ./program
expect 1 "$CABPROF" deps --patch -d none
grep -q 'dependences were not analysed: compile with' err || fail "$(cat err)"
