#!/bin/bash
# trials.sh - trials of loops: what became of each copy is what becomes of a build with its hint;
# the program does what it did; threads, fork, recursion, exceptions and longjmp; what cannot be
# tried, and what is no trial, is told.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
tests=$top/testsuite
cabprof=$build/bin/cabprof
FORTRAN=$(sed 's/gcc\([^/]*\)$/gfortran\1/' <<<"$CC")
every=4
[ "$CAB_EXTENT" != all ] || every=1

# named COMPILER FILE: write the innermost loops of FILE to named.json.
named ()
{
  "$1" "${plugin[@]}" -fplugin-arg-cabprof-events=none -O1 -c "$2" -o tables.o &&
    "$cabprof" trials --name=tables.o -o named.json
}

# equal COMPILER FILE LEVEL
equal ()
{
  enter "$2, $3"
  cp "$tests/link/src/loops/$2" . && named "$1" "$2" &&
    python3 "$tests/link/trials.py" "$build/cabprof.so" "$1" "$2" "$3" named.json $every \
      >said 2>&1 &&
    passed || failed "$(cat said)"
}
equal $CC kernels.c -O2
equal $CC kernels.c -O3
equal $CXX kernels.cc -O2
equal $CC prefetch.c -O2
if command -v $FORTRAN >/dev/null; then
  equal $FORTRAN kernels.f90 -O3
else
  skipped "$FORTRAN is not installed"
fi

# built ARGUMENTS...: compile turns.cc with trials to `tried', and without to `plain'.
built ()
{
  cp "$tests/link/src/trials/turns.cc" . && named $CXX turns.cc &&
    $CXX "$@" turns.cc -o plain &&
    $CXX "${plugin[@]}" -fplugin-arg-cabprof-trials=named.json "$@" turns.cc -o tried 2>words
}

# value FUNCTION COLUMN: print COLUMN of the first row of FUNCTION.
value ()
{
  "$cabprof" trials --format=tsv 2>problems | awk -F'\t' -v f="$1" -v c="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["function"] ~ "^" f { print $at[c]; exit }'
}

# The child has rounds of its own, and none of its parent's: its file is a second process.
turns ()
{
  enter "turns, $*"
  built "$@" && ./plain >expected && ./tried >got && diff expected got >difference ||
    { failed "$(cat words difference)"; return; }
  [ "$(ls cabprof.data)" = "$(cd cabprof.data && ls trials-*.tsv)" ] &&
    [ "$(ls cabprof.data | wc -l)" = 2 ] || failed "$(ls cabprof.data)"
  [ "$(value sum iterations)" = 4096.000000 ] && [ ! -s problems ] ||
    failed "sum: $(value sum iterations) iterations; $(cat problems)"
  [ "$(value sum rounds)" -ge 8 ] || failed "sum: $(value sum rounds) rounds"
  [ "$(cat cabprof.data/* | awk '/^f\tnested|^f\t_Z6nested/ { is = 1 } /^f\t.*(sum|leaves)/ { is = 0 }
    is && /^r/ { n++ } END { print (n > 0) }')" = 1 ] || failed "recursion: no round"
  [ "$(cat cabprof.data/* | awk '/^f/ { is = /leaves/ } is && /^t/ { n += $2 } END { print n }')" = 600 ] ||
    failed "abandoned: $(cat cabprof.data/* | grep '^t')"
  "$cabprof" report loops 2>said | grep -q "Trials in one run" &&
    "$cabprof" report loops --format=json 2>>said | grep -q '"hint":"unroll 4, align to 64"\|"hint": "unroll 4, align to 64"' ||
    failed "report: $(cat said)"
  passed
}
turns -O2 -pthread
turns -O3 -pthread -fPIC -pie -g
turns -O2 -pthread -static
turns -O2 -pthread -masm=intel

enter "hints of trials"
built -O2 -pthread && ./tried >got && "$cabprof" trials -o hints.json 2>problems &&
  "$cabprof" hints hints.json >shown &&
  $CXX "${plugin[@]}" -fplugin-arg-cabprof-feedback=hints.json -O2 -c turns.cc -o hinted.o \
    2>words &&
  [ ! -s words ] && passed || failed "$(cat words problems shown)"

# Each distance is a copy of its own where the loop has something to prefetch.
enter "prefetches"
cat >gather.c <<'END'
#include <stdio.h>
static int at[1 << 14];
static double value[1 << 14];
__attribute__ ((noinline)) static double
gather (int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += value[at[i]];
  return sum;
}
int main (void)
{
  double sum = 0;
  for (int i = 0; i < 1 << 14; i++)
    at[i] = i * 77 & ((1 << 14) - 1), value[i] = i;
  for (int i = 0; i < 1500; i++)
    sum += gather ((1 << 14) - (i & 7));
  printf ("%g\n", sum);
  return 0;
}
END
named $CC gather.c && $CC -O2 gather.c -o plain && ./plain >expected &&
  $CC "${plugin[@]}" -fplugin-arg-cabprof-trials=named.json -O2 gather.c -o tried 2>words &&
  ./tried >got && diff expected got &&
  "$cabprof" trials --format=tsv | awk -F'\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    $at["function"] == "gather" && $at["outcome"] ~ /prefetched:1/ && $at["decision"] !~ /same/ {
      print $at["hint"] }' >hints &&
  [ "$(sed 's/.*prefetch \([0-9]*\) ahead.*/\1/' hints | tr '\n' ' ')" = "4 8 16 32 64 " ] &&
  passed || failed "$(cat words hints)"

