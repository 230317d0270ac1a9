#!/bin/bash
# law-check.sh - cabprof trace check finds that its own analyses obey the laws, and names the law
# that a user's analysis breaks; a wrong key is one.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need gcc

cat >walk.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; long v; };
long row[1000], table[100][1024];
static long __attribute__ ((noinline)) f (int n) { return n < 2 ? n : f (n - 1) + f (n - 2); }
static void *
work (void *a)
{
  long sum = 0;
  struct node *list = 0;
  for (int i = 0; i < 1000; i++) sum += row[i];
  for (int i = 0; i < 100; i++) sum += table[i][0];
  for (int i = 0; i < 300; i++) { struct node *n = malloc (sizeof *n); n->next = list; n->v = i; list = n; }
  while (list) { struct node *n = list; sum += n->v; list = n->next; free (n); }
  return (void *) (sum + f (10) + (long) a);
}
int main (void) { pthread_t t; for (int i = 0; i < 3; i++) { pthread_create (&t, 0, work, 0); work (0); pthread_join (t, 0); } return 0; }
C
"$CGCC" -O1 -g -fplugin-arg-cabprof-events=paths+calls+memory+loops+values \
  -fplugin-arg-cabprof-paths=trace -fplugin-arg-cabprof-context walk.c -o walk -lpthread \
  && "$CABPROF" record --quiet --sample=off --options=chunk=4K:ring=64K --trace=walk.trace \
  -- ./walk || fail "no trace"

# check STATUS ANALYSIS [OPTION...]: run the check, and expect STATUS.
check ()
{
  local want=$1 analysis=$2
  shift 2
  "$CABPROF" trace check --analysis="$analysis" "$@" walk.trace >out 2>err
  [ $? = "$want" ] || { cat out err; fail "trace check --analysis=$analysis $*: not status $want"; }
}

for analysis in methods calls tree paths loops accesses blocks values values,places=4 cache \
  cache,D1=4K/2/64 offenders reuse sharing contexts deps; do
  for seed in 1 2; do
    check 0 $analysis --seed=$seed
    grep -Eqx "$analysis: [0-9]+ events, cut off [1-9][0-9]* times: all laws hold" out ||
      fail "$analysis: $(cat out)"
  done
done

# A user's analysis counts reads and writes, and gets each kind of fault in turn.
cat >own.c <<'C'
#include <cabprof/analysis.h>
struct state { uint64_t mark, reads, writes, odd; };
#define S(arena) ((struct state *) (arena)->base)
static int open_it (struct cab_arena *a, const char *arguments, struct cab_diag *diag)
{ (void) arguments, (void) diag; S (a)->mark = 77; a->used = sizeof (struct state); return 0; }
static void feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  (void) f;
  for (uint32_t i = 0; i < b->n; i++)
    if (b->form[i] & CAB_ROW_READ)
      S (a)->reads++;
    else if (FAULT != 1 || !(b->form[i] & CAB_ROW_ALLOCATED))
      S (a)->writes++;
  S (a)->odd = FAULT == 2 ? S (a)->odd + 1 : FAULT == 3 ? b->n : 0;
}
static uint64_t applied (const struct cab_arena *a) { return a->used ? S (a)->reads + S (a)->writes : 0; }
static uint64_t lost (const struct cab_arena *a) { (void) a; return 0; }
static int check (const struct cab_arena *a, struct cab_diag *diag)
{ (void) diag; return a->used == sizeof (struct state) && !(FAULT == 4 && S (a)->reads) ? 0 : -1; }
static int merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map, struct cab_diag *diag)
{
  (void) map, (void) diag;
  S (into)->reads += S (from)->reads;
  S (into)->writes += S (from)->writes;
  S (into)->odd = FAULT == 3 ? S (from)->odd : S (into)->odd + S (from)->odd;
  return FAULT == 5 ? -1 : 0;
}
static void report (const struct cab_arena *a, const struct cab_sheet *sheet)
{
  static const struct cab_sheet_column columns[] = { { "reads", CAB_SHEET_COUNT }, { "writes", CAB_SHEET_COUNT }, { "odd", CAB_SHEET_COUNT } };
  const union cab_sheet_cell row[] = { { .count = S (a)->reads }, { .count = S (a)->writes }, { .count = S (a)->odd } };
  sheet->columns (sheet->host, columns, 3);
  sheet->row (sheet->host, row);
}
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = "own", .summary = "reads and writes", .kinds = 1u << CAB_EV_ACCESS, .shard = CAB_SHARD_THREAD,
  .arena_bytes = 4096, .open = open_it, .feed = feed, .applied = applied, .lost = lost, .check = check, .merge = merge, .report = report };
