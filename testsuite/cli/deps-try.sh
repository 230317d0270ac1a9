#!/bin/bash
# deps-try.sh - `cabprof deps --try' keeps directives that make a program faster and leave what it
# prints; the program sleeps with or without OpenMP, so that the race has a known winner.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc make patch
echo 'int main (void) { return 0; }' >empty.c
gcc -fopenmp empty.c -o empty 2>/dev/null || skip "no libgomp"

mkdir tree && cd tree || exit
cat >prog.c <<'end'
#include <stdio.h>
#include <unistd.h>
#ifdef _OPENMP
enum { with = 1 };
#else
enum { with = 0 };
#endif
double a[1000];
int main (void)
{
  double sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += a[i] = i * 0.5;
  usleep (with == SLEEPS ? 200000 : 1000);
  printf ("sum %.9g\n", sum + with * ADDS);
  return 0;
}
end
printf 'prog: prog.c\n\tgcc -O1 $(FLAGS) prog.c -o prog\n' >Makefile
gcc -O1 -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory+loops -DSLEEPS=2 -DADDS=0 prog.c \
  -o profiled || fail "prog.c does not compile"
CABPROF_OPTIONS=analyses=deps ./profiled >/dev/null || fail "prog fails"
rm profiled

# try SLEEPS ADDS OPTION...: try it, where the program sleeps with OpenMP (1) or without it (0).
try ()
{
  "$CABPROF" deps --try --build "make -B FLAGS='-DSLEEPS=$1 -DADDS=$2'" --run ./prog "${@:3}" \
    >../out 2>../err
}
try 0 0 || fail "faster: $(cat ../err)"
grep -q '^1 directive: 0\.[0-9]* of the elapsed time .*: significantly faster$' ../out &&
  grep -q '^The patch is in deps.patch' ../out || fail "faster: $(cat ../out)"
grep -q '^+  #pragma omp parallel for reduction(+: sum)' deps.patch || fail "$(cat deps.patch)"
is "the tree" "$(ls | tr '\n' ' ')" "Makefile cabprof.data deps.patch prog.c "
rm deps.patch
try 0 1e-4 -o kept || fail "within the tolerance: $(cat ../err)"
[ -s kept ] || fail "a difference of 4e-10 is too much: $(cat ../out ../err)"
try 1 0 --pairs=5 && grep -q 'not significantly faster' ../out &&
  grep -q '^Nothing is kept' ../out || fail "slower: $(cat ../out ../err)"
try 0 5 && grep -q 'fails, or prints something else: not kept' ../err &&
  grep -q '^Nothing is kept' ../out || fail "another output: $(cat ../out ../err)"
[ ! -e deps.patch ] || fail "a patch is kept that changes the output"
expect 1 "$CABPROF" deps --try --build 'echo oops; false' --run ./prog
grep -q oops err && grep -q 'the build of the plain program failed: repair it' err ||
  fail "$(cat err)"
expect 1 "$CABPROF" deps --try --build "make -B FLAGS='-DSLEEPS=0 -DADDS=0'" --run 'date +%N'
grep -q 'prints something else each time' err || fail "$(cat err)"
# An interrupt leaves nothing behind; the temporary directory may have any name.
mkdir "../a 'b" && export TMPDIR="$PWD/../a 'b"
setsid "$CABPROF" deps --try --build "make -B FLAGS='-DSLEEPS=0 -DADDS=0'" \
  --run ': >../started; sleep 60' >../out 2>../err &
until [ -e "$TMPDIR"/*/started ] || ! kill -0 $!; do sleep 0.02; done
kill -INT -- -$!
wait $! && fail "an interrupt is a success"
grep -q 'interrupted: nothing is kept' ../err || fail "interrupted: $(cat ../err)"
is "what is left" "$(ls -A "$TMPDIR")" ""
expect 2 "$CABPROF" deps --try --build make
expect 2 "$CABPROF" deps --patch --run ./prog
