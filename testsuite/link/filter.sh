#!/bin/bash
# filter.sh - filters choose the functions with probes, each skipped function has its reason, and
# the program behaves as without the plugin.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/lib.sh"
src=$top/testsuite/link/src
safety='__cab_mine: its name is reserved for the profiler
bare: attribute naked: no frame for a probe
cloned.resolver: ifunc resolver, or called by one: runs before there is thread-local storage
handler: attribute interrupt: runs outside of any thread
never: attribute cabprof_never
plain: attribute no_instrument_function
resolve: ifunc resolver, or called by one: runs before there is thread-local storage
unprofiled: attribute no_profile_instrument_function'

# Print lines of functions in order.  GCC 16 calls a resolver by the name of what it resolves, and
# marks the default version instead of the other one.
in_order ()
{
  sed 's/^cloned: ifunc/cloned.resolver: ifunc/; s/^cloned\.default\.:/cloned.avx2:/' |
    LC_ALL=C sort
}

# skips NAME EXPECTED FLAGS...: compile $source with FLAGS; check that the functions EXPECTED are
# skipped, according to the compiler's messages and the records, and that the program prints
# $prints.
source=$src/filter.c prints=89
skips ()
{
  local expected=$2 said recorded
  enter "$1"
  shift 2
  if ! $CC -w -I$top/include "${plugin[@]}" -fplugin-arg-cabprof-verbose "$@" $source -o prog \
    2>said.txt; then
    failed "$(cat said.txt)"
    return
  fi
  said=$(sed -n "s/.*cabprof: [‘']\(.*\)[’'] skipped: \(.*\)/\1: \2/p" said.txt | in_order)
  [ "$said" = "$expected" ] || { failed "skips"$'\n'"$said"$'\n'"and not"$'\n'"$expected"; return; }
  recorded=$(python3 $top/testsuite/link/records.py prog S | awk -F'\t' '{ print $3 ": " $6 }' |
    in_order)
  [ "$recorded" = "$expected" ] || { failed "records"$'\n'"$recorded"; return; }
  grep -q "cabprof: .*${source##*/}: [0-9]* functions instrumented, $(wc \
    -l <<<"$expected") skipped" said.txt || { failed "no summary"; return; }
  [ "$(CABPROF_OPTIONS=data=$PWD/data ./prog 2>&1)" = $prints ] ||
    { failed "prints $(./prog 2>&1)"; return; }
  passed
}

for o in -O2 -O3 -Os; do
  skips "safety $o" "$safety" $o
done
for o in -O0 -O1; do
  skips "helper of a resolver, $o" \
    "$(LC_ALL=C \
    sort <<<"$safety"$'\nhelper: ifunc resolver, or called by one: runs before there is thread-local storage')" $o
done
skips "static" "$safety" -O2 -fPIC
skips "exclude" \
  "$(LC_ALL=C sort <<<"$safety"$'\npure_one: excluded by exclude=\nmain: excluded by exclude=')" \
  -O2 -fplugin-arg-cabprof-exclude='al*,pure_*,main'
skips "functions" \
  "$(LC_ALL=C \
  sort <<<"$safety"$'\ncloned.avx2: not among functions=\ncloned: not among functions=\nother: not among functions=
pure_one: not among functions=\nskipped_caller: not among functions=')" -O2 \
  -fplugin-arg-cabprof-functions=main
skips "files" \
  "$(LC_ALL=C \
  sort <<<"$safety"$'\ncloned.avx2: not in one of files=\ncloned: not in one of files=\nother: not in one of files=
pure_one: not in one of files=\nskipped_caller: not in one of files=\nmain: not in one of files=')" -O2 -fplugin-arg-cabprof-files='other.c,lib/*.c' -fchecking
skips "files that match" "$safety" -O2 -fplugin-arg-cabprof-files='link/src/*.c' --param \
  ggc-min-expand=0 --param ggc-min-heapsize=0

# GCC refuses a probe in a transaction, or fails on it.
transactional='-fgnu-tm: a probe cannot be taken back with a transaction'
source=$src/transactions.c prints=30
for events in paths+calls memory; do
  skips "transactions, $events" "main: $transactional
move: $transactional
total: $transactional" -O2 -fgnu-tm -fplugin-arg-cabprof-events=$events
done
finish
