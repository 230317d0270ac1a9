#!/usr/bin/env bash
# rings.sh - rings of the fewest slots lose and repeat nothing, with the probes of the plugin: with
# threads that come and go, delays, timers' handlers, one core.
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 600
#
# Events (with all ring designs and both placements) must give exactly what the program counts
# itself. Producers other than the chunk ring's may lose events to a handler that interrupts them
# (rt/engine/ring/ring_cab.c), so their runs are without timers.

. "$(dirname "$0")/../lib.sh"
need_build
cd "$TEST_DIR" || exit 1

cat >storm.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int ticks[9];
static __thread int self;

__attribute__ ((noinline)) static int
leaf (int n)
{
  return n % 3 ? n / 2 : n + 1;
}

__attribute__ ((noinline)) static int
walk (int n)
{
  return n <= 1 ? leaf (n) : leaf (n) + walk (n - 1);
}

static void
tick (int sig)
{
  ticks[self] += leaf (sig) != 0;
}

static void *
work (void *arg)
{
  unsigned seed = self = (int) (long) arg;
  long sum = 0;
  for (int i = 0; i < 2000; i++)
    {
      sum += walk (i % 10);
      if (rand_r (&seed) % 500 == 0)
	usleep (200);
    }
  return (void *) sum;
}

int
main (int argc, char **argv)
{
  struct itimerval timer = { { 0, 200 }, { 0, 200 } };
  pthread_t thread[4];
  (void) argv;
  signal (SIGPROF, tick);
  if (argc > 1)
    setitimer (ITIMER_PROF, &timer, 0);
  for (int round = 0; round < 4; round++)
    {
      for (long k = 0; k < 4; k++)
	pthread_create (&thread[k], 0, work, (void *) (k + 1));
      for (int k = 0; k < 4; k++)
	pthread_join (thread[k], 0);
    }
  timer = (struct itimerval) { { 0, 0 }, { 0, 0 } };
  setitimer (ITIMER_PROF, &timer, 0);
  printf ("%d\n", ticks[0] + ticks[1] + ticks[2] + ticks[3] + ticks[4]);
}
END

# There are 16 threads of 2,000 walks, with 0 to 9 by turns, so 4.6 calls of walk (and of leaf) each
# on average.
walks=$((16 * 2000 / 10 * 46))

# run WHAT OPTIONS COMMAND...: profile it, and compare the calls of each function.
run ()
{
  local what=$1 options=$2 told calls pair f n
  shift 2
  rm -rf data
  told=$(CABPROF_OPTIONS="data=data:$options" "$@") || fail "$what $options: the program failed"
  for pair in "walk $walks" "leaf $((walks + told))" "tick $told" "work 16" "main 1"; do
    read -r f n <<<"$pair"
    calls=$("$BUILD/bin/cabprof" report methods -d data --format=tsv --function="$f" |
      awk -F'\t' -v f="$f" '$1 == f { print $4 }')
    [ "${calls:-0}" = "$n" ] ||
      fail "$what $options: $f was called $n times, the profile says ${calls:-nothing}"
  done
}

for ring in chunk cab pipa fastforward; do
  for events in calls paths paths,calls; do
    gcc -O2 -g -fno-optimize-sibling-calls -fplugin="$BUILD/cabprof.so" \
      -fplugin-arg-cabprof-events=$events -fplugin-arg-cabprof-paths=trace \
      -fplugin-arg-cabprof-ring=$ring storm.c -o storm -lpthread || fail "gcc"
    storm=(./storm)
    [ $ring != chunk ] || storm+=(timers)
    run "$ring $events" "ring=512:chunk=64" "${storm[@]}"
    run "$ring $events" "ring=512:chunk=64:placement=inline" "${storm[@]}"
    run "$ring $events" "ring=8K:chunk=1K:threads=3" "${storm[@]}"
    run "$ring $events, one core" "ring=512:chunk=64" taskset -c 0 "${storm[@]}"
  done
done
