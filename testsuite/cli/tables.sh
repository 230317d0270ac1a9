#!/bin/bash
# tables.sh - each table of a part works when exactly full and when one row short: what does not fit
# is counted as dropped and reported in one line, and the rest is readable and right.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# main calls 40 functions three times each, each with an access, four of them in regions, and one of
# a library that it loads; three threads live at once.
echo 'long there; __attribute__ ((noipa)) void other (void) { there++; }' >other.c
{
  echo '#include <dlfcn.h>'
  echo '#include <pthread.h>'
  echo '#include "cabprof/cabprof.h"'
  echo 'static long cell[64]; static pthread_barrier_t all;'
  for i in $(seq 0 39); do echo "__attribute__ ((noipa)) static void f$i (void) { cell[$i]++; }"
  done
  echo '__attribute__ ((noipa)) static void work (void) { cell[50]++; }'
  echo 'static void *run (void *arg) { work (); pthread_barrier_wait (&all); work (); return arg; }'
  echo 'int main (void) { pthread_t t[3]; pthread_barrier_init (&all, 0, 4);'
  echo 'for (int i = 0; i < 3; i++) pthread_create (t + i, 0, run, 0);'
  echo 'void (*other) (void) = (void (*) (void)) dlsym (dlopen ("./libother.so", RTLD_NOW), "other");'
  echo 'for (int k = 0; k < 3; k++) {'
  for i in $(seq 0 39); do
    case $i in
      *0) echo \
        "int e$i = cabprof_region_begin (\"r$i\"); f$i (); if (!e$i) cabprof_region_end (\"r$i\");" ;;
      *) echo "f$i ();" ;;
    esac
  done
  echo 'other (); } pthread_barrier_wait (&all); for (int i = 0; i < 3; i++) pthread_join (t[i], 0); return 0; }'
} >prog.c
compile="${GCC:-gcc} -O1 -g -I$TOP/include -fplugin=$PLUGIN"
compile+=" -fplugin-arg-cabprof-events=paths+calls+memory"
{
  $compile -fPIC -shared other.c -o libother.so &&
    $compile -pthread prog.c -o prog -ldl
} >build.log 2>&1 || fail "$(cat build.log)"

# try OPTIONS: run once.
try ()
{
  rm -rf data
  CABPROF_OPTIONS=data=data:$1 ./prog 2>words || fail "$1: $?: $(cat words)"
}

# least TABLE UPTO MORE: print the least number of rows with which no message appears.
least ()
{
  local low=1 high=$2 middle
  while [ $low -lt "$high" ]; do
    middle=$(((low + high) / 2))
    try "most=$1/$middle:$3"
    if [ -s words ]; then low=$((middle + 1)); else high=$middle; fi
  done
  echo $low
}

# item PATTERN: sum the items of the account that match.
item () { awk -F'\t' -v name="^($1)\$" '$1 ~ name { n += $2 } END { print n + 0 }' account; }

# look: read the profile.
look ()
{
  "$CABPROF" report account -d data --format=tsv >account 2>err ||
    fail "$table: the profile cannot be read: $(cat err)"
  "$CABPROF" report methods -d data --format=tsv >methods 2>err || fail "$table: $(cat err)"
  calls=$(awk -F'\t' 'NR > 1 { n += $4 } END { print n + 0 }' methods)
  dropped=$(item 'dropped_.*')
}

# full TABLE UPTO [OPTIONS]: check that with N rows all is counted, and with one less there is one
# message. Set n, and calls and dropped of the latter run.
full ()
{
  table=$1
  local more=${3:-analyses=tree}
  n=$(least "$1" "$2" "$more")
  [ "$n" -gt 1 ] && [ "$n" -lt "$2" ] || fail "$1: no bound between 1 and $2 is met: $n"
  try "most=$1/$n:$more"
  look
  all=$calls unwanted=$dropped
  [ ! -s words ] && [ "$calls" = 133 ] && [ "$dropped" = "$(item dropped_unwanted)" ] ||
    fail "$1/$n: $calls calls, $dropped dropped: $(cat words)"
  try "most=$1/$((n - 1)):$more"
  [ "$(wc -l <words)" = 1 ] && grep -q 'a table of it is full.*what comes newly is not counted$' \
    words || fail "$1/$((n - 1)): $(cat words)"
  look
  grep -q $'^f0\t.*\t3\t' methods || fail "$1/$((n - 1)): f0: $(cat methods)"
  dropped=$((dropped - unwanted))
}