enter "too short"
built -O2 -pthread && ./tried short >got &&
  "$cabprof" trials --format=tsv | grep -q "too short: 0 rounds" && passed ||
  failed "$("$cabprof" trials 2>&1 | head -n 3)"

# In a function that is executed once, or cannot be copied, loops are copied side by side: each copy
# is executed, and does what its hint says.
enter "side by side"
cat >once.c <<'END'
#include <stdarg.h>
#include <stdio.h>
double a[4096], b[4096], c[4096];
static double
variable (int n, ...)
{
  double s = 0;
  va_list ap;
  va_start (ap, n);
  int least = va_arg (ap, int);
  for (int i = 0; i < n; i++)
    if (c[i] > least)
      s += c[i];
  va_end (ap);
  return s;
}
int
main (void)
{
  double s = 0;
  for (int i = 0; i < 4096; i++)
    a[i] = i, b[i] = 1.0 / (i + 1);
  for (int r = 0; r < 5000; r++)
    {
      for (int i = 0; i < 4096; i++)
	c[i] = a[i] * b[i] + r;
      for (int i = 0; i < 4096 && c[i] < 4900; i++)
	s += c[i] / 2;
      s += variable (r & 4095, 3);
    }
  printf ("%g %g\n", s, c[7]);
  return 0;
}
END
for level in -O2 -O3; do
  named $CC once.c && $CC $level once.c -o plain && ./plain >expected &&
    $CC "${plugin[@]}" -fplugin-arg-cabprof-trials=named.json $level -fchecking=2 once.c -o tried \
      2>words && rm -rf cabprof.data && ./tried >got && diff expected got >difference ||
    failed "$level: $(cat words difference)"
  [ "$(grep -c 'warning' words)" = 1 ] &&
    grep -q "main.*no trials of this loop: it is executed once, and so is the loop" words ||
    failed "$level: $(cat words)"
  "$cabprof" trials --format=tsv >tried.tsv 2>problems || failed "$level: $(cat problems)"
  # Three loops of 16 copies that are timed, of which those without a hint are references.
  awk -F'\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n[$at["function"] ":" $at["line"]]++; bad += $at["rounds"] < 8 }
    $at["decision"] == "reference" { references++ }
    $at["line"] == 27 && $at["iterations"] != 4096 { bad++ }
    END { for (loop in n) { loops++; bad += n[loop] != 16 }
      exit loops != 3 || references != 12 || bad }' tried.tsv || failed "$level: $(cat tried.tsv)"
done
objdump -d --no-show-raw-insn tried >listing
[ "$(grep -c 'call.*__cab_trial_enter' listing)" = 3 ] || failed "not three loops are entered"
# The time of a copy does not depend on how far it is from the choice.
[ "$(grep -c 'call.*__cab_trial_start' listing)" = 51 ] ||
  failed "$(grep -c 'call.*__cab_trial_start' listing) copies of 3 times 17 start their time"
# The vectorised copies of the first loop multiply pairs, the others do not.
[ "$(grep -c mulpd listing)" -ge 5 ] && [ "$(grep -c mulsd listing)" -ge 5 ] &&
  grep -q prefetcht0 listing && passed || failed "copies are alike"

# All loops are copied so if the file of their names asks for that.
enter "side by side on request"
cp "$tests/link/src/trials/turns.cc" . &&
  $CXX "${plugin[@]}" -fplugin-arg-cabprof-events=none -O1 -c turns.cc -o tables.o &&
  "$cabprof" trials --name=tables.o --beside -o named.json &&
  $CXX -O2 -pthread turns.cc -o plain && ./plain >expected &&
  $CXX "${plugin[@]}" -fplugin-arg-cabprof-trials=named.json -O2 -pthread -fchecking=2 turns.cc \
    -o tried 2>words && rm -rf cabprof.data && ./tried >got && diff expected got >difference ||
  failed "$(cat words difference)"
