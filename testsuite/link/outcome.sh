#!/bin/bash
# outcome.sh - the plugin reports what became of each source loop, from the compiler's own state;
# part of it is compared with the code.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
tests=$top/testsuite
src=$tests/link/src/loops
version=$($CC -dumpversion | cut -d. -f1)

# all_words FILE: print a line per source loop and function that holds its code: HOLDER ORIGIN/N
# WORDS; N counts the loops of that origin from 0.
all_words ()
{
  python3 "$tests/link/records.py" "$1" O | awk -F'\t' '
    /^O/ { holder = $2; split ("", n) }
    /^o/ { print holder, $2 "/" n[$2]++ + 0, $5 }' | sort
}

# became FILE: print the same, without the vectorizer's sentences.
became () { all_words "$1" | sed 's/,novector:[^,]*//'; }

# check NAME FILE: check that the loops of FILE became what standard input has; other loops may be
# there as well.
check ()
{
  local line bad=
  name=$1
  became "$2" >became
  while read -r line; do
    grep -qxF -- "$line" became || bad+=$'\n'"expected: $line; is: $(grep -- "^${line% *} " became)"
  done
  [ -z "$bad" ] && passed || failed "$bad"
}

enter "loops of all kinds"
cp "$src"/* .
outcome ()
{
  run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-outcome "$@" -c kernels.c -o kernels.o
}
outcome -O1 && check "-O1" kernels.o <<'end'
saxpy saxpy/0 scalar
clear clear/0 scalar
three three/0 peeled
nothing nothing/0 scalar
inlined mixed/0 scalar
inlined inlined/0 scalar
end
outcome -O3 && check "-O3" kernels.o <<'end'
saxpy saxpy/0 vector:16
dot dot/0 vector:16
find find/0 scalar
add add/0 vector:16
overlap overlap/0 vector:16,versioned
clear clear/0 memset
three three/0 peeled
choose choose/0 vector:16,versioned
inlined mixed/0 scalar
macros macros/0 vector:16
macros macros/1 vector:16
nothing nothing/0 gone
words words/2 scalar
end
# From GCC 15 on loops that may end early are vectorized, too.
search=unrolled:8
[ $version -lt 15 ] || search=unrolled:8,vector:32
[ $version -lt 16 ] || search=unrolled:4,vector:32
outcome -O3 -mavx2 -funroll-loops && check "-O3 -mavx2 -funroll-loops" kernels.o <<end
saxpy saxpy/0 unrolled:8,vector:32
find find/0 $search
overlap overlap/0 unrolled:8,vector:32,versioned
clear clear/0 memset
three three/0 peeled
inlined mixed/0 unrolled:8
inlined inlined/0 scalar
nothing nothing/0 gone
words words/2 scalar
end
# Without the option there is no record, and the code is the same.
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O3 -c kernels.c -o plain.o
name="without"
[ -z "$(became plain.o)" ] && passed || failed "records of outcomes: $(became plain.o | head -n 3)"
outcome -O3
name="same code"
diff <(objdump -d plain.o | sed 1,3d) <(objdump -d kernels.o | sed 1,3d) >difference && passed ||
  failed "$(head difference)"

# The record has factors, and reasons why not.
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 -c why.c -o tables.o
python3 "$tests/cli/hints_of.py" 8 tables.o >loops.hints
hinted ()
{
  run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-feedback=loops.hints "$@" -c why.c -o why.o
}
# From GCC 15 on larger loops are unrolled, and a loop with a factor is vectorized at -O2. GCC 16's
# vectorizer follows the factor: one of 8 means two vectors of four numbers for each jump.
for level in -O1 -O2 "-O2 -g"; do
  small=unrolled:8 large=scalar,hinted:8,why:big
  [ $version -lt 15 ] || large=unrolled:8,hinted:8
  [ $version -lt 15 ] || [ "$level" = -O1 ] || small=unrolled:8,vector:16
  [ $version -lt 16 ] || [ "$level" = -O1 ] || small=vector:16
  hinted $level && check "factors, $level" why.o <<end
plain plain/0 $small,hinted:8
cold cold/0 scalar,hinted:8,why:size
few few/0 peeled,hinted:8
seldom seldom/0 scalar,hinted:8,why:iterations
big big/0 $large
branches branches/0 scalar,hinted:8,why:branches
outer outer/0 scalar,hinted:8,why:outer
outer outer/1 unrolled:8,hinted:8
end
done
hinted -Os && check "factors, -Os" why.o <<'end'
plain plain/0 scalar,hinted:8,why:size
branches branches/0 scalar,hinted:8,why:size
end
python3 "$tests/cli/hints_of.py" 1 tables.o >loops.hints
hinted -O3 -funroll-loops && check "factor 1" why.o <<'end'
plain plain/0 vector:16,hinted:1
seldom seldom/0 scalar,hinted:1
outer outer/0 scalar,hinted:1
few few/0 scalar,hinted:1
end

# At a link, loops were compiled elsewhere, inlined from another unit, and are in partitions.
enter "link"
cat >main.c <<'end'
extern int sum (const int *p, int n);
extern void scale (double *p, int n);
int a[1000];
double d[1000];
static int __attribute__ ((noinline, noclone)) local (int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 5 ^ i; return s; }
int main (int argc, char **argv) { scale (d, argc + 500); return sum (a, argc + 500) + local (argc); }
end
cat >other.c <<'end'
int sum (const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 ^ p[i]; return s; }
static int __attribute__ ((noinline, noclone)) local (int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 7 ^ i; return s; }
void __attribute__ ((noinline, noclone)) scale (double *p, int n) { double f = 3 + local (n); for (int i = 0; i < n; i++) p[i] *= f; }
end
for file in main other; do run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O3 -flto \
  -c $file.c -o $file.o; done
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O3 main.c other.c -o tables &&
  python3 "$tests/cli/hints_of.py" 4 tables >loops.hints
for more in "" -flto-partition=none "-flto-partition=max -g"; do
  run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-outcome -O3 -flto=2 $more main.o other.o \
    -o program && check "-flto $more" program <<'end'
scale scale/0 vector:16
main sum/0 scalar
end
  [ "$(grep -c '^local.* local/0 scalar$' became)" = 2 ] && passed ||
    failed "the two functions of one name: $(grep local became)"
done
for file in main other; do run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-feedback=loops.hints \
  -O3 -flto -c $file.c -o $file.o; done
factor=unrolled:4,vector:16
[ $version -lt 16 ] || factor=vector:16
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-feedback=loops.hints -O3 -flto=2 main.o other.o \
  -o program && check "-flto, hinted" program <<end
scale scale/0 $factor,hinted:4
main sum/0 unrolled:4,hinted:4
end

# GCC forgets directives at the link, except where it inlines code that has them: without hints the
# program is the one that GCC makes alone, and a hint restores none of them.  From GCC 13 on it
# keeps them at -O2, where it runs the unroller for small loops anyway, and from GCC 15 on at -O1.
cat >directive.c <<'end'
int total (const int *p, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) s = s * 3 ^ p[i];
#pragma GCC unroll 6
  for (int i = 0; i < n; i++) s = s * 5 ^ p[i];
  return s;
}
int __attribute__ ((noinline, noclone)) other (const int *p, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++) s = s * 9 ^ p[i];
#pragma GCC unroll 6
  for (int i = 0; i < n; i++) s = s * 7 ^ p[i];
  return s;
}
int a[1000];
int main (int argc, char **argv) { return total (a, argc + 500) + other (a, argc + 500); }
end
echo '{ "schema": 1, "format": "cabprof hints", "cabprof": "0.1", "loops": [] }' >none.hints
code ()
{
  objdump -d --no-show-raw-insn "$1" | sed -n '/<main>:\|<total>:\|<other>:/,/^$/p' |
    sed 's/^ *[0-9a-f]*:\t//; s/[0-9a-f]* </</; s/# .*//; s/0x[0-9a-f]*(%rip)/(%rip)/'
}
name="-flto, directives, no hints"
run_quiet $CC -O2 -flto directive.c -o plain && run_quiet $CC "${plugin[@]}" \
  -fplugin-arg-cabprof-feedback=none.hints -O2 -flto directive.c -o program &&
  code plain >plain.s && code program >program.s && [ -s plain.s ] &&
  diff plain.s program.s >difference && passed || failed "other code: $(head difference)"
