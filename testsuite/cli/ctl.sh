#!/bin/bash
# ctl.sh - cabprof ctl and top pause, resume, flush, copy and watch a running process from outside.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build

cat >steps.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int __attribute__ ((noinline)) leaf (volatile int *p) { return ++*p; }
static void __attribute__ ((noinline)) work (volatile int *p, int n) { for (int i = 0; i < n; i++) leaf (p); }
static pthread_barrier_t step;
static int n_calls;
static void *
thread (void *p)
{
  volatile int n = 0;
  (void) p;
  for (;;)
    {
      pthread_barrier_wait (&step);
      if (!n_calls)
	return NULL;
      work (&n, n_calls);
      pthread_barrier_wait (&step);
    }
}
/* For each number N that is read, call leaf N times in each of two threads. */
int
main (void)
{
  char line[32];
  pthread_t t;
  pthread_barrier_init (&step, NULL, 2);
  pthread_create (&t, NULL, thread, NULL);
  volatile int n = 0;
  while (fgets (line, sizeof line, stdin))
    {
      n_calls = atoi (line);
      pthread_barrier_wait (&step);
      work (&n, n_calls);
      pthread_barrier_wait (&step);
      puts ("done");
      fflush (stdout);
    }
  n_calls = 0;
  pthread_barrier_wait (&step);
  pthread_join (t, NULL);
  return 0;
}
C

start ()
{
  rm -rf cabprof.data in out
  mkfifo in out
  CABPROF_OPTIONS=$1 ./steps <in >out &
  PID=$!
  exec 3>in 4<out
}

# step N: let the program call leaf 2 N times.
step ()
{
  echo "$1" >&3
  read -r _ <&4
}

end ()
{
  exec 3>&- 4<&-
  wait $PID || fail "the program failed"
}

# ctl ARGUMENT...: run cabprof ctl on the process, and print what it says.
ctl ()
{
  "$CABPROF" ctl $PID "$@" || fail "ctl $* failed"
}

# counts ARGUMENT...: print the calls of leaf by counts in place, and by events.
counts ()
{
  local methods calls
  methods=$("$CABPROF" report methods --format=tsv "$@" 2>/dev/null |
    awk -F'\t' '$1 == "leaf" { print $4 }')
  calls=$("$CABPROF" report calls --format=tsv "$@" 2>/dev/null |
    awk -F'\t' '$2 == "leaf" { n += $5 } END { print n }')
  echo "$methods $calls"
}

"$CGCC" -O1 -g -pthread -fplugin-arg-cabprof-events=paths+calls steps.c -o steps || fail "compile"
for placement in thread inline direct; do
  start placement=$placement
  step 100
  is "$placement: begun" "$(counts)" '200 200'
  ctl pause >words
  grep -q '^process [0-9]*: paused' words || fail "pause: $(cat words)"
  step 50000
  step 7
  is "$placement: paused" "$(counts)" '200 200'
  ctl status >words
  grep -q '^state    paused' words || fail "status: $(cat words)"
  ctl pause | grep -q 'already paused' || fail "paused twice"
  ctl snapshot one | grep -q 'snapshot one' || fail "nothing is printed about the snapshot"
  ctl resume >words
  step 10
  step 10
  is "$placement: resumed" "$(counts)" '240 240'
  ctl flush >words
  grep -q flushed words || fail "flush: $(cat words)"
  step 5
  ctl flush --wait=0 >words
  ctl snapshot >words
  ctl snapshot >words
  grep -q 'snapshot ctl-2' words || fail "the second snapshot without a name: $(cat words)"
  step 1000
  is "$placement: snapshot one" "$(counts --snapshot=one)" '200 200'
  is "$placement: snapshot ctl-1" "$(counts --snapshot=ctl-1)" '250 250'
  "$CABPROF" top $PID --count=2 --interval=0.05 calls --sort=callee >top || fail "top failed"
  is "$placement: tables of top" "$(grep -c 'leaf .* 2,250' top)" 2
  grep -q '^process [0-9]* at' top || fail "top has no heading: $(cat top)"
  ctl pause >words
  step 3
  if [ $placement = inline ]; then
    kill -9 $PID
    exec 3>&- 4<&-
    wait $PID 2>/dev/null
  else
    end
  fi
  is "$placement: at the end" "$(counts)" '2250 2250'
  is "$placement: account" \
    "$("$CABPROF" report account --format=tsv |
    awk -F'\t' '$1 ~ /^(dropped|lost)/ { n += $2 } END { print n }')" 0
