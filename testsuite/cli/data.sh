#!/bin/bash
# data.sh - accesses by variable and allocation: counts that the source tells, sizes that nm tells; in C++, Fortran, a shared library, of
# memory that is used again, and over threads.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need nm

memory=(-O1 -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory)

# table_of PROGRAM: its objects.
table_of ()
{
  CABPROF_OPTIONS=data=$1.data:trace=$1.trace "./$1" >output 2>errors || fail "$1 fails: $(cat errors)"
  "$CABPROF" data --format=tsv "$1.trace" >table || fail "$1: no table"
}

# expect "VALUES" KIND OBJECT COLUMN...: in the order of the rows.
expect ()
{
  local got
  got=$(cells table kind "$2" object "$3" "${@:4}")
  [ "$got" = "$1" ] || fail "${*:2}: '$got' instead of '$1': $(cat table)"
}

cat >lib.c <<'END'
static int inside[4];
int exported = 3;
int library (int n) { for (int i = 0; i < n; i++) { *(volatile int *) &inside[i] = i; *(volatile int *) &exported += 1; } return exported; }
END
cat >all.cc <<'END'
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
extern "C" int library (int);
namespace ns { struct counter { static long total; }; long counter::total; static int hidden[10]; }
extern "C" { int common_global; static short small_one, small_two; }
static long *count () { static long calls; return &calls; }
static thread_local int own;
__attribute__ ((noipa)) static void add (volatile int *p, int n) { for (int i = 0; i < n; i++) { int old = p[i]; p[i] = old + 1; } }
static void *other (void *p) { add ((int *) p, 5); return nullptr; }
int main ()
{
  int local[7] = { 0 };
  int *heap = (int *) std::malloc (20 * sizeof (int)), *second = (int *) std::calloc (5, sizeof (int));
  for (int i = 0; i < 20; i++) *(volatile int *) &heap[i] = 0;
  add (heap, 20); add (second, 5); add (ns::hidden, 10); add (local, 7); add (&common_global, 1); add (&own, 1);
  for (int i = 0; i < 12; i++) { *(volatile short *) &small_one = i; (void) *(volatile short *) &small_two; }
  for (int i = 0; i < 3; i++) { *(volatile long *) &ns::counter::total = i; *(volatile long *) count () = i; }
  std::free (heap);
  int *again = (int *) std::malloc (20 * sizeof (int));
  for (int i = 0; i < 20; i++) *(volatile int *) &again[i] = 0;
  pthread_t thread;
  pthread_create (&thread, nullptr, other, second);
  pthread_join (thread, nullptr);
  std::printf ("%d %d %d\n", again[3] == 0, second[1] > 0, library (4));
}
END
gcc -shared -fPIC "${memory[@]}" lib.c -o libown.so || fail "lib.c does not compile"
g++ "${memory[@]}" all.cc -o all -L. -lown -Wl,-rpath,"$PWD" -pthread || fail "all.cc does not compile"
table_of all
expect "40 10 10 80" variable ns::hidden size reads writes bytes
expect "2 0 12 24" variable small_one size reads writes bytes
expect "2 12 0 24" variable small_two size reads writes bytes
expect "8 0 3" variable ns::counter::total size reads writes
expect "8 3" variable "count()::calls" size writes
expect "4 1 1" variable common_global size reads writes
expect "16 0 4" variable inside size reads writes
expect "4 5 4" variable exported size reads writes
# Where they are declared.
expect "int[] all.cc 5" variable ns::hidden type file line
expect "long int all.cc 5" variable ns::counter::total type file line
expect "long int all.cc 7" variable "count()::calls" type file line
expect "int lib.c 2" variable exported type file line
# malloc, then at the same address again; calloc, which another thread accesses too.
awk -F'\t' '$1 == "blocks"' table | cut -f2,5-9 | sort -n -k2 >blocks
printf '%s\n' "$(printf 'int[]\t14\t1\t80\t20\t40')" "$(printf 'int[]\t14\t1\t20\t11\t10')" "$(printf 'int[]\t20\t1\t80\t1\t20')" >wanted
diff <(sort blocks) <(sort wanted) || fail "not the blocks: $(cat table)"
expect "8 8" elsewhere "p[] in add(int volatile*, int)" reads writes
# Sizes are those that nm tells.
while read -r _ size _ name; do
  awk -F'\t' -v name="$name" -v size="$((16#$size))" '$1 == "variable" && $2 == name && $7 != size { exit 1 }' table ||
    fail "$name: not its size: $(cat table)"
done < <(nm -CS all libown.so | awk 'NF == 4')
[ "$(awk -F'\t' '$1 == "variable"' table | wc -l)" = 8 ] || fail "not eight variables: $(cat table)"

cat >all.f90 <<'END'
module m
  real(8), save :: total(100)
end module
subroutine step (n)
  integer :: n
  integer, save :: calls = 0
  integer :: shared
  common /block/ shared
  calls = calls + n
  shared = calls
end subroutine
program main
  use m
  integer :: i
  do i = 1, 100
    total(i) = i
  end do
  call step (2)
  print *, total(5)
end program
END
gfortran "${memory[@]}" -fno-inline all.f90 -o fortran || fail "all.f90 does not compile"
table_of fortran
expect "800 100 real(kind=8)[] all.f90 2" variable m::total size writes type file line
expect "4 1" variable block_ size writes
awk -F'\t' '$1 == "variable" && $2 ~ /^calls[.]/ && $7 == 4 && $9 == 1 { found = 1 } END { exit !found }' table ||
  fail "not calls: $(cat table)"

# What cannot be told is said.
"$CABPROF" data nothing 2>words && fail "a trace that is not there"
grep -q '^cabprof: nothing: ' words || fail "not the words: $(cat words)"
"$CABPROF" data 2>words
[ $? = 2 ] || fail "no trace is no wrong usage"
exit 0