forgotten="scalar,hinted:6,why:link"
[ $version -lt 13 ] || forgotten="unrolled:4,hinted:6"
check "-flto, directives" program <<end
main total/0 unrolled:4,hinted:6
main total/1 scalar
other other/1 $forgotten
other other/0 scalar
end
name="-O1 -flto, directives, no hints"
run_quiet $CC -O1 -flto directive.c -o plain && run_quiet $CC "${plugin[@]}" \
  -fplugin-arg-cabprof-feedback=none.hints -O1 -flto directive.c -o program &&
  code plain >plain.s && code program >program.s && [ -s plain.s ] &&
  diff plain.s program.s >difference && passed || failed "other code: $(head difference)"
at_O1="scalar,hinted:6,why:link"
[ $version -lt 15 ] || at_O1="unrolled:4,hinted:6"
check "-O1 -flto, directives" program <<end
other other/1 $at_O1
other other/0 scalar
end
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 directive.c -o tables &&
  python3 "$tests/cli/hints_of.py" 4 tables >all.hints
python3 \
  -c 'import json; h = json.load (open ("all.hints")); h["loops"] = [l for l in h["loops"] if l["line"] == 12]; json.dump (h, open ("loops.hints", "w"))'
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-feedback=loops.hints -O2 -flto directive.c \
  -o program && check "-flto, a hint beside directives" program <<end
