#!/bin/bash
# unannounced.sh - filters of system calls that no call with probes installs: libraries without
# probes, functions called by their address, and the real libseccomp.  The program behaves as
# without probes, and what it does under the filter is in the profile.
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 240
. "$(dirname "$0")/cli.sh"

# same PROGRAM ARGUMENT...: PROGRAM behaves as `plain' does, and says nothing of the runtime's.
same ()
{
  local status wanted
  timeout -s KILL 60 ./plain "${@:2}" >plain.out 2>&1
  wanted=$?
  [ $wanted != 77 ] || skip "no filters of system calls here"
  rm -rf data
  CABPROF_OPTIONS=data=$PWD/data:placement=$placement timeout -s KILL 60 "$@" >run.out 2>&1
  status=$?
  [ $status = $wanted ] && cmp -s run.out plain.out ||
    fail "$events, $placement, $*: status $status for $wanted, output: $(cat run.out)"
}

# counted INNER LEAF: so many calls of these functions are in the profile.
counted ()
{
  expect 0 "$CABPROF" report methods -d data --format=tsv
  prints $'^inner\t.*\t'"$1"$'\t0$'
  prints $'^leaf\t.*\t'"$2"$'\t0$'
}

gcc -O1 -shared -fPIC "$SRC/unannounced_lib.c" -o libforbid.so && cp libforbid.so libloaded.so &&
  gcc -O1 "$SRC/unannounced.c" -o plain -L. -lforbid -Wl,-rpath,"$PWD" ||
  fail "compile unannounced.c"
for link in -Wl,-z,lazy -Wl,-z,now -fno-plt -no-pie; do
  events=paths
  [ $link != -Wl,-z,now ] || events=paths+calls+memory
  "$CGCC" -fplugin-arg-cabprof-events=$events -O1 $link "$SRC/unannounced.c" -o probed -L. \
    -lforbid \
    -Wl,-rpath,"$PWD" 2>build.log || fail "unannounced.c, $link: $(cat build.log)"
  for placement in thread inline; do
    for who in linked loaded; do
      for how in prctl syscall both all; do
	same ./probed $who $how 10 "$PWD/libloaded.so"
	counted 10 15
      done
    done
    for who in pointer table; do
      same ./probed $who - 10
      counted 10 15
    done
  done
done

# An unprofiled process.
for who in linked loaded pointer table; do
  CABPROF_OPTIONS=off timeout -s KILL 60 ./probed $who syscall 10 "$PWD/libloaded.so" >run.out 2>&1
  [ $? = 42 ] && [ "$(cat run.out)" = 20 ] || fail "unprofiled, $who: $(cat run.out)"
done

# The real library: a list of what is allowed, with each action, for one thread and for all.
gcc -O1 "$SRC/real_seccomp.c" -o plain -lseccomp -pthread || fail "compile real_seccomp.c"
for events in paths paths+calls+memory; do
  "$CGCC" -fplugin-arg-cabprof-events=$events -O1 "$SRC/real_seccomp.c" -o probed -lseccomp \
    -pthread \
    2>build.log || fail "real_seccomp.c, $events: $(cat build.log)"
  for placement in thread inline; do
    for mode in linked loaded; do
      for action in kill process errno trap; do
	same ./probed $mode $action one 10
	counted 20 30
	same ./probed $mode $action all 10
	counted 20 30
      done
    done
  done
done
