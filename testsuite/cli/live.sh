#!/bin/bash
# live.sh - the report of a running process has all events that it has recorded, for each ring and
# placement.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build

cat >wait.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int __attribute__ ((noinline)) leaf (volatile int *p) { return ++*p; }   /* calls: 1,000 in each thread, 5 in main */
static void * __attribute__ ((noinline))
thread (void *p)
{
  for (int i = 0; i < 1000; i++)
    leaf (p);
  pause ();
  return NULL;
}
int
main (void)
{
  pthread_t threads[2];
  volatile int n[3] = { 0 };
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, thread, (void *) &n[i]);
  for (int i = 0; i < 5; i++)
    leaf (&n[2]);
  while (n[0] + n[1] < 2000)
    usleep (1000);
  puts ("ready");
  fflush (stdout);
  pause ();
}
C

# start OPTIONS: run ./wait as process $PID until its events are recorded.
start ()
{
  rm -rf cabprof.data out
  mkfifo out
  CABPROF_OPTIONS=$1 ./wait >out &
  PID=$!
  read -r _ <out
}

stop ()
{
  kill -9 $PID
  wait $PID 2>/dev/null
}

for ring in chunk cab; do
  "$CGCC" -O1 -g -pthread -fplugin-arg-cabprof-events=calls -fplugin-arg-cabprof-ring=$ring wait.c \
    -o wait || fail "compile"
  for placement in thread inline; do
    start "placement=$placement:analyses=calls+tree"
    rows calls | sort >running
    rows tree | sort >running.tree
    "$CABPROF" report | grep -q 'still running' ||
      fail "$ring $placement: the overview does not say that it runs"
    stop
    rows calls | sort >killed
    rows tree | sort >killed.tree
    cmp -s running killed ||
      fail "$ring $placement: calls of the running process: $(cat running); killed: $(cat killed)"
    cmp -s running.tree killed.tree ||
      fail "$ring $placement: tree of the running process: $(cat running.tree); killed:" \
      "$(cat killed.tree)"
    [ "$(awk -F'\t' '/leaf/ { for (i = 1; i <= NF; i++) if ($i ~ /^(2000|5)$/) print $i }' running |
      sort -n | xargs)" = '5 2000' ] \
      || fail "$ring $placement: $(cat running)"
  done
done

# The same holds for an analysis of accesses.
"$CGCC" -O1 -g -pthread -fplugin-arg-cabprof-events=memory wait.c -o wait || fail "compile"
start analyses=accesses+cache+tree
rows accesses | sort >running
stop
rows accesses | sort >killed
grep -q leaf running || fail "no access of the running process: $(cat running)"
diff <(grep leaf running) <(grep leaf killed) || fail "accesses differ"