main total/0 unrolled:4,hinted:6
other other/1 $forgotten
other other/0 unrolled:4,hinted:4
end

# From GCC 13 on, -O2 unrolls small loops for x86.  That is reported; factor 1 and the option turn
# it off, and a larger factor is followed as before.
cat >small.c <<'C'
void fill (long *p, long x, int n) { for (int i = 0; i < n; i++) p[i] = x; }
C
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-events=none -O2 -c small.c -o tables.o
# copies WORDS: check that of "fill", the record of small.o has WORDS, and that its code has the
# number of copies of the store that these mean.
copies ()
{
  local n=${1#unrolled:} has
  case $1 in scalar*) n=1 ;; *) n=${n%%,*} ;; esac
  became small.o >became
  has=$(objdump -d --no-show-raw-insn small.o | grep -c "mov  *%.*,.*(%r")
  grep -qxF "fill fill/0 $1" became || failed "expected: $1; is: $(grep fill became)"
  [ "$has" -ge "$n" ] && { [ "$n" -gt 1 ] || [ "$has" = 1 ]; } && passed ||
    failed "$has copies for $1"
}
for factor in none 0 1 2 4; do
  what="-fplugin-arg-cabprof-feedback=loops.hints" hinted=",hinted:$factor"
  case $factor in
    none) what="-fplugin-arg-cabprof-outcome" hinted= ;;
    *) python3 "$tests/cli/hints_of.py" $factor tables.o >loops.hints ;;
  esac
  [ $factor != 0 ] || hinted=
  small=scalar
  [ $version -lt 13 ] || small=unrolled:2
  [ $factor != 1 ] || small=scalar
  [[ $factor != [24] ]] || small=unrolled:$factor
  name="small loops, -O2, factor $factor"
  run_quiet $CC "${plugin[@]}" $what -O2 -fno-tree-vectorize -c small.c -o small.o &&
    copies "$small$hinted"
done
name="small loops, -O2 -fno-unroll-loops"
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-outcome -O2 -fno-tree-vectorize \
  -fno-unroll-loops -c small.c -o small.o && copies scalar

# Jump threading may give a loop a second entry, and GCC then has no loop for it: GCC 14 does so
# here.  The code is still there, and has a range.
cat >entries.c <<'C'
int steps (int m)
{
  int s = 0;
  while (m > 1)
    {
      m = m % 2 ? 3 * m + 1 : m / 2;
      s++;
    }
  return s;
}
C
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-outcome -O3 -c entries.c -o entries.o &&
  check "a loop with two entries" entries.o <<'end'
steps steps/0 scalar
end
name="a loop with two entries has a range"
objdump -h entries.o | grep -q '\.debug\.cabprof_loops' && passed || failed "it has none"

