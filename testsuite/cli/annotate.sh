#!/bin/bash
# annotate.sh - the source is shown with its counts: files, functions, the hottest path, and sources
# that moved, changed or are gone.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
tally cabprof.data

expect 0 "$CABPROF" annotate tally.c; quiet
prints '^ +60 +[0-9.]+% +25     if \(i % 3 == 0\)$'
prints '^ +60 +[0-9.]+% +43 >     sum \+= kind \(i\);$'
prints '^ +20 +[0-9.]+% +26 .     return 1; '
prints '^ +##### +35     return x \+ 1;$'
prints '^ +31 *$'
[ "$(grep -Ec '^.{15}.{8}  .{7} ' out)" -ge 48 ] || fail "not the whole file: $(cat out)"
cp out whole

# A function is given by name or glob; without one, the function with the hottest path is shown.
expect 0 "$CABPROF" annotate kind; quiet
prints '^> hottest path of kind: 30 of 60'
prints ' 23 '
! grep -q factorial out || fail "other functions are shown: $(cat out)"
expect 0 "$CABPROF" annotate 'k*d'; quiet; prints 'hottest path of kind'
expect 0 "$CABPROF" annotate; quiet; prints '^> hottest path of main: 60'
expect 0 "$CABPROF" annotate '*ally.c'; quiet; diff out whole || fail "a glob of files"
expect 1 "$CABPROF" annotate nothing; says 'nothing: no file and no function'

# The lines of the path are marked, and no others.
expect 0 "$CABPROF" annotate kind --format=tsv; quiet
[ "$(head -n 1 out)" = $'file\tline\texecutable\tcount\tshare\thottest\tsource\tnot_returned' ] ||
  fail "columns: $(head -n 1 out)"
path=$("$CABPROF" report paths --function=kind --format=tsv --limit=1 | tail -n 1 | cut -f 7)
marked=$(awk -F'\t' '$6 == 1 { print $2 }' out)
[ "$marked" = "$(python3 -c '
import sys
for part in sys.argv[1].split (","):
  a, _, b = part.partition ("-")
  print (*range (int (a), int (b or a) + 1), sep="\n")' "$path" | sort -un)" ] ||
    fail "marked: $marked, path: $path"
expect 0 "$CABPROF" annotate kind --format=json; quiet
python3 -c '
import json
rows = json.load (open ("out"))["rows"]
assert [r["count"] for r in rows if r["line"] == 25] == [60], rows' || fail "JSON: $(cat out)"

# Colours appear on a terminal only, and only if they are wanted.
! grep -q $'\033' whole || fail "colours in a file"
if command -v script >/dev/null; then
  TERM=xterm script -qec "$CABPROF annotate tally.c" /dev/null </dev/null >out; grep -q $'\033' \
    out || fail "no colours on a terminal"
  TERM=xterm NO_COLOR=1 script -qec "$CABPROF annotate tally.c" /dev/null </dev/null >out
  ! grep -q $'\033' out || fail "colours in spite of NO_COLOR"
fi

# A source that was changed is reported.
touch -d '+1 minute' tally.c
expect 0 "$CABPROF" annotate kind; says 'has changed since the program ran'

# A source that moved is found by --source and its name alone; without it only counts are shown.
mkdir -p moved/deep && mv tally.c moved/deep/ && touch -d '-1 hour' moved/deep/tally.c
expect 0 "$CABPROF" annotate tally.c --source=moved/deep; quiet
diff whole out || fail "not the same from the other directory"
expect 1 "$CABPROF" annotate tally.c --source=moved; says 'tally.c: the source is not found'
prints '^ +60 +[0-9.]+% +25 *$'

# Names with several components are found by the longest suffix that exists.
mkdir -p a/b && cp moved/deep/tally.c a/b/ && build deep "$PWD/a/b/tally.c" -O0
profile deep.data ./deep && mv a other
mkdir -p copy/b && cp moved/deep/tally.c copy/b && echo 'wrong' >copy/tally.c
touch -d '-1 hour' copy/b/tally.c
expect 0 "$CABPROF" annotate -d deep.data kind --source=copy; quiet; prints 'if \(i % 3 == 0\)'

# Control characters in a source do not reach the terminal, and every line ends.
printf 'int main (void) { return 0; /* \033[2J\177 \tx */ }\r\nint tail;' >odd.c
build odd odd.c -O0 && profile odd.data ./odd
expect 0 "$CABPROF" annotate -d odd.data main; quiet
prints '\?\[2J\?'
! grep -q $'[\033\r]' out || fail "control characters in the output"

# After a call that never returned, no line is called never executed and no count complete;
# cut-at-calls has the exact counts.
cat >left.c <<'C'
#include <stdlib.h>
__attribute__ ((noipa)) static void leave (int n)
{
  if (n)
    exit (0);
}
__attribute__ ((noipa)) static int whole (int n)
{
  if (n > 9)
    n++;
  return n;
}
int main (void)
{
  whole (1);
  leave (0);
  leave (1);
  return 1;
}
C
for cut in "" -fplugin-arg-cabprof-cut-at-calls; do
  build leaves left.c -O0 $cut
  rm -rf left && profile left ./leaves
  expect 0 "$CABPROF" annotate -d left left.c
  prints '^ +##### +10 '
  if [ -z "$cut" ]; then
    says 'counts with + are the least there can be: 2 calls did not return normally'
    prints '^ +0\+ +5 '
    prints '^ +1\+ +[0-9.]+% +4 '
    prints '^ +0\+ +17 '
    prints '^ +1 +[0-9.]+% +9 '
    expect 0 "$CABPROF" report paths -d left --function=main
    prints '1 call did not return normally'
    expect 0 "$CABPROF" report lines -d left; prints '2 calls did not return normally'
    expect 0 "$CABPROF" export lcov -d left; says 'counts of some lines are low: 2 calls'
  else
    quiet
    prints '^ +1 +[0-9.]+% +5 '
    prints '^ +1 +[0-9.]+% +17 '
    expect 0 "$CABPROF" export lcov -d left; quiet
  fi
done
exit 0

# Without an argument, what was inlined into the hottest function is shown too, wherever its source
# is.
mkdir -p inlined && cat >inlined/work.h <<'END'
/* A line. */
/* Another. */
static inline __attribute__ ((always_inline)) unsigned work (unsigned n)
{
  unsigned h = 1;
  for (unsigned i = 0; i < n; i++)
    h = h * 31 + (h >> 7);
  return h;
}
END
cat >wrapper.c <<'END'
#include "inlined/work.h"
__attribute__ ((noipa)) unsigned wrapper (unsigned n)
{
  return work (n);
}
int main (int argc, char **argv) { (void) argv; return wrapper (100000 + argc) == 77; }
END
build wrapper wrapper.c -O2; profile wrapper.data ./wrapper
expect 0 "$CABPROF" annotate -d wrapper.data; quiet
prints '^ +100,001 +[0-9.]+% +7 > .*h = h \* 31'; prints 'return work \(n\);'; ! grep -q 'A line' \
  out || fail "all of work.h: $(cat out)"
