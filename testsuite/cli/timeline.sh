#!/bin/bash
# timeline.sh - `cabprof timeline' has each call, with times that nest, add up, and are those of the
# clock; also of threads, forked children, killed processes, and what longjmp and exceptions leave.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc g++ python3

cat >calls.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static jmp_buf env;
static volatile unsigned sink;
__attribute__ ((noipa)) static void leaf (int n) { for (int i = 0; i < n; i++) sink += i; }
__attribute__ ((noipa)) static int last (int n) { leaf (n); return n; }
__attribute__ ((noipa)) static int jumps (int n) { leaf (n); return last (n); }
__attribute__ ((noipa)) static void
deep (int n) { if (n) deep (n - 1); else longjmp (env, 1); sink++; }
__attribute__ ((noipa)) static int
order (const void *a, const void *b)
{
  return *(int *) a - *(int *) b;
}
static int slow;
__attribute__ ((noipa)) static void rests (void) { usleep (40000); sink++; }
__attribute__ ((noipa)) static void
handle (int n)
{
  if (slow && n % 1000 == 999 && n < 4000)
    rests ();
  int steps = slow ? n % 64 : n;
  leaf (steps);
  if (n == 33)
    leaf (20000);
  sink += jumps (steps);
}
static unsigned long
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ul + t.tv_nsec;
}
__attribute__ ((noipa)) static void naps (void) { usleep (2000); sink++; }
__attribute__ ((noipa)) static void *
work (void *n)
{
  for (long i = 0; i < (long) n; i++)
    handle (i);
  return NULL;
}
int
main (int argc, char **argv)
{
  int v[] = { 5, 3, 9, 1 };
  const char *what = argc > 1 ? argv[1] : "";
  long n = argc > 2 ? atol (argv[2]) : 100;
  slow = !strncmp (what, "slow", 4);
  pthread_t t[4];
  work ((void *) n);
  if (!strcmp (what, "kill") || !strcmp (what, "slow-kill"))
    kill (getpid (), SIGKILL);
  if (!strcmp (what, "abort"))
    abort ();
  if (!strcmp (what, "crash"))
    *(volatile int *) 0 = 1;
  if (!strcmp (what, "wait"))
    {
      puts ("waiting");
      fflush (stdout);
      getchar ();
    }
  for (int i = 0; i < 4 && !strcmp (what, "threads"); i++)
    pthread_create (&t[i], NULL, work, (void *) (10l * (i + 1)));
  for (int i = 0; i < 4 && !strcmp (what, "threads"); i++)
    pthread_join (t[i], NULL);
  if (!strcmp (what, "fork"))
    {
      if (!fork ())
	work ((void *) 7l), exit (0);
      wait (NULL);
    }
  if (!setjmp (env))
    deep (3);
  qsort (v, 4, sizeof *v, order);
  unsigned long before = now ();
  naps ();
  printf ("%lu %lu\n", before, now ());
  return 0;
}
C
cat >throws.cc <<'C'
static volatile int n;
__attribute__ ((noipa)) static void thrower () { n++; throw 1; }
__attribute__ ((noipa)) static void passes () { thrower (); n++; }
__attribute__ ((noipa)) static void catches () { try { passes (); } catch (int) { n++; } }
int main () { for (int i = 0; i < 5; i++) catches (); return 0; }
C
probed calls+time calls.c calls -O2 -pthread
g++ -g -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls+time throws.cc -o throws ||
  fail "throws.cc does not compile"

# run DIR OPTIONS PROGRAM...: run, its profile in DIR.
run ()
{
  CABPROF_OPTIONS=analyses=timeline${2:+:$2}:data=$1 "${@:3}"
}

