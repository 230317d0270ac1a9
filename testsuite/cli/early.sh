#!/bin/bash
# early.sh - functions that are entered before the runtime is ready are listed in the account,
# whatever is recorded.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

# There are 101 entries before the runtime is ready, one of `first' and 100 that it makes; main's
# call is counted.
for events in paths calls paths+calls; do
  for pic in -fPIE -fPIC; do
    rm -rf cabprof.data
    "$CGCC" -fplugin-arg-cabprof-events=$events $pic -O1 "$SRC/early.c" -o early 2>build.log ||
      fail "early.c: $(cat build.log)"
    [ "$(./early)" = 101 ] || fail "$events $pic: the program's output"
    expect 0 "$CABPROF" report account --format=tsv; quiet; prints $'^entered_early\t101\t'
    expect 0 "$CABPROF" report methods --format=tsv; prints $'^early_work\t[^\t]*\t[^\t]*\t1\t'
  done
done
expect 0 "$CABPROF" report; prints 'functions entered too early +101'
# The overview of a program without such entries does not mention them.
tally good
expect 0 "$CABPROF" report -d good; ! grep -q 'too early' out ||
  fail "the overview of a usual program: $(cat out)"
