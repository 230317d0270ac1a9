#!/bin/bash
# sandbox.sh - a program that forbids itself to open files goes on, whatever the filter does on
# open; what has room is counted, and the rest is reported. A program that gives up its root or its
# user keeps its counts and goes on.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# run PROGRAM ARGUMENT...: check that it ends as without probes.
run ()
{
  CABPROF_OPTIONS=data=$PWD/data timeout -s KILL 60 "$@" >run.out 2>err
  local status=$?
  [ $status != 77 ] || skip "no filters of system calls here"
  [ $status = 0 ] && cmp -s run.out plain.out ||
    fail "$*: status $status, output: $(cat run.out err)"
}

for events in paths paths+calls memory; do
  "$CGCC" -fplugin-arg-cabprof-events=$events -O1 "$SRC/sandbox.c" -o sandbox 2>build.log ||
    fail "sandbox.c: $(cat build.log)"
  CABPROF_OPTIONS=off ./sandbox errno more >plain.out
  for action in kill trap errno; do
    rm -rf data; run ./sandbox $action more
    [ ! -s err ] || fail "$events, $action: $(cat err)"
    expect 0 "$CABPROF" report methods -d data --format=tsv
    [ $events = memory ] || { prints $'^f100\t.*\t2\t0$'; prints $'^f699\t.*\t1\t0$'; }
    [ $events != paths+calls ] || { expect 0 "$CABPROF" report calls -d data --format=tsv; prints \
      $'^main\tf699\t.*\t1$'; }
    [ $events != memory ] || { expect 0 "$CABPROF" report accesses -d data --format=tsv; prints \
      $'^sum\tf100\t'; }
    expect 0 "$CABPROF" report account -d data --format=tsv
    [ ! -s err ] && [ -s out ] || fail "$events, $action: the account: $(cat err)"
  done
done

# Counts in place have room for the functions of a usual program.
"$CGCC" -O1 "$SRC/sandbox.c" -o sandbox 2>build.log || fail "sandbox.c: $(cat build.log)"
CABPROF_OPTIONS=off ./sandbox errno >plain.out
for action in kill trap errno; do
  rm -rf data; run ./sandbox $action
  [ ! -s err ] || fail "$action: $(cat err)"
  expect 0 "$CABPROF" report methods -d data --format=tsv; prints $'^f199\t.*\t1\t0$'
  prints $'^f100\t.*\t2\t0$'
done

# Files are out of reach for the new root and user, also in a namespace of the program's own.
for events in paths paths+calls memory; do
  "$CGCC" -fplugin-arg-cabprof-events=$events -O1 "$SRC/sandbox.c" -o sandbox 2>build.log ||
    fail "sandbox.c: $(cat build.log)"
  CABPROF_OPTIONS=off ./sandbox errno more >plain.out
  for how in root namespace; do
    rm -rf data
    CABPROF_OPTIONS=data=$PWD/data:placement=inline ./sandbox $how more >run.out 2>err
    status=$?
    [ $status != 77 ] || { echo "skipped: $how"; continue; }
    [ $status = 0 ] && cmp -s run.out plain.out && [ ! -s err ] ||
      fail "$events, $how: status $status: $(cat run.out err)"
    [ $events = memory ] || { expect 0 "$CABPROF" report methods -d data --format=tsv; prints \
      $'^f699\t.*\t1\t0$'; }
    [ $events != paths+calls ] || { expect 0 "$CABPROF" report calls -d data --format=tsv; prints \
      $'^main\tf699\t.*\t1$'; }
    [ $events != memory ] || { expect 0 "$CABPROF" report accesses -d data --format=tsv; prints \
      $'^sum\tf100\t'; }
  done
done

# The program gives up root and user.
[ "$(id -u)" = 0 ] || exit 0
cat >locked.c <<'end'
#include <stdio.h>
#include <unistd.h>
static long sum;
__attribute__ ((noipa)) static void before (long i) { sum += i; }
__attribute__ ((noipa)) static void after (long i) { sum -= i; }
int main (void)
{
  before (3);
  if (chroot ("/") < 0 || chroot ("/proc") < 0 || chdir ("/") < 0 || setgid (65534) < 0 || setuid (65534) < 0) return 77;
  after (2);
  printf ("%ld\n", sum);
  return 0;
}
end
"$CGCC" -O1 locked.c -o locked 2>build.log || fail "locked.c: $(cat build.log)"
echo 1 >plain.out; rm -rf data; run ./locked; [ ! -s err ] || fail "locked: $(cat err)"
expect 0 "$CABPROF" report methods -d data --format=tsv; prints $'^before\t.*\t1\t0$'
prints $'^after\t.*\t1\t0$'