cat >check.py <<'C'
"""check.py LIST LATENCY [ROUGH]: nesting, order and sums; prints the calls of each function.
ROUGH: all processes were so short that each command measures the clock's rate again."""
import csv, sys
rows = list (csv.DictReader ((l for l in open (sys.argv[1]) if l[0] != '#'), delimiter='\t'))
sums = list (csv.DictReader ((l for l in open (sys.argv[2]) if l[0] != '#'), delimiter='\t'))
stacks, calls, selfs, outer = {}, {}, {}, 0
for r in rows:
    begin = int (r['begin_ns']); end = begin + int (r['duration_ns'])
    stack = stacks.setdefault ((r['process'], r['thread']), [])
    depth = int (r['depth'])
    assert depth <= len (stack), 'a call at depth %d below %d' % (depth, len (stack))
    del stack[depth:]
    if stack:
        up = stack[-1]
        assert up[0] <= begin and end <= up[1], 'a call outside of its caller'
        assert begin >= up[2], 'a call that begins before the one before it has ended'
        up[2] = end
    else:
        outer += end - begin
    stack.append ([begin, end, begin])
    calls[r['function']] = calls.get (r['function'], 0) + 1
    selfs[r['function']] = selfs.get (r['function'], 0) + int (r['self_ns'])
assert sum (selfs.values ()) == outer, 'own times do not add up to the whole'
assert {r['function']: int (r['calls']) for r in sums} == calls, 'the views differ in calls'
rough = len (sys.argv) > 3
listed = {r['function']: int (r['self_ns']) for r in sums}
assert rough or listed == selfs, 'the views differ in times'
print (' '.join ('%s=%d' % c for c in sorted (calls.items ())))
C
# calls_of DIR [ROUGH]: check the timeline of DIR, and print the calls by function.
calls_of ()
{
  $CABPROF timeline list -d "$1" --format=tsv >list.tsv || fail "timeline list of $1"
  $CABPROF timeline -d "$1" --format=tsv >latency.tsv || fail "timeline of $1"
  python3 check.py list.tsv latency.tsv "${@:2}" || fail "the timeline of $1"
}
# same WHAT GOT WANT
same () { [ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"; }

# How often main's part of the program calls what, for 100 rounds.
whole="deep=4 handle=100 jumps=100 last=100 leaf=301 main=1 naps=1 now=2 order=5 work=1"
for placement in thread inline; do
  read -r before after < <(run "$placement.d" placement=$placement ./calls)
  same "calls, $placement" "$(calls_of $placement.d)" "$whole"
done
same "ends" "$(awk -F'\t' '{ n[$10]++ } END { print n["left"], n["returned"] }' list.tsv)" "4 611"
same "who was left" "$(awk -F'\t' '$10 == "left" { print $4 }' list.tsv | sort -u)" deep

# The times are those of CLOCK_MONOTONIC.
awk -F'\t' -v b="$before" -v a="$after" '$4 == "naps" {
    begin = $1; end = begin + $2
    exit !(begin >= b - 50000 && end <= a + 50000 && $2 >= 2000000) }' list.tsv ||
  fail "naps ran at another time: $(grep naps list.tsv), between $before and $after"

# What ends in a jump ends before the jump.
awk -F'\t' '$4 == "jumps" { end = $1 + $2 } $4 == "last" && $1 < end { exit 1 }' list.tsv ||
  fail "a function that jumped lasts beyond the jump"

# The slowest call is the one that did more, and it shows where.
$CABPROF timeline slowest --function=handle -d inline.d --count=1 --format=tsv >slowest.tsv ||
  fail "timeline slowest"
awk -F'\t' '$2 == "leaf" && $1 == 1 && !n++ { exit !($7 > 10 * $6 / 2) }' slowest.tsv ||
  fail "the slowest call does not show the slow leaf: $(cat slowest.tsv)"
n=$($CABPROF timeline histogram --function=leaf -d inline.d --format=tsv |
  awk -F'\t' 'NR > 1 { n += $3 } END { print n }')
same "the histogram's calls" "$n" 301
n=$($CABPROF timeline list --function=naps --longer=2ms -d inline.d --format=tsv | grep -c naps)
same "filters" "$n" 1
n=$($CABPROF timeline list --longer=100s -d inline.d --format=tsv | grep -c main)
same "nothing is as long" "$n" 0

run threads.d "" ./calls threads >/dev/null
same "threads" "$(calls_of threads.d)" \
  "deep=4 handle=200 jumps=200 last=200 leaf=602 main=1 naps=1 now=2 order=5 work=5"
same "threads" "$(awk -F'\t' '$4 == "work" { print $9 }' list.tsv | sort -u | wc -l)" 5
tid=$(awk -F'\t' '$4 == "work" { print $9 }' list.tsv | tail -1)
n=$($CABPROF timeline list --thread="$tid" --function=work -d threads.d --format=tsv | grep -c work)
same "--thread" "$n" 1

run fork.d "" ./calls fork >/dev/null
same "fork" "$(calls_of fork.d)" \
  "deep=4 handle=107 jumps=107 last=107 leaf=322 main=1 naps=1 now=2 order=5 work=2"

for n in 10 3000; do
  run kill$n.d "" ./calls kill $n >/dev/null 2>&1
  same "kill -9 after $n" "$(calls_of kill$n.d rough)" \
    "handle=$n jumps=$n last=$n leaf=$((n > 33 ? 3 * n + 1 : 3 * n)) main=1 work=1"
  same "what was open" "$(awk -F'\t' '$10 == "open" { print $4 }' list.tsv | tr '\n' ' ')" "main "
done

for how in abort crash; do
  run $how.d "" ./calls $how 100 >/dev/null 2>&1
  same "$how" "$(calls_of $how.d rough)" \
    "handle=100 jumps=100 last=100 leaf=301 main=1 work=1"
done

# A snapshot has what happened up to then, while the program goes on; with keep=, the last of it.
mkfifo go
for keep in "" ,keep=64K; do
  rm -f said
  CABPROF_OPTIONS=analyses=timeline$keep:data=wait$keep.d ./calls wait 20000 <go >said &
  pid=$!
  exec 3>go
  until grep -qs waiting said; do sleep 0.05; done
  $CABPROF ctl $pid snapshot one >/dev/null || fail "ctl snapshot"
  echo >&3
  exec 3>&-
  wait $pid || fail "the program with a snapshot"
  $CABPROF timeline list -d wait$keep.d/snapshots/one --format=tsv >list.tsv ||
    fail "the timeline of a snapshot"
  n=$(grep -c handle list.tsv)
  if [ -z "$keep" ]; then
    same "main goes on" "$(awk -F'\t' '$4 == "main" { print $10 }' list.tsv)" open
    same "a snapshot" "$n" 20000
  else
    [ "$n" -gt 500 ] && [ "$n" -lt 20000 ] || fail "snapshot$keep: $n of 20000 calls"
  fi
  grep -q naps list.tsv && fail "snapshot$keep: what happened later is in it"
done

run throws.d "" ./throws
same "exceptions" "$(calls_of throws.d rough)" "catches()=5 main=1 passes()=5 thrower()=5"
same "what they left" "$(awk -F'\t' '$10 == "left" { print $4 }' list.tsv | sort | uniq -c |
  awk '{ print $1, $2 }' | tr '\n' ' ')" "5 passes() 5 thrower() "