full functions 200
[ "$(item functions_refused)" = 1 ] && [ "$dropped" -gt 0 ] ||
  fail "functions: $n: $(cat methods account)"
full sites 500
[ "$calls" = "$all" ] && [ "$dropped" = 0 ] || fail "sites: $calls calls, $dropped dropped"   \
  # they are counted, without their place
full accesses 5000 analyses=tree+accesses
[ "$calls" = "$all" ] && [ "$dropped" -gt 0 ] || fail "accesses: $calls calls, $dropped dropped"
full states 100
[ "$dropped" -gt 0 ] || fail "states: $n: $(cat methods)"
# Counters and rings get half of the extents, states what is left. The order in which they come
# decides how many there are, so no bound is exact.
short ()
{
  table=$1 unwanted=0
  try "most=$1:$2"
  [ "$(wc -l <words)" = 1 ] && grep -q 'a table of it is full.*what comes newly is not counted$' \
    words || fail "$1: $(cat words)"
  look
  [ "$dropped" -gt 0 ] && grep -q $'^f0\t.*\t3\t' methods || fail "$1: $(cat methods account)"
}
short extents/20 analyses=tree+accesses
short extents/26 analyses=tree+methods+calls+accesses
try most=extents/1000:analyses=tree+methods+calls+accesses
[ ! -s words ] || fail "1000 extents: $(cat words)"

# An event for which one of its analyses has no room is dropped, even if the others have room.
try most=states/1:analyses=tree+methods
table='one state of two'
look
[ "$(item events_analysed)" = 0 ] && [ "$(item dropped_no_memory)" = 133 ] && [ "$calls" -gt 0 ] ||
  fail "$table: $(cat account)"
full regions 100
[ "$n" = 4 ] && [ "$calls" = "$all" ] || fail "regions: $n, $calls calls"
expect 0 "$CABPROF" report regions -d data --format=tsv
[ "$(grep -c '^r[0-9]' out)" = 3 ] || fail "regions: $(cat out)"
full sets 100
[ "$n" = 4 ] && [ "$calls" = "$all" ] || fail "sets: $n, $calls calls"
full modules 100
[ "$n" = 2 ] && [ "$(item functions_refused)" -gt 0 ] && [ "$dropped" -gt 0 ] ||
  fail "modules: $n: $(cat account)"
full threads 100
[ "$n" = 4 ] && [ "$(item dropped_no_thread)" -gt 0 ] && [ "$calls" -lt "$all" ] ||
  fail "threads: $n: $(cat account)"
full counters 100000
[ "$(item functions_refused)" = 1 ] && [ "$dropped" -gt 0 ] ||
  fail "counters: $n: $(cat methods account)"

# Strings: states of threads are the last that find no room; with 60 bytes less the set of a region
# has none, with 100 less the library's key.  Where the process' own have none, the program runs
# unprofiled.
full strings 100000
least=$n
for less in 4 8 12 32 60 100; do
  table="strings, $less too few"
  try "most=strings/$((least - less)):analyses=tree"
  [ "$(wc -l <words)" = 1 ] && grep -q 'a table of it is full.*what comes newly is not counted$' \
    words || fail "$table: $(cat words)"
  look
  "$CABPROF" report regions -d data --format=tsv >out 2>err || fail "$table: $(cat err)"
  ! grep -q $'^\t' out || fail "$table: a region without a name: $(cat out)"
  case $less in
    60) grep -q $'^r0\t0\t' out || fail "$table: the set of r0 has no name: $(cat out)" ;;
    100) [ "$(item functions_refused)" -gt 0 ] || fail "$table: $(cat account)" ;;
  esac
done
try most=strings/20
[ "$(wc -l <words)" = 1 ] && grep -q 'a table of it is full.*unprofiled$' words &&
  [ -z "$(ls data/*.part 2>/dev/null)" ] ||
  fail "no room for the first strings: $(cat words; ls data)"

CABPROF_OPTIONS=data=bad:most=extent/3 ./prog 2>words
grep -q "bad bound 'extent/3'" words || fail "a bound that there is none of: $(cat words)"
exit 0
