#!/bin/bash
# control-stress.sh - threads run while the program and `cabprof ctl' pause, resume, flush, copy and
# name regions at the same time, with forks and threads that end; counts stay right.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
include=-I$TOP/include

cat >stress.c <<'C'
#include <cabprof/cabprof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int stop;
static int __attribute__ ((noinline)) leaf (volatile int *p) { return ++*p; }
static void __attribute__ ((noinline)) work (volatile int *p, int n) { for (int i = 0; i < n; i++) leaf (p); }
static void * __attribute__ ((noinline)) shortly (void *p) { volatile int n = 0; work (&n, 20); return p; }
CABPROF_NEVER static void *
run (void *p)
{
  volatile int n = 0;
  for (int i = 0; !stop; i++)
    {
      cabprof_region_begin ("a");
      work (&n, 50);
      if (i % 4 == 0)
	cabprof_region_begin ("b");
      work (&n, 10);
      cabprof_region_end ("a");
      cabprof_region_end ("b");
      work (&n, 30);
    }
  return p;
}
CABPROF_NEVER static void *
control (void *p)
{
  for (int i = 0; !stop; i++)
    {
      cabprof_pause ();
      cabprof_flush ();
      usleep (300);
      cabprof_resume ();
      if (i % 16 == 0)
	cabprof_snapshot ("own");
    }
  return p;
}
CABPROF_NEVER int
main (int argc, char **argv)
{
  pthread_t t[4], c, s;
  volatile int n = 0;
  for (int i = 0; i < 3; i++)
    pthread_create (&t[i], NULL, run, NULL);
  pthread_create (&c, NULL, control, NULL);
  for (int i = 0; i < atoi (argv[argc - 1]); i++)
    {
      pthread_create (&s, NULL, shortly, NULL);
      pthread_join (s, NULL);
      if (i % 8 == 0)
	{
	  pid_t pid = fork ();
	  if (pid == 0)
	    {
	      work (&n, 5);
	      _exit (cabprof_region_end ("a") >= 0);
	    }
	  int status = 1;
	  if (waitpid (pid, &status, 0) != pid || status)
	    return 1;
	}
    }
  stop = 1;
  for (int i = 0; i < 3; i++)
    pthread_join (t[i], NULL);
  pthread_join (c, NULL);
  while (cabprof_resume () < 0)   /* a `cabprof ctl' may hold the lock */
    usleep (1000);
  work (&n, 77);
  puts ("done");
  return 0;
}
C

# leaf DIR ARGUMENT...: print the calls of leaf by events.
leaf ()
{
  "$CABPROF" report calls -d "$@" --format=tsv 2>leaf.words |
    awk -F'\t' '$2 == "leaf" { n += $5 } END { print n + 0 }'
}

"$CGCC" -O1 -g -pthread $include -fplugin-arg-cabprof-events=paths+calls stress.c -o stress ||
  fail "compile"
for placement in thread inline direct; do
  rm -rf cabprof.data
  CABPROF_OPTIONS=placement=$placement:analyses=calls+tree timeout 200 ./stress 200 >out &
  wrapper=$!
  last=0 rounds=0
  until PID=$(pgrep -P $wrapper stress) || ! kill -0 $wrapper 2>/dev/null; do sleep 0.02; done
  while kill -0 $wrapper 2>/dev/null; do
    "$CABPROF" ctl "$PID" pause --wait=0 >/dev/null 2>&1
    "$CABPROF" ctl "$PID" snapshot outer >/dev/null 2>&1
    "$CABPROF" ctl "$PID" flush --wait=0 >/dev/null 2>&1
    "$CABPROF" ctl "$PID" resume --wait=0 >/dev/null 2>&1
    part=$(echo cabprof.data/snapshots/outer/"$PID"-*.part)
    if [ -e "$part" ]; then
      now=$(leaf "$part")
      [ "$now" -ge "$last" ] ||
	fail "$placement: a snapshot went back from $last to $now: $(cat leaf.words)"
      last=$now
      rounds=$((rounds + 1))
    fi
  done
  wait $wrapper || fail "$placement: the program fails, or hangs"
  [ "$(cat out)" = "done" ] || fail "$placement: the program says $(cat out)"
  [ $rounds -gt 0 ] || fail "$placement: no snapshot was taken"
  part=$(echo cabprof.data/"$PID"-*.part)
  [ "$(leaf "$part")" -ge "$last" ] || fail "$placement: the whole is less than a snapshot"
  "$CABPROF" report account -d cabprof.data --format=tsv 2>words >account ||
    fail "$placement: $(cat words)"
  awk -F'\t' '
    $1 ~ /^(dropped|lost)/ { bad += $2 }
    $1 == "events_sent" { sent = $2 }
    $1 == "events_analysed" { analysed = $2 }
    END { exit bad || !sent || sent != analysed }' account ||
      fail "$placement: the account does not balance: $(cat account)"
  # A frame that was entered in a pause is not in the tree; what it calls later is below the nearest
  # frame that is.
  "$CABPROF" report tree -d "$part" --format=tsv 2>/dev/null | grep -v '^#' | tail -n +2 >tree
  awk -F'\t' '$3 > 3 || ($4 == "work" && $3 > 2) { exit 1 }' tree ||
    fail "$placement: the tree went astray: $(cat tree)"
  [ "$(awk -F'\t' '$4 == "leaf" { n += $5 } END { print n }' tree)" = "$(leaf "$part")" ] ||
    fail "$placement: the tree and the calls differ"
  for region in a b; do
    [ "$(leaf "$part" --region=$region)" -gt 0 ] &&
      [ "$(leaf "$part" --region=$region)" -lt "$(leaf "$part")" ] ||
      fail "$placement: calls in the region $region: $(leaf "$part" --region=$region)"
  done
done
exit 0
