#!/bin/bash
# special.sh - unusual links and processes work: without a C library, with DSOs that come and go,
# with objects of two compilers or of two versions.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
src=$top/testsuite/link/src
unset CABPROF_OPTIONS

# runs EXPECTED-STATUS EXPECTED-OUTPUT COMMAND...: run COMMAND with its profile in data/, and check
# both.
runs ()
{
  local status=$1 output=$2 said got
  shift 2
  said=$(CABPROF_OPTIONS=data=$PWD/data "$@" 2>&1)
  got=$?
  [ $got = $status ] && [ "$said" = "$output" ] && return 0
  failed "exit status $got: $said"
  return 1
}

for how in -nostdlib "-nostdlib -shared -fPIC -Wl,-e,_start -Wl,--no-dynamic-linker" \
  "-nostdlib -pie -fPIE"; do
  enter "$how"
  run_quiet $CC "${plugin[@]}" -O2 $how $src/nolibc.c -o prog && passed
done
enter "-nostdlib runs"
run_quiet $CC "${plugin[@]}" -O2 -nostdlib -fPIC $src/nolibc.c -static -o prog &&
  runs 7 "" ./prog && passed
enter "-ffreestanding: not even storage for threads"
run_quiet $CC "${plugin[@]}" -O2 -nostdlib -ffreestanding -static $src/nolibc.c -o prog &&
  runs 7 "" ./prog && passed
enter "-nostdlib, its storage from the loader"
run_quiet $CC "${plugin[@]}" -O2 -nostdlib -pie -fPIE $src/nolibc.c \
  -Wl,--dynamic-linker=/lib64/ld-linux-x86-64.so.2 -o prog && runs 7 "" ./prog && passed

# A DSO is opened and closed, in a program with probes and in one without.
for host in with without; do
  for how in -O2 "-O2 -flto" "-O2 -fuse-ld=gold" "-O2 -fuse-ld=lld"; do
    has_linker "$how" || continue
    enter "dlopen by a program $host probes, $how"
    probes=("${plugin[@]}")
    [ $host = without ] && probes=()
    run_quiet $CC "${probes[@]}" $how $src/host.c -o host && run_quiet $CC "${plugin[@]}" $how \
      -fPIC -shared $src/c.c -o c.so || continue
    runs 0 62 ./host ./c.so && check_calls rest 20 && passed
  done
done
enter "errno and dlerror are as without us"
run_quiet $CC "${plugin[@]}" -O2 $src/host.c -o host && runs 0 0 ./host && passed

enter "a linked DSO's constructor comes before the program's"
run_quiet $CC "${plugin[@]}" -O2 -fPIC -shared $src/c.c -o libc_.so &&
  run_quiet $CXX "${plugin[@]}" -O2 $src/a.cc $src/b.cc libc_.so -Wl,-rpath,"$PWD" -o prog \
  && runs 0 "366 3" ./prog && check_calls rest 10 && check_calls main 1 && check_ended && passed
for how in -O0 "-O2 -no-pie" "-O2 -fuse-ld=lld" "-O2 -fuse-ld=gold -flto"; do
  has_linker "$how" || continue
  enter "the heap is as without us, $how"
  run_quiet $CC $how $src/heap.c -o plain && run_quiet $CC "${plugin[@]}" $how $src/heap.c \
    -o prog && runs 0 "$(./plain)" ./prog && check_calls main 1 \
    && check_ended && passed
done

enter "a thread's first probe, before the constructors"
cat >early.c <<'END'
#include <unistd.h>
__attribute__ ((noinline, noclone)) int f (int x) { return x; }
static void early (void) { f (1); }
__attribute__ ((section (".preinit_array"), used)) static void (*entry) (void) = early;
int main (void) { return f (0); }
END
run_quiet $CC "${plugin[@]}" -O2 early.c -o prog && runs 0 "" ./prog && check_calls main 1 && passed

for how in -O0 -O1 "-O2 -fno-toplevel-reorder"; do
  enter "link-time compilation of a shared object of inline functions, $how"
  echo 'int sum_of (int); int main () { return sum_of (5); }' >main.cc
  flags=("${plugin[@]}" -fplugin-arg-cabprof-events=paths,calls $how -flto -fPIC)
  run_quiet $CXX "${flags[@]}" -c $src/inlines.cc && run_quiet $CXX "${flags[@]}" \
    -shared inlines.o -o libinlines.so \
    && run_quiet $CXX "${plugin[@]}" main.cc libinlines.so -Wl,-rpath,"$PWD" -o prog &&
    runs 23 "" ./prog && check_calls "sum_of(int)" 1 && passed
done

