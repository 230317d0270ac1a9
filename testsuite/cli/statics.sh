#!/bin/bash
# statics.sh - functions that the C library calls one after the other (constructors of static data,
# main, functions given to atexit, destructors) are siblings in the tree, also if they end with a
# call of foreign code, which the compiler would turn into a jump.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# roots: print the functions without a caller in the program, sorted.
roots ()
{
  "$CABPROF" report tree --format=tsv >tree.tsv &&
    awk -F'\t' \
    'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR > 1 && $c["depth"] == 0 { print $c["function"] }' tree.tsv | sort | tr '\n' ' '
}

cat >statics.cc <<'END'
#include <cstdio>
#include <cstdlib>
struct S { int n; S (int k) : n (k) {} ~S () { std::printf ("%d\n", n); } };
static S one (1), two (2);
__attribute__ ((noipa)) int work (int i) { return i + 1; }
static void last () { work (7); }
int main () { work (0); return std::atexit (last); }
END
cat >statics.c <<'END'
#include <stdio.h>
#include <stdlib.h>
__attribute__ ((noipa)) int work (int i) { return i + 1; }
static void last (void) { work (7); }
static __attribute__ ((noinline)) int part (void) { return setvbuf (stdout, NULL, _IOFBF, 4096); }
static __attribute__ ((constructor)) void before (void) { part (); }
static __attribute__ ((destructor)) void behind (void) { work (1); puts ("end"); }
int main (void) { return atexit (last); }
END
for level in -O0 -O1 -O2 "-O2 -flto" "-O2 -fplugin-arg-cabprof-context"; do
  for case in "statics.cc S::~S() _GLOBAL__sub_I__Z4worki last() main " \
    "statics.c before behind last main "; do
    source=${case%% *} want=${case#* }
    # shellcheck disable=SC2086
    "$CGXX" $level -g -fplugin-arg-cabprof-events=calls \
      -x "$([ $source = statics.c ] && echo c || echo c++)" $source -o statics ||
      fail "$source does not compile"
    rm -rf cabprof.data
    ./statics >output || fail "$source $level: exit status $?"
    got=$(roots)
    [ "$got" = "$want" ] ||
      fail "$source $level: begun by themselves: $got, not $want: $(cat tree.tsv)"
  done
done