# With keep= the program never waits for room in a ring, whatever placement= says.
for keep in "" ,keep=64K; do
  CABPROF_OPTIONS=ring=64K:chunk=4K:placement=thread:analyses=timeline$keep:data=waits$keep.d \
    taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" ./calls slow 60000 >/dev/null
  waits=$(rows account -d waits$keep.d | awk -F'\t' '$1 == "waits" { n = $2 } END { print n + 0 }')
  [ -z "$keep" ] && [ "$waits" = 0 ] && fail "the rings are too large for this test"
  [ -n "$keep" ] && same "waits with keep=" "$waits" 0
done

# With keep= the last events stay, in no more room than that; what they belong to began before.
CABPROF_OPTIONS=analyses=timeline,keep=64K:data=keep.d ./calls "" 20000 >/dev/null
$CABPROF timeline list -d keep.d --format=tsv >list.tsv || fail "timeline with keep="
n=$(grep -c handle list.tsv)
[ "$n" -gt 500 ] && [ "$n" -lt 20000 ] || fail "keep=64K: $n of 20000 calls"
same "the newest is there" "$(awk -F'\t' '$4 == "naps" { print $10 }' list.tsv)" returned
same "main" "$(awk -F'\t' '$4 == "main" { print $10 }' list.tsv)" "began before"

