#!/bin/bash
# values.sh - the values of accesses in a trace are those that the program itself prints, for
# numbers of all kinds, in C, C++ and Fortran, at each level; and the profile of values is what
# counting the trace gives.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc g++ gfortran python3

# Each macro stores to a variable and loads it again, and prints the variable and the value as
# `trace dump' writes it.
cat >prog.c <<'EOF2'
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#define TWICE(type, name, value, format, as) \
  { static volatile type name; type mine = (type) (value); name = mine; printf (#name " " format "\n", as (mine)); \
    type back = name; printf (#name " " format "\n", as (back)); }
#define SIGNED(x) ((long) (x))
#define UNSIGNED(x) ((unsigned long) (x))
#define FLOATING(x) ((double) (x))
struct bits { unsigned three : 3; int five : 5; };
enum letters { A, B, C };
typedef int *address;
static int around;
__attribute__ ((noinline)) static void
work (int n)
{
  TWICE (signed char, v_char, -n, "%ld", SIGNED)
  TWICE (unsigned short, v_short, 65000 + n, "%lu", UNSIGNED)
  TWICE (int, v_int, -7 * n, "%ld", SIGNED)
  TWICE (long, v_long, -(1L << 40) * n, "%ld", SIGNED)
  TWICE (unsigned long, v_ulong, ~0ul - n, "%lu", UNSIGNED)
  TWICE (bool, v_bool, n & 1, "%lu", UNSIGNED)
  TWICE (float, v_float, 1.1f * n, "%.9g", FLOATING)
  TWICE (double, v_double, 0.1 * n, "%.17g", FLOATING)
  TWICE (long double, v_ldouble, 0.1L * n, "%.17g..", FLOATING)
  TWICE (__int128, v_wide, ((__int128) 7 << 64) - n, "%ld..", SIGNED)
  TWICE (enum letters, v_enum, n % 3, "%lu", UNSIGNED)
  TWICE (address, v_pointer, &around + n, "%lu", UNSIGNED)
  static volatile struct bits v_bits;
  v_bits.three = n; printf ("v_bits.three %d\n", n & 7);
  v_bits.five = -n; printf ("v_bits.five %d\n", -n);
  int five = v_bits.five; printf ("v_bits.five %d\n", five);
  static volatile double complex v_complex;
  v_complex = 2.25 * n + n * I; printf ("v_complex %.17g..\n", 2.25 * n);
  static volatile unsigned v_atomic;
  unsigned was = __atomic_fetch_add (&v_atomic, n, __ATOMIC_SEQ_CST); printf ("v_atomic %u\n", was);
  __sync_fetch_and_sub (&v_atomic, 1); printf ("v_atomic %u\n", was + n);
  unsigned is = __atomic_or_fetch (&v_atomic, 64, __ATOMIC_SEQ_CST); printf ("v_atomic %u\n", is);
  __atomic_store_n (&v_atomic, 8 * n, __ATOMIC_RELEASE); printf ("v_atomic %u\n", 8 * n);
  was = __atomic_exchange_n (&v_atomic, 9, __ATOMIC_SEQ_CST); printf ("v_atomic 9\n");
  is = __atomic_load_n (&v_atomic, __ATOMIC_ACQUIRE); printf ("v_atomic %u\n", is);
  printf ("# %u\n", was);
}
int
main (void)
{
  for (int n = 1; n < 8; n++)
    work (n);
  return 0;
}
EOF2
sed 's/double complex v_complex/double v_complex/; s/ + n \* I//; s/v_complex %.17g\.\./v_complex %.17g/; /complex.h/d' prog.c >prog.cc
cat >prog.f90 <<'EOF2'
program values
  integer, volatile :: v_int
  real(8), volatile :: v_real
  logical, volatile :: v_logical
  integer :: i, j
  real(8) :: r
  do i = 1, 5
    v_int = -3 * i
    print '(a,i0)', 'v_int ', -3 * i
    j = v_int
    print '(a,i0)', 'v_int ', j
    v_real = 0.5d0 * i
    print '(a,f0.1)', 'v_real ', 0.5d0 * i
    r = v_real
    print '(a,f0.1)', 'v_real ', r
    v_logical = mod (i, 2) == 1
    print '(a,i0)', 'v_logical ', mod (i, 2)
  end do
end program
EOF2

# profiled [PLACES CLEAR] FILE...: check that the report of the profile is what the published
# algorithm gives for the trace.
profiled ()
{
  places=64 clear=2000
  case ${1:-} in [0-9]*) places=$1 clear=$2; shift 2 ;; esac
  expect 0 "$CABPROF" trace dump --format=tsv trace; cp out dump
  expect 0 "$CABPROF" report values --format=tsv "$@"; quiet; cp out table
  python3 "$TOP/testsuite/oracle/topvalues.py" dump table $places $clear >counted 2>why ||
    fail "$(tail -1 why): $(cat table)"
}

# same PROGRAM: check that its trace has the values of variables that it prints.
same ()
{
  timeout 60 "$CABPROF" record --sample=off --options=analyses=accesses+values --trace=trace \
    -- ./$1 >printed 2>err || fail "$1: $(cat err)"
  expect 0 "$CABPROF" trace dump --format=tsv trace; quiet
  awk -F'\t' '$14 ~ /^v_/ { print $14, $16 }' out >told
  grep '^v_' printed | sed 's/ \./ 0./; /^v_real/s/\.0$//' >said
  [ -s said ] || fail "$1 prints nothing"
  cmp said told || fail "$2: $(diff said told | head -5)"
  # An analysis without values sees the accesses.
  expect 0 "$CABPROF" report accesses --format=tsv; quiet; prints v_
}
for level in -O0 -O1 -O2 -O3; do
  for source in prog.c prog.cc prog.f90; do
    case $source in *.c) compiler=gcc ;; *.cc) compiler=g++ ;; *) compiler=gfortran ;; esac
    $compiler -w -g $level -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory,values $source \
      -o prog >build.log 2>&1 || fail "$(cat build.log)"
    same prog "$source $level"
    profiled
  done
