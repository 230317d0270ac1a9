#!/bin/bash
# cancel.sh - threads that may be cancelled anywhere end as cancelled, wherever the runtime is at
# that moment, with both rings and all placements.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build

cat >prog.c <<'C'
#include <pthread.h>
static volatile int n;
static volatile long sent;
__attribute__ ((noinline, noclone)) static int called (int i) { n += i; return n; }
static void *
thread (void *unused)
{
  pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  for (long i = 0;; i++)
    {
      called (i);
      sent = i;
    }
  return unused;
}
int
main (void)
{
  for (int i = 0; i < 200; i++)
    {
      pthread_t id;
      void *result;
      sent = 0;
      pthread_create (&id, 0, thread, 0);
      while (sent < 300 * i)
	;
      pthread_cancel (id);
      pthread_join (id, &result);
      if (result != PTHREAD_CANCELED)
	return 1;
    }
  return 3;
}
C

for ring in chunk cab; do
  "$BUILD/bin/cabprof-gcc" -O2 -g -fplugin-arg-cabprof-events=calls \
    -fplugin-arg-cabprof-ring=$ring prog.c -o prog -pthread || fail "compile"
  for options in ring=4K:chunk=512 placement=inline:ring=4K:chunk=512 placement=thread; do
    rm -rf data
    CABPROF_OPTIONS="data=data:$options" timeout -s KILL 200 ./prog; status=$?
    [ $status = 3 ] || fail "$ring, $options: status $status"
    "$CABPROF" report methods -d data --format=tsv >table || fail "$ring, $options: no report"
    grep -q "^called" table || { cat table; fail "$ring, $options: no counts"; }
  done
done
