#!/bin/bash
# overhead.sh - overhead=PERCENT reads less where the analysis takes too much, is refused with its
# figures where the events alone do, and changes nothing else.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

cat >work.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__ ((noipa)) static unsigned leaf (unsigned x) { return x % 3 ? x + 1 : x * 2; }
static unsigned
run (long n, long work, unsigned x)
{
  for (long i = 0; i < n; i++)
    {
      x = leaf (x);
      for (long k = 0; k < work; k++)
	x = x * 1664525 + 1013904223;
    }
  return x;
}
int
main (int argc, char **argv)
{
  long n = atol (argv[1]), before = argc > 3 ? atol (argv[3]) : 0, work = atol (argv[2]);
  unsigned x = run (before, work, 1);
  if (before && fork ())
    return wait (NULL) < 0;
  return run (n, work, x) == 0;
}
C

# run DIR OPTIONS ARGUMENT...: run work with OPTIONS; its words go to `err'.
run ()
{
  local dir=$1 options=$2
  shift 2
  rm -rf "$dir"
  CABPROF_OPTIONS=data=$PWD/$dir:analyses=methods:$options ./work "$@" 2>err || fail "$options: $?"
}

# account DIR ITEM: print an item of the account.
account ()
{
  "$CABPROF" report account -d "$1" --format=tsv | awk -F'\t' -v item="$2" '$1 == item { print $2 }'
}

figures='cannot be met: the program stores [0-9.]* million words a second, [0-9.]* ns each: [0-9.]*%'
for ring in chunk cab; do
  build work work.c -O1 -fplugin-arg-cabprof-ring=$ring -fplugin-arg-cabprof-events=calls

  # The rings hold all events: the rate is halved for no other reason.
  all=sample=100%:ring=16M:chunk=64K
  for options in $all $all:overhead=100%; do
    run free $options 300000 1000
    is "$ring, $options: lines" "$(cat err)" ""
    is "$ring, $options: halved" "$(account free rate_halved)" 0
  done

  # Of a target of which storing the events takes a third, analysing all of them takes the rest.
  # The time of the run says what share that is: when it was refused, some events may have waited.
  TIMEFORMAT=%U
  user=$({ time run refused $all:overhead=0.0001% 300000 1000; } 2>&1)
  each=$(sed -n 's/.* second, \([0-9.]*\) ns each.*/\1/p' err)
  target=$(awk -v each="$each" -v user="$user" \
    'BEGIN { printf "%.4f", 3 * 100 * 300000 * each / 1e9 / user }')
  run kept $all:overhead=$target% 300000 1000
  is "$ring: lines for $target%" "$(cat err)" ""
  [ "$(account kept rate_halved)" -gt 0 ] || fail "$ring, overhead=$target%: the rate stayed"

  # A target that no program keeps is refused once, and the run is whole: whether a process refuses
  # it, its child, or the child too.
  for before in 0 1000000 60000000; do
    run none $all:overhead=0.0001% 60000000 2 $before
    is "$ring: lines" "$(wc -l <err)" 1
    grep -q "^cabprof: overhead=: 0.0001% $figures before any is read; ask for more" err ||
      fail "$(cat err)"
    [ "$(account none events_sent)" -ge 60000000 ] || fail "$(account none events_sent) events"
  done
done