# With slower= the slow calls of a function stay, with all that was in them; others do not.
CABPROF_OPTIONS=analyses=timeline,keep=256K,slower=handle/20ms:data=slow.d ./calls slow 60000 \
  >/dev/null
$CABPROF timeline list -d slow.d --format=tsv >list.tsv || fail "timeline with slower="
awk -F'\t' '
  $4 == "handle" && $2 >= 40000000 && $10 == "returned" { n++; begin = $1; end = $1 + $2 }
  $4 == "rests" && $1 >= begin && $1 < end { pauses++ }
  END { exit !(n >= 3 && pauses >= 3) }' list.tsv ||
  fail "slower=: the slow calls are not there: $(sort -t$'\t' -k2,2nr list.tsv | head -5)"
n=$(grep -c handle list.tsv)
[ "$n" -lt 60000 ] || fail "slower=: all calls are there"
same "the newest is there" "$(awk -F'\t' '$4 == "naps" { print $10 }' list.tsv)" returned
CABPROF_OPTIONS=analyses=timeline,keep=256K,slower=rests/1ms:data=slow-kill.d ./calls slow-kill \
  60000 >/dev/null 2>&1
$CABPROF timeline list -d slow-kill.d --format=tsv >list.tsv || fail "slower=, killed"
same "slow calls of a killed process" "$(awk -F'\t' '$4 == "rests"' list.tsv | wc -l)" 4
CABPROF_OPTIONS=analyses=timeline,keep=64K,slower=leaf/1ns:data=full.d ./calls slow 20000 >/dev/null
$CABPROF timeline -d full.d | grep -q "no room to keep all slow calls" ||
  fail "slow calls that were not kept are not told"
for bad in slower=handle slower=/1ms slower=handle/soon slower=handle/0ms; do
  CABPROF_OPTIONS=analyses=timeline,keep=64K,$bad:data=bad.d ./calls >out 2>&1
  grep -q "slower= takes a function and a time" out || fail "$bad: $(cat out)"
done
CABPROF_OPTIONS=analyses=timeline,slower=handle/1ms:data=bad.d ./calls >out 2>&1
grep -q "slower= needs keep=" out || fail "slower= without keep=: $(cat out)"

# A trace has the same.
$CABPROF record -d traced.d --trace=calls.trace -- ./calls >/dev/null || fail "record --trace"
$CABPROF trace replay --analyses=timeline -d replay.d calls.trace || fail "trace replay"
same "a replayed trace" "$(calls_of replay.d)" "$whole"

# With paths, contexts and accesses besides.
probed paths+calls+loops+memory+time calls.c all -O2 -pthread -fplugin-arg-cabprof-context
CABPROF_OPTIONS=analyses=timeline+tree+contexts+accesses+paths:data=all.d ./all >/dev/null
same "with all events" "$(calls_of all.d)" "$whole"
$CABPROF report tree -d all.d --format=tsv >tree.tsv || fail "the tree beside the timeline"

# What is missing is said.
wrong () { "${@:3}" >out 2>&1; [ $? = "$1" ] && grep -q "$2" out || fail "$*: $(cat out)"; }
probed calls calls.c plain -O2 -pthread
CABPROF_OPTIONS=data=plain.d ./plain >/dev/null
wrong 1 "compile with -fplugin-arg-cabprof-events=calls+time" $CABPROF timeline -d plain.d
CABPROF_OPTIONS=data=other.d ./calls >/dev/null
wrong 1 "run the program with CABPROF_OPTIONS=analyses=timeline" $CABPROF timeline -d other.d
wrong 2 "not a time" $CABPROF timeline --longer=soon -d inline.d
wrong 2 "needs --function" $CABPROF timeline slowest -d inline.d
wrong 2 "no such view" $CABPROF timeline picture -d inline.d
wrong 1 "add calls to events" gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=time calls.c -o no
wrong 1 "cannot carry times" gcc -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls+time \
  -fplugin-arg-cabprof-ring=cab calls.c -o no
CABPROF_OPTIONS=analyses=timeline,keep=few:data=bad.d ./calls >out 2>&1
grep -q "keep= takes a number of bytes" out || fail "keep=few: $(cat out)"
exit 0
