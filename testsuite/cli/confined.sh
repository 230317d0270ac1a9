#!/bin/bash
# confined.sh - programs that forbid themselves any system call go on; what they count and send from
# then on is in the profile, and what has no room is counted as dropped.
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 240
. "$(dirname "$0")/cli.sh"

# run STATUS PROGRAM ARGUMENT...: check that it ends with STATUS and that the runtime prints
# nothing.
run ()
{
  local wanted=$1 status
  shift
  rm -rf data
  CABPROF_OPTIONS=data=$PWD/data:placement=$placement timeout -s KILL 60 "$@" >run.out 2>err
  status=$?
  [ $status != 77 ] || skip "no filters of system calls here"
  [ $status = "$wanted" ] ||
    fail "$events, $placement, $*: status $status, output: $(cat run.out err)"
  ! grep cabprof: err || fail "$events, $placement, $*: it printed the message"
}

# has WORDS COLUMN...: check that the report of these columns has that line.
has ()
{
  awk -F'\t' -v columns="${*:2}" \
    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split (columns, c, " ") }
    { for (i = 1; i <= n; i++) printf "%s%s", $at[c[i]], i < n ? " " : "\n" }' out >cut
  grep -qxF -- "$1" cut || fail "$events, $placement: no \`$1' in: $(cat cut)"
}

# report NAME: write the report to out.
report ()
{
  expect 0 "$CABPROF" report "$1" -d data --format=tsv
  quiet
}

# item NAME: print its count in the account.
item ()
{
  awk -F'\t' -v name="$1" '$1 == name { print $2 }' out
}

# compile SOURCE [FLAG...]: compile SOURCE with the events under test.
compile ()
{
  "$CGCC" -fplugin-arg-cabprof-events=$events -O1 "$SRC/$1.c" -o $1 "${@:2}" 2>build.log ||
    fail "$1.c, $events: $(cat build.log)"
}

# Filters forbid each call by each action, allow a short list, are the strict mode, or are refused
# by the kernel.
for events in paths paths+calls memory paths+calls+memory; do
  compile confined
  for placement in thread inline; do
    run 0 ./confined 10
    children=$(cat run.out)
    [ "$children" -gt 100 ] || fail "$events, $placement: $children children"
    case $events in
      paths*) report methods; has "work $children 0" function calls not_returned
      has "inner $((10 * children)) 0" function calls not_returned
	      has "leaf $((15 * children)) 0" function calls not_returned ;;
    esac
    case $events in
      *calls*) report calls; has "work inner $((10 * children))" caller callee count
      has "inner leaf $((5 * children))" caller callee count ;;
    esac
    case $events in
      *memory) report accesses; has "leaf sum $((15 * children)) 0" function variable reads writes
	       has "leaf sum 0 $((15 * children))" function variable reads writes ;;
    esac
  done
done

# A process that runs unprofiled makes no forbidden call either: with events of each kind, and where
# the profile cannot be made.
for events in paths paths+calls; do
  compile confined
  for options in off data=/proc/nope; do
    CABPROF_OPTIONS=$options timeout -s KILL 60 ./confined 10 >run.out 2>err ||
      fail "$events, $options: status $?, output: $(cat run.out err)"
  done
done

# Threads without a filter go on as before; one filter for all threads applies to the runtime's own
# thread as well.
for events in paths paths+calls; do
  compile confined_threads -pthread
  for placement in thread inline; do
    run 42 ./confined_threads own; report methods; has "own 4 0" function calls not_returned
    has "after 1 0" function calls not_returned
    has "leaf 4100 0" function calls not_returned
    [ $events = paths ] || { report calls; has "own leaf 4000" caller callee count; has \
      "after leaf 100" caller callee count; }
    run 42 ./confined_threads all; report methods; has "all 4 0" function calls not_returned
    has "leaf 4140 0" function calls not_returned
    [ $events = paths ] || { report calls; has "all leaf 4000" caller callee count; has \
      "after leaf 100" caller callee count; }
  done
done

# If there are more events than a ring holds, a thread without a filter analyses them; otherwise
# those without room are counted as dropped.
placement=thread; run 42 ./confined_threads main
report methods; has "leaf 400000 0" function calls not_returned
report calls; has "own leaf 400000" caller callee count
report account; [ "$(item dropped_sandbox)" = 0 ] && [ "$(item events_sent)" = 400002 ] ||
  fail "thread: $(cat out)"
placement=inline; run 42 ./confined_threads main
report methods; has "leaf 400000 0" function calls not_returned
report account; [ "$(item dropped_sandbox)" -gt 0 ] &&
  [ $(($(item events_sent) + $(item dropped_sandbox))) = 400002 ] || fail "inline: $(cat out)"

# A new thread asks the filters before its first gate has saved the vector registers.
placement=thread events=paths
compile confined_registers -pthread -fplugin-arg-cabprof-exclude=start
run 0 ./confined_registers; [ "$(cat run.out)" = 255 ] || fail "registers: $(cat run.out)"
