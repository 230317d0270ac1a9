#!/bin/bash
# record.sh - cabprof record passes on status and signals, rotates profiles, and its profile can be
# reported.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"

cat >leave.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int __attribute__ ((noinline)) step (int i) { return i & 1 ? i : -i; }
static void quiet (int number) { (void) number; _exit (9); }
int
main (int argc, char **argv)
{
  int sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += step (i);
  if (argc > 1 && atoi (argv[1]) > 0)
    raise (atoi (argv[1]));
  if (argc > 1 && !atoi (argv[1]))
    {
      signal (SIGTERM, quiet);
      puts ("ready");
      fflush (stdout);
      for (;;)
	pause ();
    }
  return sum == 500 ? 5 : 1;
}
C
"$CGCC" -O1 -g -fplugin-arg-cabprof-events=paths,calls leave.c -o leave || fail "compile"

# expect STATUS COMMAND...: check the exit status.
expect ()
{
  local want=$1; shift
  "$@" >out 2>err; local status=$?
  [ $status = "$want" ] || { cat out err; fail "$*: status $status instead of $want"; }
}

calls_of_step ()
{
  "$CABPROF" report methods --format=tsv "$@" | awk -F'\t' '$1 == "step" { print $4 }'
}

expect 5 "$CABPROF" record ./leave
grep -qxE \
  'cabprof: cabprof.data: 1 process with probes, [0-9.]+ [KM]B, recorded in [0-9.e-]+ s: `cabprof report'"'"' shows it' err \
  && [ "$(wc -l <err)" = 1 ] || fail "the line at the end: $(cat err)"
expect 5 "$CABPROF" record -d quiet --quiet ./leave
[ -s err ] && { cat err; fail "record --quiet prints an unexpected message"; }
[ "$(calls_of_step)" = 1000 ] || fail "calls of step"
grep -q '"exit_status": 5' cabprof.data/meta.json || fail "meta.json"

# One older profile is kept; a program that cannot be run moves nothing.
expect 137 "$CABPROF" record -- ./leave 9
[ -d cabprof.data.old ] || fail "no cabprof.data.old"
[ "$(calls_of_step)" = 1000 ] || fail "calls of step after kill -9"
[ "$(calls_of_step -d cabprof.data.old)" = 1000 ] || fail "calls of step in the older profile"
grep -q '"signal": 9' cabprof.data/meta.json || fail "meta.json has no signal"
before=$(ls -i -d cabprof.data)
expect 127 "$CABPROF" record ./no-such-program
expect 126 "$CABPROF" record ./leave.c
# Options that the runtime would refuse are refused before anything runs.
for options in nonsense placement=there analyses=cache+sizes analyses=cache,D1=77 \
  analyses=tree,D1=32K analyses=./no-such.so analyses=cache+cache,D1=32K/8/64 \
  analyses=methods+calls+tree+paths+loops+blocks+accesses+values+reuse \
  analyses=methods+calls+paths+loops+blocks+accesses+values+contexts; do
  CABPROF_OPTIONS=$options expect 2 "$CABPROF" record ./leave
  says="$(cat err)"
  [[ $says == "cabprof: CABPROF_OPTIONS: "*"; nothing was run" ]] || fail "$options: $says"
  CABPROF_OPTIONS=$options:data=other ./leave 2>err
  [ "${says%; nothing was run}" = "$(sed 's/; running unprofiled$//' err)" ] ||
    fail "$options: another message than the runtime's: $says"
  expect 2 "$CABPROF" record --options="$options" ./leave
done
CABPROF_OPTIONS=analyses=cache,D1=32K/8/64+tree expect 5 "$CABPROF" record -d good ./leave
[ "$before" = "$(ls -i -d cabprof.data)" ] ||
  fail "a program that cannot be run rotated the profile"

# The separator ends each of the options that record adds, and those of the environment: a file name
# does not grow by what follows.
CABPROF_OPTIONS=trace=a.trace expect 5 "$CABPROF" record -d quiet ./leave
[ -s a.trace ] || fail "no trace where CABPROF_OPTIONS names it: $(echo a.trace*)"
CABPROF_OPTIONS=trace=b.trace expect 5 "$CABPROF" record -d quiet --options=placement=inline ./leave
[ -s b.trace ] || fail "no trace where CABPROF_OPTIONS names it beside --options: $(echo b.trace*)"

# Many processes write to one directory, and options reach them and the program's own children.
expect 0 "$CABPROF" record -d many --options=placement=inline sh \
  -c './leave & ./leave & cd / && "$OLDPWD/leave"; wait'
[ "$(calls_of_step -d many)" = 3000 ] || fail "calls of step of three processes"
"$CABPROF" info -d many | grep -q 'placement=inline:data=' || fail "options did not arrive"

# What tune left there to continue from stays, whoever makes the new profile.
mkdir many/tune many/tune.old && touch many/tune/state.json
expect 5 "$CABPROF" record -d many ./leave
[ -e many/tune/state.json ] && [ -e many/tune.old ] && [ ! -e many.old/tune ] ||
  fail "record has moved a tune aside"
[ "$(calls_of_step -d many)" = 1000 ] || fail "calls of step beside a tune"
mkdir hand && mv many hand/cabprof.data
(cd hand && setsid -w bash -c '../leave; exit 0') >hand.out
[ -e hand/cabprof.data/tune/state.json ] && [ -e hand/cabprof.data/tune.old ] &&
  [ ! -e hand/cabprof.data.old/tune ] || fail "a program has moved a tune aside"
[ "$(calls_of_step -d hand/cabprof.data)" = 1000 ] ||
  fail "calls of step of a program beside a tune"

# A signal sent to cabprof alone is passed on to the program.
mkfifo ready
"$CABPROF" record -d signal ./leave 0 >ready & pid=$!
read -r word <ready
[ "$word" = ready ] || fail "the program does not start"
kill -TERM $pid
wait $pid; [ $? = 9 ] || fail "SIGTERM was not passed on"
[ "$(calls_of_step -d signal)" = 1000 ] || fail "calls of step after SIGTERM and _exit"

# A directory that is not a profile is not moved.
mkdir precious && touch precious/letter
expect 1 "$CABPROF" record -d precious ./leave
grep -q 'precious: exists and is no profile: ' err || fail "message for a foreign directory"
[ -e precious/letter ] || fail "a foreign directory was moved"
expect 2 "$CABPROF" record
expect 2 "$CABPROF" record --nonsense ./leave

# What does not fit is reported, and changes the exit status.
(ulimit -f 4096; expect 1 "$CABPROF" record -d narrow sh -c './leave; exit 0') || exit 1
grep -q 'cannot grow: File too large; what comes newly is not counted' err ||
  fail "message for a profile that does not fit: $(cat err)"

# For a program without probes, the command says why there is no profile.
expect 0 "$CABPROF" record -d nothing true
grep -q 'no process wrote a profile' err || fail "message for a program without probes"
grep -q 'compile the program with -fplugin=cabprof' err ||
  fail "message for a program without probes: $(cat err)"
"$CGCC" -fplugin-arg-cabprof-functions=leav leave.c -o unprobed || fail "leave.c"
expect 5 "$CABPROF" record -d nothing ./unprobed
grep -qE \
  'nothing in it has probes; of [0-9]+ functions, [0-9]+: not among functions= \(`cabprof info --skipped ./unprobed' err ||
  fail "message for a program with a filter that nothing matches: $(cat err)"
exit 0
