#!/bin/bash
# limits-set.sh - a program that lowers its own limit of addresses, or locks its memory, goes on as
# it does without probes: the runtime gives back what it has reserved.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# Threads that run beside each other get 64 to 128 MB of addresses each from the C library, so that
# chance would decide what is left of the limit.
export MALLOC_ARENA_MAX=1

# run HOW MB: check that the program prints what it does without probes, and set SIZE to its size
# in MB after the call.
run ()
{
  local status wanted
  ./plain "$@" >plain.out 2>/dev/null
  wanted=$?
  rm -rf data
  CABPROF_OPTIONS=data=$PWD/data:placement=$placement timeout -s KILL 60 ./probed "$@" \
    >run.out 2>err
  status=$?
  [ $status = $wanted ] && cmp -s run.out plain.out ||
    fail "$events, $placement, $*: status $status for $wanted, output: $(cat run.out err)"
  SIZE=$(awk '/ MB$/ { print $1 }' err)
}

# dropped: print how many events have been dropped.
dropped ()
{
  "$CABPROF" report account -d data --format=tsv 2>/dev/null |
    awk -F'\t' '/^dropped/ { n += $2 } END { print n + 0 }'
}

# complete HOW: check that all is in the profile, of both processes.
complete ()
{
  ! grep cabprof: err || fail "$events, $placement, $1: it said so"
  [ "$(dropped)" = 0 ] || fail "$events, $placement, $1: $(dropped) dropped"
  expect 0 "$CABPROF" report methods -d data --format=tsv
  prints $'^work\t.*\t402\t0$'
  prints $'^late\t.*\t4\t0$'
}

gcc -O1 -shared -fPIC "$SRC/limits_set_lib.c" -o liblimit.so &&
  gcc -O1 "$SRC/limits_set.c" -o plain -L. -llimit -Wl,-rpath,"$PWD" -pthread ||
  fail "compile limits_set.c"
for events in paths paths+calls+memory; do
  "$CGCC" -fplugin-arg-cabprof-events=$events -O1 "$SRC/limits_set.c" -o probed -L. -llimit \
    -Wl,-rpath,"$PWD" -pthread 2>build.log || fail "limits_set.c, $events: $(cat build.log)"
  for placement in thread inline; do
    for how in setrlimit prlimit syscall library; do
      run $how 160
      [ "$SIZE" -lt 30 ] || fail "$events, $placement, $how: $SIZE MB"
      complete $how
    done
    run mlockall 1000
    [ -z "$SIZE" ] || [ "$SIZE" -lt 60 ] || fail "$events, $placement, mlockall: $SIZE MB"

    # A limit of something else, or of another process, changes nothing.
    for how in stack vfork; do
      run $how 1000
      [ "$SIZE" -gt 400 ] || fail "$events, $placement, $how: $SIZE MB"
      complete $how
    done

    # Where the profile has no room, one line says so, and the program has what it needs.
    run setrlimit 48
    [ "$(dropped)" = 0 ] || [ "$(grep -c cabprof: err)" -ge 1 ] ||
      fail "$events, $placement, 48 MB: $(dropped) dropped: $(cat err)"
  done
done

# A statically linked program announces its calls.
events=paths placement=inline
gcc -O1 -c "$SRC/limits_set_lib.c" -o lib.o &&
  "$CGCC" -fplugin-arg-cabprof-events=paths -O1 -static "$SRC/limits_set.c" lib.o -o probed \
  -L"$BUILD/lib" -Wl,--whole-archive -lcabprof \
  -Wl,--no-whole-archive -pthread 2>build.log || fail "static: $(cat build.log)"
run setrlimit 160
[ "$SIZE" -lt 30 ] || fail "static: $SIZE MB"
exit 0