other=gcc-$other_version
enter "objects of $CC and $other"
if command -v $other >/dev/null &&
  [ -e "$build/cabprof/gcc-$($other -dumpversion | cut -d. -f1).so" ]; then
  run_quiet $CXX "${plugin[@]}" -O2 -c $src/a.cc && run_quiet ${other/gcc/g++} "${plugin[@]}" -O1 \
    -c $src/b.cc \
    && run_quiet $other "${plugin[@]}" -O0 -c $src/c.c && run_quiet $CXX a.o b.o c.o -o prog &&
    runs 0 "366 3" ./prog \
    && check_calls "twice(int)" 20 && check_calls rest 10 && passed
else
  skipped "$other is not installed, or no module was built for it"
fi

# The stub of another version belongs to another group; the linker's message then names the fault.
enter "objects of two versions of cabprof"
$CXX "${plugin[@]}" -O2 -c $src/a.cc && $CXX -O2 -c $src/b.cc && $CC "${plugin[@]}" -O2 \
  -S $src/c.c &&
  sed 's/__cab_stub_[0-9]*/__cab_stub_999/; s/__cab_ctx_[0-9]*,/__cab_ctx_999,/' c.s >c2.s &&
  $CC -c c2.s || failed "does not compile"
said=$($CXX a.o b.o c2.o -o prog 2>&1) && failed "links" || {
  grep -q \
    "multiple definition of .*__cab_objects_of_two_cabprof_versions__compile_all_with_one" <<<"$said" && passed || failed "$said"; }

# Symbols of records would be offsets in the section, which tools such as valgrind take for
# addresses in the code.
enter "records have no symbols"
$CXX "${plugin[@]}" -O2 -c $src/a.cc && $CXX "${plugin[@]}" -O2 -c $src/b.cc && $CC "${plugin[@]}" \
  -O2 -c $src/c.c && $CXX a.o b.o c.o -o prog || failed "does not link"
readelf -SW prog | grep -q ' \.cabprof_info ' && ! nm prog | grep -i cab_info && passed ||
  failed "no records, or with symbols"

# The source's name is mapped: objects are the same bytes whatever the directory.
enter "prefix maps"
mkdir one two
cp $src/c.c one && cp $src/c.c two
for d in one two; do
  (cd $d && $CC "${plugin[@]}" -O2 -g -ffile-prefix-map="$PWD"=/src -c "$PWD/c.c" -o ../$d.o) ||
    failed "does not compile"
done
cmp -s one.o two.o || failed "the objects differ"
echo 'int main (void) { return 0; }' >main.c
$CC main.c one.o -o prog
[[ "$(python3 $top/testsuite/link/records.py prog U)" == *$'\t/src/c.c\t/src\t'* ]] && passed ||
  failed "$(python3 $top/testsuite/link/records.py prog U)"

enter "odd names"
cat >odd.c <<'END'
int ver (int x) __asm__ ("odd.$name.1");
__attribute__ ((noinline)) int ver (int x) { return x; }
__attribute__ ((noinline)) int größe (int x) { return x + 1; }
__attribute__ ((noinline)) int $dollar$ (int x) { return x + 2; }
int main (void) { return ver (0) + größe (-1) + $dollar$ (-2); }
END
run_quiet $CC "${plugin[@]}" -O2 odd.c -o prog && runs 0 "" ./prog && check_calls main 1 && passed

enter "-fno-common -fdata-sections -fsanitize=undefined,address"
run_quiet $CXX "${plugin[@]}" -fdata-sections -fsanitize=undefined,address -c $src/a.cc &&
  run_quiet $CXX "${plugin[@]}" -fsanitize=undefined,address -c $src/b.cc \
  && run_quiet $CC "${plugin[@]}" -fsanitize=undefined,address -c $src/c.c &&
  run_quiet $CXX -fsanitize=undefined,address a.o b.o c.o -o prog \
  && ASAN_OPTIONS=detect_leaks=0 runs 0 "366 3" ./prog && check_calls "twice(int)" 20 && passed

# GCC streams such a unit twice.
for how in -O2 "-O0 -flto" "-O2 -flto" "-O2 -flto -ffat-lto-objects -fPIC"; do
  enter "omp target, $how"
  cat >target.c <<'END'
#pragma omp declare target
__attribute__ ((noinline, noclone)) int twice (int x) { return 2 * x; }
#pragma omp end declare target
int main (void)
{
  int s = 0;
#pragma omp target teams distribute parallel for reduction (+:s) map (tofrom: s)
  for (int i = 0; i < 100; i++)
    s += twice (i);
  return s != 9900;
}
END
  run_quiet $CC "${plugin[@]}" -fopenmp -Wno-deprecated-openmp $how -c target.c -o target.o &&
    run_quiet $CC -fopenmp -Wno-deprecated-openmp $how target.o -o prog &&
    runs 0 "" ./prog && check_calls twice 100 && check_ended && passed
done
finish
