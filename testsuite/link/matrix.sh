#!/bin/bash
# matrix.sh - one program is linked in every way there is: each link is silent, prints the same, has
# one row per function, keeps the rows of live functions, and counts right.
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 600
. "$(dirname "$0")/lib.sh"
src=$top/testsuite/link/src

# try NAME WHAT -- FLAGS FOR COMPILING -- FLAGS FOR LINKING: build the program with these flags, and
# check all of the above. WHAT has words: gc (rows of dead functions must be gone), keep (they must
# be there), nonote (no context in the program itself).
try ()
{
  name=$1 what=$2
  shift 3
  local compile=() link=()
  while [ "$1" != -- ]; do compile+=("$1"); shift; done
  shift
  link=("$@")
  enter "$name"
  run_quiet $CXX "${plugin[@]}" "${compile[@]}" -c $src/a.cc -o a.o || return
  run_quiet $CXX "${plugin[@]}" "${compile[@]}" -c $src/b.cc -o b.o || return
  run_quiet $CC "${plugin[@]}" "${compile[@]}" -c $src/c.c -o c.o || return
  case " $what " in
  *" relocatable "*)
    run_quiet $CC -r -nostdlib "${compile[@]}" -o all.o a.o b.o c.o && run_quiet $CXX "${link[@]}" \
      all.o -o prog || return ;;
  *" dso "*)
    run_quiet $CC -shared "${link[@]}" c.o -o libc_.so && run_quiet $CXX "${link[@]}" a.o b.o \
      libc_.so -Wl,-rpath,"$PWD" -o prog || return ;;
  *" archive "*)
    run_quiet $AR rcs libc_.a c.o && run_quiet $CXX "${link[@]}" a.o b.o libc_.a -o prog ||
      return ;;
  *)
    run_quiet $CXX "${link[@]}" a.o b.o c.o -o prog || return ;;
  esac
  check_rows "$what" && check_run "$what" && passed
}

check_rows ()
{
  local rows note=-n
  case " $1 " in *" nonote "*) note= ;; esac
  rows=$(python3 $top/testsuite/link/rows.py $note prog 2>&1) || { failed "$rows"; return 1; }
  [ -e libc_.so ] && rows+=$'\n'$(python3 $top/testsuite/link/rows.py libc_.so)
  local doubled
  doubled=$(sort <<<"$rows" | uniq -d)
  [ "$doubled" = _ZL5locali ] || { failed "rows that are there twice: $doubled"; return 1; }
  for f in main _Z5twicei _Z6from_bi _ZL5locali rest; do
    grep -qx "$f" <<<"$rows" || { failed "no row for $f"; return 1; }
  done
  for f in _Z6dead_ai _Z6dead_bi dead_c; do
    case " $1 " in
    *" gc "*) ! grep -qx $f <<<"$rows" || { failed "the row of $f is still there"; return 1; } ;;
    *" keep "*) grep -qx $f <<<"$rows" || { failed "the row of $f is gone"; return 1; } ;;
    esac
  done
}

check_run ()
{
  local out
  rm -rf data
  out=$(CABPROF_OPTIONS=data=$PWD/data ./prog 2>stderr.txt) ||
    { failed "exit status $?: $(cat stderr.txt)"; return 1; }
  [ "$out" = "366 3" ] || { failed "prints $out"; return 1; }
  case " $1 " in
  *" plainstatic "*)
    grep -q "cabprof: $PWD/prog: static program without the runtime" stderr.txt && return
    failed "the message does not name the missing runtime: $(cat stderr.txt)"
    return 1 ;;
  esac
  [ ! -s stderr.txt ] || { failed "stderr: $(cat stderr.txt)"; return 1; }
  check_calls main 1 && check_calls "twice(int)" 20 && check_calls "local(int)" 20 &&
    check_calls "from_b(int)" 10 && check_calls rest 10
}

for linker in bfd gold lld; do
  l="-fuse-ld=$linker"
  has_linker $l || continue
  try $linker-O0 keep -- -O0 -- $l
  try $linker-O2 keep -- -O2 -g -- $l
  try $linker-O3-g0 keep -- -O3 -g0 -- $l
  try $linker-Os-intel keep -- -Os -masm=intel -- $l
  try $linker-no-pie keep -- -O2 -fno-pie -- -no-pie $l
  try $linker-pie keep -- -O2 -fPIE -- -pie $l
  try $linker-pic "keep nonote" -- -O2 -fPIC -- $l
  try $linker-gc gc -- -O2 -ffunction-sections -fdata-sections -- -Wl,--gc-sections $l
  try $linker-gc-pic "gc nonote" -- -O2 -ffunction-sections -fPIC -- -Wl,--gc-sections $l
  try $linker-strip keep -- -O2 -- -s $l
  try $linker-archive archive -- -O2 -- $l
  try $linker-dso "dso nonote" -- -O2 -fPIC -- $l
  try $linker-static "plainstatic keep" -- -O2 -- -static $l
  try $linker-static-gc "plainstatic gc" -- -O2 -ffunction-sections -- -static -Wl,--gc-sections $l
  try $linker-relocatable "relocatable keep" -- -O2 -- $l
  try $linker-fat-unused keep -- -O2 -flto -ffat-lto-objects -- -fno-lto $l
done
try bfd-static-pie "plainstatic keep" -- -O2 -fPIE -- -static-pie
try bfd-start-stop-gc gc -- -O2 -ffunction-sections -- -Wl,--gc-sections -Wl,-z,start-stop-gc
try pipe keep -- -O2 -pipe --
try save-temps keep -- -O2 -save-temps --
try coverage keep -- -O2 -fcf-protection=full -fstack-protector-all -D_FORTIFY_SOURCE=2 --
try march keep -- -O2 -march=x86-64-v3 -mtune=haswell --
for linker in bfd gold; do
  l="-fuse-ld=$linker"
  has_linker $l || continue
  try $linker-lto "" -- -O2 -flto -- -O2 -flto=2 $l
  try $linker-lto-fat "" -- -O2 -flto -ffat-lto-objects -- -O2 -flto=2 $l
  for partition in none one 1to1 max balanced; do
    try $linker-lto-$partition "" -- -O2 -flto -- -O2 -flto=2 -flto-partition=$partition $l
  done
  try $linker-lto-O0 "" -- -O0 -flto -- -O0 -flto=2 $l
  try $linker-lto-pic "nonote" -- -O2 -flto=2 -fPIC -- -O2 -flto $l
  try $linker-lto-dso "dso nonote" -- -O2 -flto=2 -fPIC -- -O2 -flto $l
  try $linker-lto-gc gc -- -O2 -flto=2 -ffunction-sections -- -O2 -flto -Wl,--gc-sections $l
  try $linker-lto-intel "" -- -O2 -flto=2 -masm=intel -- -O2 -flto -masm=intel $l
  try $linker-lto-static "plainstatic" -- -O2 -flto -- -O2 -flto -static $l
done
try lto-relocatable "relocatable" -- -O2 -flto -- -O2 -flto=2
finish