C
words=("" "applied [0-9]* + lost 0 is not" \
  "fed in pieces, and after the state was cut off, give something else" \
  "merged in another order say something else"
       "that was cut off after [0-9]* events is refused" "merge refuses")
for fault in 0 1 2 3 4 5; do
  gcc -O1 -fPIC -shared -DFAULT=$fault -I"$TOP/include" -include cabprof/event.h own.c -o own.so ||
    fail "own.c"
  check $((fault > 0)) ./own.so
  [ $fault = 0 ] || grep -q "^cabprof: ./own.so: .*${words[$fault]}" err ||
    fail "fault $fault is not reported: $(cat out err)"
done

# A wrong key: the last address of all accesses decides what a row counts as, whatever its site.
cat >wrong.c <<'C'
#include <cabprof/analysis.h>
struct state { uint64_t mark, last[2], n[2]; };
#include "testsuite/cli/own_state.h"
static void feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  (void) f;
  for (uint32_t i = 0; i < b->n; i++)
    {
      uint64_t t = S (a)->n[0] + S (a)->n[1], page = b->address[i] >> 12;
      int other = S (a)->last[t & 1] != page;
      S (a)->last[(t + 1) & 1] = page;
      ++*(volatile uint64_t *) &S (a)->n[other];
    }
}
static uint64_t
applied (const struct cab_arena *a)
{
  return a->used ? S (a)->n[0] + S (a)->n[1] : 0;
}
static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) map, (void) diag;
  for (int i = 0; from->used && i < 2; i++)
    S (into)->n[i] += S (from)->n[i];
  return 0;
}
static void report (const struct cab_arena *a, const struct cab_sheet *sheet)
{
  static const struct cab_sheet_column columns[]
    = { { "same", CAB_SHEET_COUNT }, { "other", CAB_SHEET_COUNT } };
  const union cab_sheet_cell row[] = { { .count = S (a)->n[0] }, { .count = S (a)->n[1] } };
  sheet->columns (sheet->host, columns, 2);
  sheet->row (sheet->host, row);
}
CAB_ANALYSIS_EXPORT = {
  CAB_ANALYSIS_HEAD, .name = "wrong", .summary = "same page or another",
  .kinds = 1u << CAB_EV_ACCESS, .shard = CAB_SHARD_KEY, .key = KEY, .arena_bytes = 4096,
  .open = open_it, .feed = feed, .applied = applied, .lost = lost, .check = check, .merge = merge,
  .report = report };
C
for key in SITE ADDRESS; do
  gcc -O1 -fPIC -shared -DKEY=CAB_KEY_$key -I"$TOP" -I"$TOP/include" wrong.c -o wrong.so ||
    fail "wrong.c"
  check 1 ./wrong.so
  grep -q "^cabprof: ./wrong.so: states of different keys depend on each other" err ||
    fail "a wrong key is not reported: $(cat out err)"
  grep -Eq "event [0-9]+ \(access [0-9]+ to 0x[0-9a-f]+, part [123]\) and event [0-9]+ \(access" err ||
    fail "the events are not named: $(cat out err)"
  # They are of different parts, and one follows the other.
  sed -n 's/.*event \([0-9]*\) .*part \([123]\)) and event \([0-9]*\) .*part \([123]\)).*/\1 \2 \3 \4/p' \
    err | awk '{ exit !($1 < $3 && $2 != $4) }' || fail "wrong events: $(cat err)"
done

check 2 no-such-analysis
check 2 tree+calls
check 2 cache,D1=77
"$CABPROF" trace check walk.trace 2>err; [ $? = 2 ] || fail "no analysis is named"
head -c 5000 walk.trace >cut.trace
"$CABPROF" trace check --analysis=tree cut.trace >out 2>err && fail "a trace that is cut off passes"
exit 0
