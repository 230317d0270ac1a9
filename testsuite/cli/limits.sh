#!/bin/bash
# limits.sh - with many threads at once, few addresses, or valgrind, everything that has room is
# counted exactly, the rest is counted as dropped and reported in one line, and no thread of the
# program fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc
cat >many.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
static pthread_barrier_t all;
static long cell[16];
__attribute__ ((noipa)) static void work (int i) { cell[i & 15]++; }
static void *run (void *arg)
{
  for (int i = 0; i < 10; i++) work (i);
  pthread_barrier_wait (&all);
  for (int i = 0; i < 10; i++) work (i);
  return arg;
}
int main (int argc, char **argv)
{
  int n = atoi (argv[1]);
  if (argc > 2 && setrlimit (RLIMIT_AS, &(struct rlimit) { 100 << 20, 100 << 20 })) return 4;
  pthread_t *t = malloc (n * sizeof *t);
  pthread_attr_t attr;
  pthread_barrier_init (&all, 0, n);
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, getenv ("STACK") ? 1 << 20 : 65536);
  for (int i = 0; i < n; i++)
    if (pthread_create (t + i, &attr, run, 0)) return 3;
  for (int i = 0; i < n; i++) pthread_join (t[i], 0);
  return 0;
}
END
${GCC:-gcc} -O1 -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+calls+memory -pthread \
  many.c -o many >build.log 2>&1 || fail "many.c does not compile: $(cat build.log)"

# counts DIR: print the entries of work, and the events that were dropped.
counts ()
{
  local calls
  "$CABPROF" report account -d "$1" --format=tsv >account 2>err || fail "account of $1: $(cat err)"
  calls=$("$CABPROF" report methods -d "$1" --format=tsv | awk -F'\t' '$1 == "work" { print $4 }')
  echo "$calls $(awk -F'\t' '/^dropped/ { n += $2 } END { print n + 0 }' account)"
}

# The files need gigabytes for a moment, so use a file system in memory where there is one.
place=$PWD
[ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -1)" -gt 8000000 ] 2>/dev/null &&
  place=$(mktemp -d /dev/shm/cabprof-limits.XXXXXX)
trap '[ "$place" = "$PWD" ] || rm -rf "$place"' EXIT

# exact N PLACEMENT ANALYSES: run N live threads, and check that the profile has all they did.
exact ()
{
  CABPROF_OPTIONS=data=$place/many.data:placement=$2:analyses=$3 ./many "$1" 2>err ||
    fail "$1 threads, $2: $?"
  quiet
  [ "$(counts "$place"/many.data)" = "$((20 * $1)) 0" ] ||
    fail "$1 threads, $2: $(counts "$place"/many.data)"
  rm -rf "$place"/many.data
}

# There are more rings than can have all their blocks at once, and more states than have addresses
# reserved.
n=2600
CABPROF_OPTIONS=off ./many $n 2>/dev/null || n=600   # this machine has no room for so many threads
exact $n thread tree+accesses

# Run 10,000 threads, as many as the kernel's limit on mappings allows with three of the runtime's
# for each.
why=
[ "$(cat /proc/sys/vm/max_map_count)" -ge 65530 ] || why="vm.max_map_count is low"
[ "$place" != "$PWD" ] && [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 10000000 ] ||
  why="there is no memory for the profile"
CABPROF_OPTIONS=off ./many 10000 2>/dev/null || why="this machine has no room for so many threads"
if [ -z "$why" ]; then
  exact 10000 thread tree+accesses
  exact 10000 inline tree+accesses
else
  echo "10,000 threads are not tried: $why"
fi

# A program that sets itself the limit it was started with has as much room.
(ulimit -v 102400; CABPROF_OPTIONS=data=own ./many 40 limit) 2>words ||
  fail "100 MB of addresses, set again: $?"

# With 100 MB of addresses all threads start; few have room for counters and states.
(ulimit -v 102400; CABPROF_OPTIONS=data=few ./many 40) 2>words || fail "100 MB of addresses: $?"
read -r calls dropped <<<"$(counts few)"
[ "$calls" = 800 ] && [ "$dropped" = 0 ] ||
  { [ "$dropped" -gt 0 ] && [ "$(wc -l <words)" = 1 ] &&
  grep -q 'no more addresses.*what comes newly is not counted' words; } ||
  fail "100 MB: $calls calls, $dropped dropped: $(cat words)"

# With 12 MB of data there is no table of functions' records.
(ulimit -d 12000; CABPROF_OPTIONS=data=data12 ./many 4) 2>words || fail "12 MB of data: $?"
read -r calls dropped <<<"$(counts data12)"
[ "$calls" = 80 ] || fail "12 MB of data: $calls calls"
[ "$dropped" = 0 ] ||
  { [ "$(wc -l <words)" = 1 ] && grep -q 'accesses of such functions are not counted' words; } ||
  fail "12 MB of data: $dropped dropped: $(cat words)"

# valgrind refuses large reservations, and does not mistake a switch to a stack of the runtime, near
# those of the threads, for growth (docs/limits.md has what it does mistake).
if command -v valgrind >/dev/null; then
  CABPROF_OPTIONS=data=refused:analyses=tree+accesses+cache+reuse STACK=1048576 \
    valgrind -q --error-exitcode=9 ./many 4 2>err || fail "valgrind: $(cat err)"
  quiet
  [ "$(counts refused)" = "80 0" ] || fail "valgrind: $(counts refused): $(cat err)"
fi
exit 0
