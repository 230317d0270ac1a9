#!/bin/bash
# several-kinds.sh - a user's analysis of calls and accesses gets them in program order, whether the
# process ends or is killed, and when its trace is replayed.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc

cat >work.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum, twice;
__attribute__ ((noipa)) static void one (void) { sum++; }
__attribute__ ((noipa)) static void two (void) { sum++; twice++; }
int
main (int n, char **v)
{
  for (int i = 0; i < 5000; i++)
    i % 3 ? one () : two ();
  if (n > 1)
    kill (getpid (), SIGKILL);
  return 0;
}
C
# It counts calls, accesses that directly follow a call, and all others.
cat >order.c <<'C'
#include <cabprof/analysis.h>
struct state { uint64_t mark, calls, first, others, before[2]; };
#include "testsuite/cli/own_state.h"
static void
feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  (void) f;
  for (uint32_t i = 0; i < b->n; i++)
    if (b->kind == CAB_EV_CALL)
      ++*(volatile uint64_t *) &S (a)->calls;
    else
      {
	uint64_t t = S (a)->first + S (a)->others;
	int is_first = S (a)->before[t & 1] != S (a)->calls;
	S (a)->before[(t + 1) & 1] = S (a)->calls;
	++*(volatile uint64_t *) (is_first ? &S (a)->first : &S (a)->others);
      }
}
static uint64_t
applied (const struct cab_arena *a)
{
  return a->used ? S (a)->calls + S (a)->others + S (a)->first : 0;
}
static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) map, (void) diag;
  S (into)->calls += S (from)->calls;
  S (into)->others += S (from)->others;
  S (into)->first += S (from)->first;
  return 0;
}
static void
report (const struct cab_arena *a, const struct cab_sheet *to)
{
  static const struct cab_sheet_column columns[]
    = { { "calls", CAB_SHEET_COUNT }, { "first", CAB_SHEET_COUNT }, { "others", CAB_SHEET_COUNT } };
  union cab_sheet_cell row[3]
    = { { .count = S (a)->calls }, { .count = S (a)->first }, { .count = S (a)->others } };
  to->columns (to->host, columns, 3);
  to->row (to->host, row);
}
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = "order", .summary = "Calls and accesses",
  .kinds = 1u << CAB_EV_CALL | 1u << CAB_EV_ACCESS, .arena_bytes = sizeof (struct state),
  .open = open_it, .feed = feed, .applied = applied, .lost = lost, .check = check, .merge = merge,
  .report = report };
C
"$CGCC" -O1 -g -fplugin-arg-cabprof-events=calls+memory work.c -o work &&
  gcc -O1 -shared -fPIC -I"$TOP" -I"$TOP/include" order.c -o order.so || fail "compilation"

# main is called, then 3,333 times one and 1,667 times two: each function's first access follows its
# call, but a volatile increment is a read and a write.
want='5001	5000	8334'
for options in placement=thread placement=inline ring=16K:chunk=2K \
  placement=inline:ring=16K:chunk=2K; do
  for killed in '' killed; do
    rm -rf data
    CABPROF_OPTIONS=data=data:analyses=./order.so:$options ./work $killed 2>/dev/null
    expect 0 "$CABPROF" report ./order.so -d data --format=tsv
    [ "$(sed 1d out)" = "$want" ] || fail "$options $killed: $(cat out)"
  done
done
rm -rf data again
CABPROF_OPTIONS=data=data:analyses=accesses:trace=trace ./work || fail "no trace"
expect 0 "$CABPROF" trace replay --analyses=./order.so -d again trace
expect 0 "$CABPROF" report ./order.so -d again --format=tsv
[ "$(sed 1d out)" = "$want" ] || fail "replayed: $(cat out)"
exit 0
