#!/bin/bash
# unwind.sh - the way back to main is found at each instruction of code with probes: in functions,
# in their cold parts, and in gates; and whenever a signal comes, including one that waited for the
# end of a gate.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
cp "$SRC/unwind.c" .
gcc -O2 -g -DHOST -c unwind.c -o host.o || fail "unwind.c does not compile"

# finds EVENTS [FLAG...]: check that unwinding always reaches main.
finds ()
{
  local placement how
  gcc -O2 -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events="$1" "${@:2}" -c unwind.c -o probed.o &&
    gcc host.o probed.o -o unwind ||
    fail "unwind.c does not compile: $*"
  for placement in thread inline; do
    for how in step timer; do
      rm -rf data
      CABPROF_OPTIONS=data=data:ring=512:chunk=64:placement=$placement timeout -k 1 120 ./unwind \
        $how >run.out 2>&1 &&
	[ "$(cat run.out)" = "0 lost, looked often" ] ||
fail "$*, $placement, $how: $(head -c 1000 run.out)"
    done
  done
}

finds paths
finds paths+calls -fplugin-arg-cabprof-paths=trace
finds calls+memory
finds paths+calls+loops -fPIC
finds memory -fPIC
finds memory+values -masm=intel
finds memory -fplugin-arg-cabprof-memory-sample -mno-red-zone
finds memory -fplugin-arg-cabprof-memory-encoding=block
finds calls -fplugin-arg-cabprof-ring=cab
finds calls -fplugin-arg-cabprof-context