done

# With counts in place alone there is no thread and no ring.
"$CGCC" -O1 -g -pthread steps.c -o steps || fail "compile"
start ''
step 10
ctl pause >words
step 10
ctl resume >words
step 1
is "threads of a program that counts" "$(ls /proc/$PID/task | wc -l)" 2
end
is "counts alone" "$(counts)" '22 '

# refused WORDS COMMAND...: check that cabprof refuses the process in one line with WORDS.
refused ()
{
  local wanted=$1
  shift
  "$CABPROF" "$@" >out.text 2>words && fail "$*: taken: $(cat out.text)"
  [ "$(wc -l <words)" = 1 ] && grep -q "$wanted" words || fail "$*: $(cat words)"
}
refused 'there is none' ctl $PID status
refused 'is not profiled' ctl $$ pause
refused 'no such action' ctl $$ stop
refused 'not a process number' ctl x pause
refused 'no name for a snapshot' ctl $$ snapshot ../x
refused 'there is none' top $PID

# both WORDS PID: check that ctl and top refuse a process of any kind that cannot be controlled, in
# one line each.
both () { refused "$1" ctl "$2" status; refused "$1" top "$2" --count=1; }
both 'is not profiled' $$
start ''
step 1
both "is a thread of process $PID" "$(ls /proc/$PID/task | tail -n 1)"
part=$(echo cabprof.data/$PID-*.part)
printf '\377' | dd of="$part" bs=1 seek=8 conv=notrunc status=none   # the version
both 'version' $PID
printf '\003' | dd of="$part" bs=1 seek=8 conv=notrunc status=none
ctl status | grep -q '^state    running' || fail "the version of parts has changed"
rm -rf cabprof.data
both 'part has been removed' $PID
end
# A process becomes a zombie when nobody waits for it.
bash -c "CABPROF_OPTIONS= $PWD/steps </dev/null >/dev/null & echo \$! >zombie; exec sleep 60" &
keeper=$!
until [ -s zombie ] && grep -q '^State:.*Z' "/proc/$(cat zombie)/status" 2>/dev/null; do
  sleep 0.05
done
both 'has ended' "$(cat zombie)"
kill $keeper
wait $keeper 2>/dev/null
# A process in a pid namespace is found as well.
mkfifo in2
if unshare -pf --mount-proc true 2>/dev/null; then
  unshare -pf --mount-proc ./steps <in2 >/dev/null &
  keeper=$!
  exec 5>in2
  until inner=$(cat /proc/$keeper/task/$keeper/children 2>/dev/null) && [ -n "$inner" ] &&
    grep -q '\.part' "/proc/${inner% }/maps"; do
    sleep 0.05
  done
  both 'pid namespace' "${inner% }"
  exec 5>&-
  wait $keeper || fail "the program in a namespace failed"
fi
if [ "$(id -u)" = 0 ]; then
  start ''
  chmod 755 . "$TEST_DIR"
  setpriv --reuid=65534 --regid=65534 --clear-groups "$CABPROF" ctl $PID pause >/dev/null 2>words &&
    fail "another user's process was paused"
  grep -q 'another user\|may not' words || grep -qi 'permission' words ||
    fail "another user: $(cat words)"
  step 1
  end
fi