[ "$(cat cabprof.data/trials-*.tsv | awk '/^f/ { n++; bad += $2 !~ /\.loop/ }
  END { print (n > 0 && !bad) }')" = 1 ] || failed "a function was copied, or nothing"
[ "$(value sum iterations)" = 4096.000000 ] && passed ||
  failed "sum: $(value sum iterations) iterations; $("$cabprof" trials)"

# Each kind of function that cannot be copied is told, once, and is compiled as it is.
enter "what cannot be tried"
cat >odd.c <<'END'
#include <setjmp.h>
#include <stdarg.h>
jmp_buf back;
int variable (int n, ...)
{
  va_list ap;
  int s = 0;
  va_start (ap, n);
  for (int i = 0; i < n; i++)
    s += va_arg (ap, int);
  va_end (ap);
  return s;
}
int returns_twice (int *x, int n)
{
  if (setjmp (back))
    return 0;
  for (int i = 0; i < n; i++)
    x[i]++;
  return 1;
}
int jumps (int *x, int n)
{
  static void *const to[] = { &&a, &&b };
  goto *to[n & 1];
a:
  for (int i = 0; i < n; i++)
    x[i]++;
b:
  return n;
}
__attribute__ ((noreturn)) void stays (volatile int *x)
{
  for (;;)
    *x += 1;
}
int main (int argc, char **argv)
{
  for (int i = 0; i < argc; i++)
    argv[i][0]++;
  return 0;
}
END
named $CC odd.c &&
  $CC "${plugin[@]}" -fplugin-arg-cabprof-trials=named.json -O2 -c odd.c -o odd.o 2>words
for why in "returns_twice’: no trials of its loops: it calls setjmp" \
  "stays’: no trials of this loop: it does not return" \
  "main’: no trials of this loop: it is executed once, and so is the loop"; do
  [ "$(sed "s/'/’/2" words | grep -c "$why")" = 1 ] || failed "$why: $(cat words)"
done
[ "$(objdump -dr odd.o | grep -c __cab_trial_enter)" -ge 2 ] && passed ||
  failed "variable and jumps have no trials"

# refused WORDS ARGUMENTS...: the compilation must fail with WORDS.
refused ()
{
  $CC "${plugin[@]}" "${@:2}" -O2 -c one.c -o one.o 2>words && failed "$1: compiled"
  grep -q "$1" words && passed || failed "$1: $(cat words)"
}
enter "bad input"
echo 'void one (int *x, int n) { for (int i = 0; i < n; i++) x[i] += 3; }' >one.c
named $CC one.c
python3 - <<'END'
import json
named = json.load (open ("named.json"))
json.dump (dict (named, loops=named["loops"] * 2), open ("twice.json", "w"))
named["loops"][0]["checksum"] = "12345678"
json.dump (named, open ("changed.json", "w"))
END
refused "two rows are for one loop" -fplugin-arg-cabprof-trials=twice.json
refused "none.json: No such file" -fplugin-arg-cabprof-trials=none.json
refused "leave events= away" -fplugin-arg-cabprof-trials=named.json -fplugin-arg-cabprof-events=paths
refused "leave ‘-flto’ away\|leave '-flto' away" -fplugin-arg-cabprof-trials=named.json -flto
$CC "${plugin[@]}" -fplugin-arg-cabprof-trials=changed.json -O2 -c one.c -o one.o 2>words &&
  grep -q "the loop has changed" words && ! nm one.o | grep -q __cab_trial && passed ||
  failed "changed: $(cat words)"

# Objects of two builds in one program, and a directory with files of two programs.
enter "two builds"
for k in 1 2; do
  echo "int f$k (int *x, int n) { int s = $k; for (int i = 0; i < n; i++) s += x[i] * $k; return s; }" >f$k.c
  named $CC f$k.c &&
    $CC "${plugin[@]}" -fplugin-arg-cabprof-trials=named.json -O$k -c f$k.c
done
cat >both.c <<'END'
int x[1000], f1 (int *, int), f2 (int *, int);
int main (void)
{
  volatile int s = 0;
  for (int i = 0; i < 30000; i++)
    s += f1 (x, 1000) + f2 (x, 1000);
  return 0;
}
END
$CC both.c f1.o f2.o -o both && ./both && [ "$(value f1 iterations)" = 1000.000000 ] &&
  [ "$(value f2 iterations)" = 1000.000000 ] && [ ! -s problems ] && passed ||
  failed "$(cat problems; "$cabprof" trials | head)"
$CC "${plugin[@]}" -fplugin-arg-cabprof-trials=named.json -O3 -funroll-loops -c f2.c &&
  $CC both.c f1.o f2.o -o other && ./other && "$cabprof" trials >said 2>problems
[ "$(grep -c "f2 is of another program, or another build of it" problems)" = 1 ] && passed ||
  failed "$(cat problems)"

# A file is whole, or is not there.
enter "a directory that cannot be written"
echo 'int x[100]; __attribute__ ((noinline)) int f (int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
int main (void) { return f (100); }' >one.c
named $CC one.c && $CC "${plugin[@]}" -fplugin-arg-cabprof-trials=named.json -O2 one.c -o one 2>words
CABPROF_TRIALS=/proc/none ./one 2>said
grep -q "cabprof: /proc/none/trials-.*: cannot write the trials there" said && passed ||
  failed "$(cat said)"
CABPROF_TRIALS=there ./one 2>said && for file in there/*; do
  for bytes in 0 20 200; do
    mkdir -p "cut$bytes" && head -c $bytes "$file" >"cut$bytes/trials-1.tsv"
    "$cabprof" trials -d "cut$bytes" >shown 2>said && failed "$bytes bytes: accepted"
    grep -q "run the program again" said || failed "$bytes bytes: $(cat said)"
  done
done
passed
finish
