#!/bin/bash
# threads-in-turn.sh - what is documented as a thread's own stays so when threads follow each other
# and reuse the rings of ended ones: caches, distances, blocks, and the last addresses of a user
# analysis; wherever events are analysed, replayed, and after a kill.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc
export CABPROF_ANALYSES=$PWD
cat >turns.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static long row[1000] __attribute__ ((aligned (64)));   /* 125 lines */
static volatile long rounds;
static void *work (void *end)
{
  long sum = 0;
  for (long k = 0; k < rounds; k++)
    for (int i = 0; i < 1000; i++)
      {
	sum += row[i];
	row[i] = sum;
      }
  if (end)
    kill (getpid (), SIGKILL);
  return NULL;
}
int main (int argc, char **argv)
{
  int n = atoi (argv[1]);
  pthread_t t;
  rounds = atol (argv[2]);
  for (int k = 1; k <= n; k++)
    {
      pthread_create (&t, NULL, work, argc > 3 && k == n ? "" : NULL);
      pthread_join (t, NULL);
    }
  return 0;
}
END
${GCC:-gcc} -g -O1 -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory -pthread turns.c \
  -o turns >build.log 2>&1 || fail "turns.c does not compile: $(cat build.log)"
sed -n '/^```c$/,/^```$/{/^```$/q;/^```/d;p}' "$TOP/docs/own-analysis.md" >strides.c
gcc -O2 -shared -fPIC -I"$TOP/include" strides.c -o strides.so || fail "strides.c does not compile"

# sum REPORT COLUMN DIR: sum over the accesses to row[].
sum ()
{
  "$CABPROF" report $1 -d "$3" --format=tsv 2>err |
    awk -F'\t' -v c="$2" \
    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } /^row\[\]/ || $at["name"] == "row[]" { n += $at[c] } END { print n + 0 }'
}
# is REPORT COLUMN N DIR: check that the sum is N.
is ()
{
  local got
  got=$(sum "$1" "$2" "$4")
  [ "$got" = "$3" ] || fail "$4: $1: $2 $got instead of $3: $("$CABPROF" report $1 -d "$4")"
}
# cold THREADS DIR: check that in each thread its lines and that of `rounds' miss in D1, and few
# others, which main accesses.
cold ()
{
  local misses
  misses=$("$CABPROF" report cache -d $2 --format=tsv |
    awk -F'\t' '$2 == "D1" { n += $9 } END { print n }')
  [ $((misses - $1 * (lines + 1))) -ge 0 ] && [ $((misses - $1 * (lines + 1))) -le 4 ] ||
    fail "$2: cache: $misses misses instead of $(($1 * (lines + 1))) and few more"
}
lines=125

# turns NAME ANALYSES THREADS ROUNDS: run in both placements, to the end and killed, and replay
# each; a trace lacks what a killed process had not published.
turns ()
{
  local placement end
  for placement in thread inline; do
    for end in '' killed; do
      options=data=$1-$placement$end:placement=$placement:analyses=$2
      { CABPROF_OPTIONS=$options:trace=$1-$placement$end.trace ./turns $3 $4 $end; } 2>err
    done
    expect 0 "$CABPROF" trace replay -d $1-$placement-again $1-$placement.trace
  done
}

turns many cache+reuse+offenders+strides 20 1
for dir in many-thread many-inline many-threadkilled many-inlinekilled many-thread-again \
  many-inline-again; do
  is offenders misses $((20 * lines)) $dir
  is reuse over_depth $((20 * lines)) $dir
  is strides same 40 $dir
  is strides far 0 $dir
  cold 20 $dir
done

# Alone, the cache analysis takes sections and leaves out repeated rounds: in the first thread, and
# in each other one again.
turns alone cache 4 400
for dir in alone-thread alone-inline alone-threadkilled alone-inlinekilled alone-thread-again; do
  cold 4 $dir
done

# The C library calls a program's own free after everything else in a thread; what such a thread has
# then goes to later ones, too.
cat >released.c <<'END'
#include <pthread.h>
#include <stdlib.h>
extern void __libc_free (void *);
static long cell[8];
__attribute__ ((noipa)) static void work (int i) { cell[i & 7]++; }
void free (void *p) { work (1); __libc_free (p); }
static void *run (void *arg) { for (int i = 0; i < 10; i++) work (i); return arg; }
int main (void)
{
  pthread_t t;
  for (int k = 0; k < 100; k++) { pthread_create (&t, NULL, run, NULL); pthread_join (t, NULL); }
  return cell[1] > 200 ? 0 : 1;
}
END
${GCC:-gcc} -O1 -g -fno-builtin -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+calls+memory \
  -pthread released.c -o released || fail "released.c does not compile"
for placement in thread inline; do
  rm -rf data
  CABPROF_OPTIONS=data=data:placement=$placement expect 0 ./released
  quiet
  [ "$(cat data/*.part | wc -c)" -lt 150000000 ] ||
    fail "$placement: rings of threads that came back are not used again: $(ls -l data)"
  expect 0 "$CABPROF" report methods -d data --format=tsv
  awk -F'\t' \
    '$1 == "run" { run = $4 } $1 == "work" { work = $4 } $1 == "free" { released = $4 } END { exit !(run == 100 && work == 1000 + released && released >= 100) }' out ||
    fail "$placement: $(cat out)"
done
exit 0