# The record has what the compiler itself reports: why a loop is not vectorised, and which loops
# were interchanged; -fopt-info is the oracle.
cat >told.c <<'C'
#include <stdio.h>
int find (char *a, int n) { for (int i = 0; i < n; i++) if (a[i] == 3) return i; return n; }
void chain (double *a, int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] * 3; }
void calls (int n) { for (int i = 1; i < n; i++) puts ("x"); }
void simple (int *a, int n) { for (int i = 0; i < n; i++) a[i] += i; }
void turned (double a[100][100], int n)
{
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] = a[j][i] * 3;
}
C
run_quiet $CC "${plugin[@]}" -fplugin-arg-cabprof-outcome -O3 -c told.c -o told.o
all_words told.o | sed 's|turned/0 vector:16,|turned/0 |' >is   \
  # gcc-11 takes the vector loop for both
name="the compiler's own words"
case $version in
  1[123]) exits="control flow in loop" ;;
  14) exits="early breaks not supported: vectorization would read beyond size of obj" ;;
  *) exits="can't vectorize early exit because the target doesn't support flag setting vecto" ;;
esac
diff - is <<end && passed || failed "other words"
calls calls/0 scalar,novector:loop contains function calls or data references that cannot be analyzed
chain chain/0 scalar,novector:possible dependence
find find/0 scalar,novector:$exits
simple simple/0 vector:16
turned turned/0 interchanged
turned turned/1 vector:16,interchanged
end
$CC -O3 -fopt-info-vec-missed-internals=missed -c told.c -o plain.o &&
  $CC -O3 -fopt-info-loop-optimized=oracle -c told.c -o plain.o
name="the compiler's own words, as -fopt-info has them"
grep -q 'told.c:8:.*loops interchanged in loop nest' oracle &&
  grep -q 'told.c:3:.*possible dependence' missed && grep -q "told.c:2:.*$exits" missed &&
  passed || failed "$(cat oracle missed)"
name="listening changes no code"
diff <(objdump -d plain.o | sed 1,3d) <(objdump -d told.o | sed 1,3d) >difference && passed ||
  failed "$(head difference)"
# A user of the same option still gets the compiler's report.
$CC -O3 -fopt-info-vec-missed=theirs -c told.c -o plain.o && run_quiet $CC "${plugin[@]}" \
  -fplugin-arg-cabprof-outcome -O3 -fopt-info-vec-missed=ours -c told.c -o told.o
name="-fopt-info stays the user's"
diff theirs ours && ! all_words told.o | grep -q novector && passed ||
  failed "other than without the plugin"

# The loops of C++ come from the program's own templates and the library's; Fortran has array
# expressions.
enter "C++"
run_quiet $CXX "${plugin[@]}" -fplugin-arg-cabprof-outcome -O3 -c "$src/kernels.cc" -o kernels.o &&
  check "C++" kernels.o <<'end'
_Z3sumIiET_PKS0_i _Z3sumIiET_PKS0_i/0 vector:16
_Z3sumIdET_PKS0_i _Z3sumIdET_PKS0_i/0 vector:16
_Z5countRKSt6vectorIiSaIiEEi _Z5countRKSt6vectorIiSaIiEEi/0 vector:16
end
fortran=$(sed 's/gcc\([^/]*\)$/gfortran\1/' <<<"$CC")
if command -v $fortran >/dev/null; then
  enter "Fortran"
  run_quiet $fortran "${plugin[@]}" -fplugin-arg-cabprof-outcome -O3 -c "$src/kernels.f90" \
    -o kernels.o && check "Fortran" kernels.o <<'end'
__kernels_MOD_smooth __kernels_MOD_smooth/0 vector:16
__kernels_MOD_steps __kernels_MOD_steps/0 scalar
end
else
  skipped "$fortran is not installed"
fi
# A function with a cold part: the compiler checks that its blocks hold what they should.
enter "checked, cold part"
echo 'int may (int);
int guarded (const int *p, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    try { s += may (p[i]); } catch (int e) { s -= e; }
  return s;
}' >cold.cc
$CXX "${plugin[@]}" -fplugin-arg-cabprof-outcome -O2 -fchecking=2 -c cold.cc 2>words &&
  nm cold.o | grep -q "guarded.*cold" && passed || failed "$(head -n 3 words)"
finish
