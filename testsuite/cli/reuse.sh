#!/bin/bash
# reuse.sh - distances between uses of a line are right for loops whose distances are known, and on
# a real program the curve of misses is what the simulator finds for the same accesses, as an
# analysis of the test recorded them.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
memory=(-g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory)

cat >known.c <<'END'
long big[4096] __attribute__ ((aligned (64)));      /* 512 lines */
long small[80] __attribute__ ((aligned (64)));      /* 10 lines */
int main (void)
{
  long sum = 0;
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < 80; i += 8)
      sum += small[i];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 4096; i++)
      sum += big[i];
  return sum != 0;
}
END
gcc -O1 "${memory[@]}" known.c -o known || fail "known.c does not compile"
CABPROF_OPTIONS=data=known.data:analyses=reuse ./known || fail "known fails"
"$CABPROF" report reuse -d known.data --format=tsv >table || fail "no report"
row () { awk -F'\t' -v line="$1" 'NR > 1 && $4 == line { print $6 "|" $8 "|" $9 "|" $10 }' table; }
# 10 lines are used 5 times, each but the first time at distance 9.
[ "$(row 8)" = "50|16|10|8:40 -:10" ] || fail "small: $(row 8)"
# 512 lines are used 3 times, with 8 uses each.
[ "$(row 11)" = "12288|1|512|0:10752 256:1024 -:512" ] || fail "big: $(row 11)"
"$CABPROF" report reuse --curve -d known.data --format=tsv >curve || fail "no curve"
grep -q '^32768	512	522	' curve && grep -q '^24576	384	1546	' curve &&
  grep -q '^512	8	1586	' curve || fail "curve: $(cat curve)"
"$CABPROF" report reuse --curve -d known.data | grep -q '####' || fail "no chart"

# Distances beyond the depth are counted as beyond it.
CABPROF_OPTIONS=data=shallow.data:analyses=reuse,depth=256,line=64 ./known
"$CABPROF" report reuse -d shallow.data --format=tsv >table
[ "$(row 11)" = "12288|1|1536|0:10752 -:1536" ] || fail "depth=256: $(row 11)"
CABPROF_OPTIONS=data=bad.data:analyses=reuse,depth=300 ./known 2>err
grep -q 'depth= is in lines, a power of two.*running unprofiled' err || fail "depth=300: $(cat err)"
expect 1 "$CABPROF" report reuse -d "$(CABPROF_OPTIONS=data=without ./known; echo without)"
grep -q 'analyses=reuse' err || fail "the message does not name analyses=reuse"

# The accesses of a real program are cut into lines and written in lackey's format.
cat >dump.c <<'END'
#include <cabprof/analysis.h>
#include <stdio.h>
struct state { uint64_t n; };
static int open_state (struct cab_arena *a, const char *s, struct cab_diag *d) { a->used = sizeof (struct state); return (void) s, (void) d, 0; }
static void feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  static FILE *to;
  (void) f;
  to = to ? to : fopen ("lines", "w");
  for (uint32_t i = 0; i < b->n; i++)
    for (uint64_t l = b->address[i] / 64; !(b->form[i] & CAB_ROW_MOVED) && b->bytes[i] && l <= (b->address[i] + b->bytes[i] - 1) / 64; l++)
      fprintf (to, " L %jx,1\n", (uintmax_t) l * 64);
  fflush (to);
  ((struct state *) a->base)->n += b->n;
}
static uint64_t applied (const struct cab_arena *a) { return a->used ? ((struct state *) a->base)->n : 0; }
static uint64_t lost (const struct cab_arena *a) { return (void) a, 0; }
static int check (const struct cab_arena *a, struct cab_diag *d) { return (void) a, (void) d, 0; }
static int merge (struct cab_arena *a, const struct cab_arena *b, const struct cab_idmap *m, struct cab_diag *d)
{ return (void) a, (void) b, (void) m, (void) d, 0; }
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = "dump", .summary = "lines", .kinds = 1u << CAB_EV_ACCESS, .arena_bytes = 4096,
  .open = open_state, .feed = feed, .applied = applied, .lost = lost, .check = check, .merge = merge };
END
gcc -O2 -Wall -Wextra -shared -fPIC -I"$TOP/include" dump.c -o dump.so ||
  fail "dump.c does not compile"
g++ -O2 "${memory[@]}" "$TOP/testsuite/programs/containers.cc" -o containers ||
  fail "containers.cc does not compile"
CABPROF_OPTIONS=data=real.data:analyses=./dump.so+reuse ./containers >/dev/null ||
  fail "containers fails"
"$CABPROF" report reuse --curve -d real.data --format=tsv >curve 2>err
n=$(wc -l <lines)
[ "$n" -gt 10000 ] || fail "only $n uses of lines"
for lines in 4 24 128; do
  ours=$(awk -F'\t' -v l=$lines '$2 == l { print $3 }' curve)
  theirs=$("$CABPROF" cache --D1=$((lines * 64)),$lines,64 --format=tsv lines |
    awk -F'\t' '$2 == "D1" && $7 == "read" { print $9 }')
  [ "$ours" = "$theirs" ] || fail "$lines lines: $ours misses, the simulator has $theirs"
done
