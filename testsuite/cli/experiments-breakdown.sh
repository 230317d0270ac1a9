#!/bin/bash
# experiments-breakdown.sh - with the wrapper of the experiment "breakdown" all events are stored to
# one word: programs do what they did, each probe is left with its stores, and nothing is sent.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3 objdump

cat >work.c <<'C'
#include <stdio.h>
static int v[1000];
__attribute__ ((noipa)) static int f (int *p, int i) { return p[i % 1000] + i; }
int
main (void)
{
  int s = 0;
  for (int i = 0; i < 100000; i++)
    {
      s += f (v, i);
      if (s % 3 == 0)
	v[i % 1000] = s;
      for (int j = 0; j < (i & 7); j++)
	if (s >> j & 1)
	  s++;
    }
  printf ("%d\n", s);
  return 0;
}
C
gcc -O2 work.c -o plain && ./plain >expected || fail "work.c"

# one_word LEAST FLAG...: check the program with these probes, at least LEAST of which are in it.
one_word ()
{
  local least=$1 events
  shift
  gcc -O2 -fplugin="$PLUGIN" "$@" work.c -o ring && gcc -O2 -fplugin="$PLUGIN" "$@" \
    -wrapper "$TOP/testsuite/experiments/one_word" work.c -o word || fail "$*: the compiler"
  for program in ring word; do
    rm -rf $program.data
    CABPROF_OPTIONS=data=$program.data:sample=0% ./$program >got || fail "$*: $program: $?"
    diff expected got || fail "$*: $program prints something else"
  done
  events=$(rows account -d ring.data | awk -F'\t' '$1 == "events_sent" { print $2 }')
  [ "$events" -ge 100000 ] || fail "$*: $events events in the ring"
  is "$*: events of the word" \
    "$(rows account -d word.data | awk -F'\t' '$1 == "events_sent" { print $2 }')" 0
  [ "$(nm word | grep -c cab_one_word)" -le 1 ] || fail "$*: several words"
  gcc -O2 -S -fplugin="$PLUGIN" "$@" work.c -o ring.s
  [ "$(grep -c '__cab_ctx@tpoff+8\|fs:8(' ring.s)" -ge "$least" ] || fail "$*: few probes"
  objdump -d --no-show-raw-insn --disassemble=main --disassemble=f word >listing
  grep -q '%fs:0xf' listing && fail "$*: a probe still looks for its ring"
  passed
}
one_word 2 -fplugin-arg-cabprof-events=calls -fplugin-arg-cabprof-ring=cab
one_word 2 -fplugin-arg-cabprof-events=paths -fplugin-arg-cabprof-paths=trace \
  -fplugin-arg-cabprof-ring=cab
one_word 2 -fplugin-arg-cabprof-events=calls
one_word 2 -fplugin-arg-cabprof-events=memory -fplugin-arg-cabprof-memory-encoding=access
cases
