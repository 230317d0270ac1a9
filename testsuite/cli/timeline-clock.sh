#!/bin/bash
# timeline-clock.sh - with clock=monotonic the times of calls are exactly those of clock_gettime, in
# each placement, in threads whose rings are older than the first function with times, in traces and
# after kill -9; the command says so.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

cat >old.c <<'C'
/* Compiled without times: the second thread has a ring before there is a function with times. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
void timed_often (void), late_often (void);
static pthread_barrier_t both;
static volatile unsigned sink;
__attribute__ ((noipa)) static void old (int i) { sink += i; }
static unsigned long
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ul + t.tv_nsec;
}
static void *
other (void *unused)
{
  for (int i = 0; i < 100; i++)
    old (i);
  pthread_barrier_wait (&both);
  pthread_barrier_wait (&both);
  timed_often ();
  return unused;
}
int
main (int argc, char **argv)
{
  pthread_t t;
  unsigned long begin = now ();
  pthread_barrier_init (&both, NULL, 2);
  pthread_create (&t, NULL, other, NULL);
  pthread_barrier_wait (&both);
  timed_often ();
  pthread_barrier_wait (&both);
  pthread_join (t, NULL);
  unsigned long between = now ();
  late_often ();
  printf ("%lu %lu %lu\n", begin, between, now ());
  fflush (stdout);
  if (argc > 1)
    kill (getpid (), SIGKILL);
  return 0;
}
C
cat >new.c <<'C'
static volatile unsigned sink;
__attribute__ ((noipa)) static void timed (int i) { sink += i; }
__attribute__ ((noipa)) static void late (int i) { sink -= i; }
void timed_often (void) { for (int i = 0; i < 1000; i++) timed (i); }
void late_often (void) { for (int i = 0; i < 1000; i++) late (i); }
C
gcc -g -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls -c old.c &&
  gcc -g -O2 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=calls+time -c new.c &&
  gcc -fplugin="$PLUGIN" old.o new.o -o prog -pthread || fail "it does not compile"

# exact DATA SAID: check that the calls in DATA lie where the program SAID that they do.
exact ()
{
  "$CABPROF" timeline list -d "$1" --format=tsv >list.tsv 2>err || fail "$1: $(cat err)"
  awk -F'\t' -v said="$(cat "$2")" '
    BEGIN { split (said, at, " ") }
    $4 == "timed" && ($1 < at[1] || $1 + $2 > at[2]) { bad = bad " " $0 }
    $4 == "late" && ($1 < at[2] || $1 + $2 > at[3]) { bad = bad " " $0 }
    $4 == "timed" { timed++ }
    $4 == "late" { late++ }
    END { if (bad || timed != 2000 || late != 1000) { print timed, late, bad; exit 1 } }' \
    list.tsv >bad || fail "$1: $(head -c 300 bad); $(cat "$2")"
  "$CABPROF" timeline -d "$1" | grep -q "those of clock_gettime" || fail "$1: nothing is said"
}

for placement in thread inline auto; do
  CABPROF_OPTIONS=clock=monotonic:analyses=timeline:placement=$placement:data=$placement.d \
    ./prog >said || fail "$placement: $?"
  exact $placement.d said
done
CABPROF_OPTIONS=clock=monotonic:analyses=timeline:data=killed.d ./prog kill >said 2>/dev/null
exact killed.d said
"$CABPROF" record -d traced.d --sample=off --options=clock=monotonic --trace=prog.trace -- ./prog \
  >said || fail "record: $?"
"$CABPROF" trace replay --analyses=timeline -d replayed.d prog.trace || fail "replay: $?"
exact replayed.d said

CABPROF_OPTIONS=clock=monotonic:analyses=methods:placement=direct:data=direct.d ./prog >said ||
  fail "direct: $?"
is "calls, direct" "$(rows methods -d direct.d | awk -F'\t' '$1 == "timed" { print $4 }')" 2000

# slower= is in the same units.
slower=clock=monotonic:analyses=timeline,keep=64K,slower=timed_often
CABPROF_OPTIONS=$slower/1us:data=slower.d ./prog >said || fail "slower=: $?"
"$CABPROF" timeline list --function=timed_often -d slower.d --format=tsv >list.tsv || fail "slower="
grep -q timed_often list.tsv || fail "slower=: the call is not there"
CABPROF_OPTIONS=$slower/1000s:data=fast.d ./prog >said || fail "slower=: $?"

# Without the option the counter is used where it is steady, or where it is asked for.
CABPROF_OPTIONS=clock=tsc:analyses=timeline:data=tsc.d ./prog >said || fail "tsc: $?"
"$CABPROF" timeline -d tsc.d | grep -q "those of clock_gettime" && fail "clock=tsc calls"
CABPROF_OPTIONS=analyses=timeline:data=usual.d ./prog >said || fail "usual: $?"
if grep -q constant_tsc /proc/cpuinfo && grep -q nonstop_tsc /proc/cpuinfo; then
  "$CABPROF" timeline -d usual.d | grep -q "those of clock_gettime" && fail "a steady counter calls"
fi
CABPROF_OPTIONS=clock=sundial ./prog >out 2>&1
grep -q "unknown clock.*known are tsc, monotonic" out || fail "clock=sundial: $(cat out)"
exit 0
