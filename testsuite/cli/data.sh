#!/bin/bash
# data.sh - accesses by variable and allocation have the counts of the source and the sizes of nm,
# in C++, Fortran, a shared library, in memory that is used again, and over threads.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need nm

memory=(-O1 -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory)

# table_of PROGRAM: run it, and write its objects to `table'.
table_of ()
{
  CABPROF_OPTIONS=data=$1.data:trace=$1.trace "./$1" >output 2>errors ||
    fail "$1 fails: $(cat errors)"
  "$CABPROF" data --format=tsv "$1.trace" >table || fail "$1: no table"
}

# row "VALUES" KIND OBJECT COLUMN...: check the rows of OBJECT, in their order.
row ()
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
g++ "${memory[@]}" all.cc -o all -L. -lown -Wl,-rpath,"$PWD" -pthread ||
  fail "all.cc does not compile"
table_of all
row "40 10 10 80" variable ns::hidden size reads writes bytes
row "2 0 12 24" variable small_one size reads writes bytes
row "2 12 0 24" variable small_two size reads writes bytes
row "8 0 3" variable ns::counter::total size reads writes
row "8 3" variable "count()::calls" size writes
row "4 1 1" variable common_global size reads writes
row "16 0 4" variable inside size reads writes
row "4 5 4" variable exported size reads writes
# Rows say where an object is declared.
row "int[] all.cc 5" variable ns::hidden type file line
row "long int all.cc 5" variable ns::counter::total type file line
row "long int all.cc 7" variable "count()::calls" type file line
row "int lib.c 2" variable exported type file line
# One block comes from malloc, a later one lies at the same address; another thread accesses the one
# from calloc.
awk -F'\t' '$1 == "blocks"' table | cut -f2,5-9 | sort -n -k2 >blocks
printf '%s\n' "$(printf 'int[]\t14\t1\t80\t20\t40')" "$(printf 'int[]\t14\t1\t20\t11\t10')" \
  "$(printf 'int[]\t20\t1\t80\t1\t20')" >wanted
diff <(sort blocks) <(sort wanted) || fail "wrong blocks: $(cat table)"
row "8 8" elsewhere "p[] in add(int volatile*, int)" reads writes
# Sizes equal those that nm prints.
while read -r _ size _ name; do
  awk -F'\t' -v name="$name" -v size="$((16#$size))" \
    '$1 == "variable" && $2 == name && $7 != size { exit 1 }' table ||
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
row "800 100 real(kind=8)[] all.f90 2" variable m::total size writes type file line
row "4 1" variable block_ size writes
awk -F'\t' \
  '$1 == "variable" && $2 ~ /^calls[.]/ && $7 == 4 && $9 == 1 { found = 1 } END { exit !found }' \
  table ||
  fail "not calls: $(cat table)"

# By calling context, the command and the analysis in the program (which keeps a tree per thread)
# count the same: for two calls, a recursion, a longjmp, and two threads that allocate by turns
# through one function.
cat >contexts.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
struct item { long v, w; };
static jmp_buf back;
static __thread struct item *kept[64];
static __thread int n;
__attribute__ ((noipa)) static void *get (size_t size) { return malloc (size); }
__attribute__ ((noipa)) static void one (int times) { kept[n] = get (sizeof (struct item)); for (int i = 0; i < times; i++) *(volatile long *) &kept[n]->v = i; n++; }
static pthread_barrier_t all;
__attribute__ ((noipa)) static void turn (int i) { if (i % 50 == 0) pthread_barrier_wait (&all); }
__attribute__ ((noipa)) static void many (int times) { for (int i = 0; i < times; i++) one (2); for (int i = 0; i < 500; i++) turn (i); one (3); kept[n++] = malloc (24); }
__attribute__ ((noipa)) static void down (int times) { if (times) down (times - 1); one (1); }
__attribute__ ((noipa)) static void leave (void) { one (4); longjmp (back, 1); }
static void *work (void *p) { many (3); down (2); for (int i = 0; i < n; i++) free (kept[i]); return p; }
int main (void)
{
  pthread_t threads[2];
  pthread_barrier_init (&all, 0, 2);
  for (int i = 0; i < 2; i++) pthread_create (&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join (threads[i], 0);
  if (!setjmp (back)) leave ();
  one (5);
  pthread_barrier_init (&all, 0, 1);
  work (0);
}
END
for how in -O1 "-O2 -flto"; do
  gcc $how -g -pthread "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=calls+memory \
    -fplugin-arg-cabprof-context contexts.c -o contexts || fail "contexts.c does not compile"
  rm -rf contexts.data
  CABPROF_OPTIONS=data=contexts.data:analyses=blocks:chunk=512:ring=4K "$CABPROF" record \
    -d contexts.data --sample=off --trace=contexts.trace -- ./contexts 2>errors ||
    fail "contexts fails: $(cat errors)"
  [ "$("$CABPROF" trace dump contexts.trace | cut -d' ' -f1 | uniq | wc -l)" -gt 3 ] ||
    fail "$how: the threads took no turns in the trace"
  "$CABPROF" data --by=context --format=tsv contexts.trace >table 2>errors ||
    fail "$how: no table by context: $(cat errors)"
  [ ! -s errors ] || fail "$how: $(cat errors)"
  "$CABPROF" report blocks --by=context -d contexts.data --format=tsv >blocks ||
    fail "$how: no report of blocks"
  cells table kind blocks kind blocks blocks size reads writes context | sort >got
  awk -F'\t' \
    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["blocks"] { print $at["blocks"], $at["bytes"], $at["reads"], $at["writes"], $at["context"] }' blocks |
    sort >wanted
  diff got wanted || fail "$how: blocks by context are not those of the analysis in the program"
  for line in '1 16 0 4 get < one < leave < main' '1 16 0 5 get < one < main' \
    '2 32 0 2 get < one < down < down < down < work' '2 32 0 6 get < one < many < work' \
    '6 96 0 12 get < one < many < work' '2 48 0 0 many < work'; do
    sed 's/:[0-9]*//g' got | grep -qxF "$line" || fail "$how: no '$line': $(cat got)"
  done
  # Without contexts each of the two calls has one row.
  "$CABPROF" data --format=tsv contexts.trace >table
  cells table kind blocks kind blocks blocks size context >got
  printf '%s \n' '3 72' '23 368' | diff <(sort -n got) - || fail "$how: blocks by site"
done
gcc -O1 -g "${memory[@]}" -pthread contexts.c -o contexts || fail "contexts.c does not compile"
CABPROF_OPTIONS=data=without.data:trace=without.trace ./contexts || fail "contexts fails"
expect 1 "$CABPROF" data --by=context without.trace
grep -q \
  '^cabprof: without.trace: in which calling contexts .* is not in it: .* -fplugin-arg-cabprof-context' err || fail "unexpected message: $(cat err)"
expect 2 "$CABPROF" data --by=line without.trace

# What cannot be reported is named.
"$CABPROF" data nothing 2>words && fail "a trace that is not there"
grep -q '^cabprof: nothing: ' words || fail "unexpected message: $(cat words)"
"$CABPROF" data 2>words
[ $? = 2 ] || fail "no trace is no wrong usage"
exit 0
