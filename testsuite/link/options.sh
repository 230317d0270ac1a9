#!/bin/bash
# options.sh - the plugin describes itself, and reports bad options, compilers and targets.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
echo 'int f (int x) { return x > 1 ? x : 1; }' >"$here/f.c"

# says NAME EXPECTED COMMAND...: check that the command fails, with a line that contains EXPECTED
# and with no other error.
says ()
{
  local expected=$2 said
  enter "$1"
  shift 2
  if said=$("$@" 2>&1); then
    failed "does not fail: $*"
  elif ! grep -qF -- "$expected" <<<"$said"; then
    failed "the message lacks: $expected"$'\n'"$said"
  else
    passed
  fi
}

cc () { $CC "${plugin[@]}" -O2 -c "$here/f.c" -o f.o "$@"; }

known='known are events=, paths=, loops=, memory-encoding=, allocators=, accesses=, variables=, types=, heap-only, locals, memory-proof, memory-sample, ring=, functions=, exclude=, files=, cut-at-calls, context, feedback=, trials=, outcome, verbose'
says "unknown option" "cabprof: -fplugin-arg-cabprof-event: unknown option: $known" cc \
  -fplugin-arg-cabprof-event=paths
says "unknown value" \
  "cabprof: -fplugin-arg-cabprof-events=path: not a value of this option: give none, paths, calls" \
  cc -fplugin-arg-cabprof-events=path
says "no value" "cabprof: -fplugin-arg-cabprof-paths: needs a value: give count, trace" cc \
  -fplugin-arg-cabprof-paths
says "too many values" "cabprof: -fplugin-arg-cabprof-verbose=1: takes no value" cc \
  -fplugin-arg-cabprof-verbose=1
says "percent signs" "cabprof: -fplugin-arg-cabprof-ring=%s%n: not a value" cc \
  -fplugin-arg-cabprof-ring=%s%n
says "equals signs" "cabprof: -fplugin-arg-cabprof-ring=a=b=chunk: not a value" cc \
  -fplugin-arg-cabprof-ring=a=b=chunk
enter "a file whose path has equals signs"
mkdir -p a=b=c && echo 'f allocates size=1' >a=b=c/table && echo 'void f (void) { }' >g.c
$CC "${plugin[@]}" -fplugin-arg-cabprof-allocators=a=b=c/table -MD -c g.c -o g.o &&
  grep -qF a=b=c/table g.d && passed || failed "$(cat g.d)"
says "-m32" "cabprof: -m32: probes exist for 64-bit x86-64 only" cc -m32
says "-mx32" "cabprof: -mx32: probes exist for 64-bit x86-64 only" cc -mx32
says "large code model" "cabprof: -mcmodel=large: probes need the small or medium code model" cc \
  -mcmodel=large
says "kernel code model" "cabprof: -mcmodel=kernel: probes need the small or medium code model" cc \
  -mcmodel=kernel -fno-pie

# A compiler has no module: the dispatcher stands alone, in an empty directory, and in one with a
# module for another compiler.
mkdir -p "$here/empty" "$here/other/cabprof"
cp "$build/cabprof.so" "$here/empty"
cp "$build/cabprof.so" "$here/other"
major=$($CC -dumpversion | cut -d. -f1)
cp "$build/cabprof/gcc-$major.so" "$here/other/cabprof/gcc-99.so"
full=$($CC -dumpfullversion)
says "no module" \
  "cabprof: GCC $full: this plugin was built for no compiler at all, not for this compiler: install gcc-$major-plugin-dev" \
  $CC -fplugin="$here/empty/cabprof.so" -c "$here/f.c" -o f.o
says "another compiler's module" "GCC 99, not for this compiler" $CC \
  -fplugin="$here/other/cabprof.so" -c "$here/f.c" -o f.o
mv "$here/other/cabprof/gcc-99.so" "$here/other/cabprof/gcc-$major.so"
printf 'no ELF file' >"$here/other/cabprof/gcc-$major.so"
says "mangled module" "does not load into GCC $full" $CC -fplugin="$here/other/cabprof.so" \
  -c "$here/f.c" -o f.o

# The plugin does not disturb compilations without events, with nothing to instrument, of headers,
# of the compiler's own queries, and of other languages.
quiet ()
{
  enter "$1"
  shift
  run_quiet "$@" && passed
}

no_trace ()
{
  enter "$1"
  shift
  run_quiet "$@" && { ! nm f.o | grep -q cab || failed "leaves symbols: $(nm f.o)"; } && passed
}

no_trace "events=none" cc -fplugin-arg-cabprof-events=none
no_trace "events=none for -m32" cc -m32 -fplugin-arg-cabprof-events=none
echo 'int x;' >"$here/f.c"
no_trace "nothing to instrument" cc
echo 'extern int y;' >"$here/h.h"
quiet "precompiled header" $CC "${plugin[@]}" -O2 "$here/h.h" -o h.gch
printf '#include "h.h"\nint main (void) { return 0; }\n' >"$here/i.c"
quiet "use of a precompiled header" sh \
  -c "$CC ${plugin[*]} $here/h.h -o h.h.gch && cp $here/i.c . && $CC -Winvalid-pch -I. ${plugin[*]} i.c -o i"
quiet "syntax only" $CC "${plugin[@]}" -fsyntax-only "$here/i.c"
printf '\t.globl f\nf:\tret\n' >"$here/s.S"
quiet "assembler" $CC "${plugin[@]}" -c "$here/s.S" -o s.o
printf 'program p\n  print *, 1\nend program p\n' >"$here/p.f90"
command -v gfortran >/dev/null && [ "$CC" = gcc ] && quiet "Fortran" gfortran "${plugin[@]}" -O2 \
  "$here/p.f90" -o p
enter "the stub is in a unit once"
echo 'int f (int x) { return x > 1 ? x : 1; } int g (int x) { return x < 5 ? x : 1; }' >two.c
$CC "${plugin[@]}" -S two.c -o two.s && [ "$(grep -c '^__cab_gate_count:' two.s)" = 1 ] && passed ||
  failed "$(grep -c '^__cab_gate_count:' two.s) times"
enter "an error in the source is the only one"
echo 'int f (void) { return z; }' >bad.c
said=$($CC "${plugin[@]}" -c bad.c -o f.o 2>&1)
[ "$(grep -c error <<<"$said")" = 1 ] && passed || failed "$said"
enter "--version"
$CC "${plugin[@]}" --version | grep -q "$full" && passed || failed "does not print its version"
finish