done

# Rows and packed traces say the same; JSON has the column.
expect 0 "$CABPROF" trace dump trace; cp out packed; "$CABPROF" trace filter trace |
  "$CABPROF" trace dump - | cmp - packed || fail "rows have other values"
prints 'value -15 v_int'
expect 0 "$CABPROF" trace dump --format=json trace; prints '"name":"v_int".*"value":"-15"'

# The program has more values than are kept, threads, NaNs and infinities, and a process that kills
# itself; it is checked live, and replayed from its trace.
cat >many.c <<'EOF2'
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static volatile int table[1000];
static volatile double real;
static volatile unsigned char flag;
static void *
work (void *from)
{
  for (int i = 0; i < 500; i++)
    {
      int *first = from;
      table[i] = *first + i * i % 70 - 5;
      real = i % 9 ? i / 4 / 8.0 - 3 : i % 2 ? NAN : -0.0;
      flag = i % 50 == 0;
      if (table[i] == 3)
	real = -INFINITY;
    }
  return NULL;
}
int
main (int n, char **arguments)
{
  static int from[] = { 0, 40, 7 };
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    {
      pthread_create (&threads[i], NULL, work, &from[i]);
      if (n > 2)
	pthread_join (threads[i], NULL);
    }
  for (int i = 0; i < 3 && n <= 2; i++)
    pthread_join (threads[i], NULL);
  if (n > 1)
    raise (atoi (arguments[1]));
  return 0;
}
EOF2
gcc -w -g -O2 -pthread -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory+values many.c \
  -o many >build.log 2>&1 || fail "$(cat build.log)"
for arguments in '' 9 '0 one'; do
  for options in placement=thread placement=inline ring=16K:chunk=1K; do
    timeout 60 "$CABPROF" record --sample=off --options=analyses=values+tree:$options \
      --trace=trace -- ./many $arguments >printed 2>err
    profiled
    [ "$(cut -d' ' -f1 counted)" -gt 6000 ] || fail "$options: only $(cat counted) values"
    awk -F'\t' '$NF ~ /-:/ { found = 1 } END { exit !found }' table || fail "$options: no others"
    rm -rf replayed
    expect 0 "$CABPROF" trace replay --analyses=values -d replayed trace
    profiled -d replayed
  done
done
# There are fewer places, often cleared.
for arguments in 50:2000 8:20 2:1 3:7 256:100; do
  places=${arguments%:*} clear=${arguments#*:}
  timeout 60 "$CABPROF" record --sample=off --options=analyses=values,places=$places,clear=$clear \
    --trace=trace -- ./many 0 one >printed 2>err
  profiled $places $clear
  rm -rf replayed
  expect 0 "$CABPROF" trace replay --analyses=values,places=$places,clear=$clear -d replayed trace
  profiled $places $clear -d replayed
  [ $places -gt 100 ] || [ "$(cut -d' ' -f2 counted)" -ge 3 ] ||
    fail "$arguments: no value had to leave: $(cat counted)"
done
for arguments in places=1 places=257 places=x clear=0 clear= places=50:other=1; do
  CABPROF_OPTIONS=data=wrong:analyses=values,$(echo $arguments | tr : ,) ./many 0 >printed 2>err
  grep -q 'values' err || fail "$arguments: $(cat err)"
  [ ! -e wrong ] || fail "$arguments: was profiled"
done
expect 0 "$CABPROF" report values -d replayed --format=json; prints '"type": *"double"'
timeout 60 "$CABPROF" record --sample=off --options=analyses=values -- ./many 0 >printed 2>err
expect 0 "$CABPROF" report values --sort=zero --limit=1 --function=work; prints '^flag '
prints '98.0%'
expect 0 "$CABPROF" report values --function=none-such --format=tsv; [ "$(wc -l <out)" = 1 ] ||
  fail "--function: $(cat out)"
expect 0 "$CABPROF" report; prints 'cabprof report values '
gcc -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory many.c -pthread -lm -o without &&
  CABPROF_OPTIONS=data=without.data:analyses=values ./without
expect 1 "$CABPROF" report values -d without.data
says 'no values were counted: compile with -fplugin-arg-cabprof-events=memory+values'

# A value comes late, and then nearly always.
cat >late.c <<'EOF2'
static volatile int late;
__attribute__ ((noinline)) static void
set (int to)
{
  late = to;
}
int
main (void)
{
  for (int i = 0; i < 100; i++)
    set (i);
  for (int i = 0; i < 1000000; i++)
    set (7777);
  return 0;
}
EOF2
gcc -w -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory+values late.c -o late
for options in analyses=values analyses=values,places=50; do
  expect 0 env CABPROF_OPTIONS=data=late.data:$options ./late
  expect 0 "$CABPROF" report values -d late.data; prints '7777:1000000. '; prints 'N.: at least N'
  expect 0 "$CABPROF" report values -d late.data --format=tsv
  awk -F'\t' \
    '$1 == "late" && $0 ~ /7777:1000000\+ / { sum += $8; top = $11 } END { exit !(sum == 1000100 && top > 0.9998) }' out || fail "late: $(cat out)"
  rm -rf late.data
done

# Some options do not go together.
expect 1 gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=values -c prog.c
grep -q 'add memory' err || fail "values alone: $(cat err)"
