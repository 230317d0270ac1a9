#!/bin/bash
# trace-closed.sh - another thread of the program closes what it does not know while its runtime writes a trace: nothing is missing, to a file or to who
# records.  That thread is played by a library that closes the descriptor at chosen calls, before them or when a part was written.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

cat >close.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
static int n;
/* Is it the turn?  CLOSE_EVERY: each N-th; CLOSE_AT: this one.  The number goes to CLOSE_COUNT. */
static int turn (void)
{
  const char *every = getenv ("CLOSE_EVERY"), *at = getenv ("CLOSE_AT"), *count = getenv ("CLOSE_COUNT");
  FILE *file = count ? fopen (count, "w") : NULL;
  n++;
  if (file) { fprintf (file, "%d\n", n); fclose (file); }
  return (every && n % atoi (every) == 0) || (at && n == atoi (at));
}
ssize_t writev (int fd, const struct iovec *v, int n_vectors)
{
  ssize_t (*real) (int, const struct iovec *, int) = dlsym (RTLD_NEXT, "writev");
  if (!turn ())
    return real (fd, v, n_vectors);
  ssize_t done = n % 2 ? write (fd, v->iov_base, v->iov_len < 9 ? v->iov_len : 9) : 0;
  close (fd);
  return done ? done : real (fd, v, n_vectors);
}
ssize_t sendmsg (int fd, const struct msghdr *message, int flags)
{
  ssize_t (*real) (int, const struct msghdr *, int) = dlsym (RTLD_NEXT, "sendmsg");
  if (turn ())
    close (fd);
  return real (fd, message, flags);
}
END
cat >prog.c <<'END'
static volatile int table[1000];
__attribute__ ((noipa)) static void put (int i) { table[i * 7 % 1000] = i; }
int main (void)
{
  for (int round = 0; round < 100; round++)
    for (int i = 0; i < 1000; i++)
      put (i);
}
END
gcc -shared -fPIC close.c -o close.so || fail "close.c does not compile"
gcc -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory prog.c -o prog || fail "prog.c does not compile"
preload=LD_PRELOAD=$PWD/close.so options=data=profile:placement=inline:chunk=4K:ring=64K

# whole WHAT: the trace has all of it, and said nothing.
whole ()
{
  [ ! -s words ] || fail "$1: $(cat words)"
  expect 0 "$CABPROF" trace stat --format=tsv trace
  quiet
  grep -qP '^1\t1\twrite\t100000\t400000$' out || fail "$1: $(cat out)"
  "$CABPROF" trace dump trace | cut -d' ' -f 2,4- >dump
  cmp plain dump || fail "$1: another trace"
}

CABPROF_OPTIONS=$options:trace=trace ./prog || fail "prog fails"
"$CABPROF" trace dump trace | cut -d' ' -f 2,4- >plain
for every in 2 3 5; do
  rm -rf trace profile
  env CABPROF_OPTIONS=$options:trace=trace "$preload" CLOSE_EVERY=$every ./prog 2>words || fail "closed every $every: $(cat words)"
  whole "closed every $every"
done

# What is written at the end, too: the last sends, each closed once.
record ()
{
  rm -rf trace profile
  "$CABPROF" record --quiet --sample=off --options=placement=inline:chunk=4K:ring=64K --trace=trace -d profile -- env "$preload" "$@" ./prog 2>words || fail "$*: $(cat words)"
}
record CLOSE_COUNT=count
whole "recorded"
n=$(cat count)
[ "$n" -gt 20 ] || fail "only $n sends"
for at in 3 $((n / 2)) $((n - 2)) $((n - 1)) $n; do
  record CLOSE_AT=$at
  whole "closed at $at of $n"
done
