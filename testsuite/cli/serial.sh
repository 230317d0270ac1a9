#!/bin/bash
# serial.sh - a serial analysis has one state for all threads: it gets the events of each in program
# order, chunk by chunk, with any options, after kill -9, and replayed from a trace in the same
# order as in the run.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc

cat >work.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cabprof/cabprof.h>
static int cell[4][500];
__attribute__ ((noipa)) static int
step (int k, int i)
{
  return (cell[k][i % 500] += i) & 255;
}
__attribute__ ((noipa)) static void *
work (void *number)
{
  long k = (long) number;
  for (int i = 0; i < 3000; i++)
    cell[k][step (k, i)] ^= i;
  return number;
}
int
main (int n, char **arguments)
{
  static pthread_t thread[4];
  (void) arguments;
  for (long k = 1; k < 4; k++)
    pthread_create (&thread[k], NULL, work, (void *) k);
  cabprof_region_begin ("main");
  work (NULL);
  cabprof_region_end ("main");
  for (int k = 1; k < 4; k++)
    pthread_join (thread[k], NULL);
  static pid_t child;
  child = fork ();
  work ((void *) 1L);
  if (child == 0)
    return 0;
  waitpid (child, NULL, 0);
  if (n > 1)
    kill (getpid (), SIGKILL);
  return 0;
}
C
compile ()
{
  "$CGCC" -O1 -g -I"$TOP/include" -pthread "$@" work.c -o work || fail "work.c"
}

# It chains the events of each thread, and those of all threads, in the order in which they come.
# The same, with a state for each ring, knows the former only.
cat >order.c <<'C'
#include <cabprof/analysis.h>
enum { THREADS = 16 };
struct chain { uint64_t h[2]; };
struct state { uint64_t mark; struct chain all; struct chain thread[THREADS]; uint64_t n[THREADS];
  uint64_t switches[2], last[2]; };
#include "testsuite/cli/own_state.h"
static uint64_t
applied (const struct cab_arena *a)
{
  uint64_t sum = 0;
  for (int k = 0; a->used && k < THREADS; k++)
    sum += S (a)->n[k];
  return sum;
}
static void
add (struct chain *c, uint64_t n, uint64_t what)
{
  c->h[(n + 1) & 1] = (c->h[n & 1] ^ what) * 0x9e3779b97f4a7c15u + 1;
}
/* The last store of an event is its thread's counter. */
static void
feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  (void) f;
  struct state *s = S (a);
  uint64_t k = b->thread % THREADS, n = applied (a);
  for (uint32_t i = 0; i < b->n; i++, n++)
    {
      uint64_t what = b->kind == CAB_EV_CALL ? b->events[i]
					     : b->address[i] ^ (uint64_t) b->site[i] << 48;
      add (&s->all, n, what);
      add (&s->thread[k], s->n[k], what);
      s->switches[(n + 1) & 1] = s->switches[n & 1] + (n && s->last[n & 1] != k);
      s->last[(n + 1) & 1] = k;
      ++*(volatile uint64_t *) &s->n[k];
    }
}
static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  uint64_t in = applied (into), out = applied (from);
  (void) map, (void) diag;
  if (!from->used)
    return 0;
  struct state *to = S (into), *add = S (from);
  uint64_t all = to->all.h[in & 1] + add->all.h[out & 1],
	   switches = to->switches[in & 1] + add->switches[out & 1];
  to->all.h[0] = to->all.h[1] = all;
  to->switches[0] = to->switches[1] = switches;
  for (int k = 0; k < THREADS; k++)
    {
      uint64_t h = to->thread[k].h[to->n[k] & 1] + add->thread[k].h[add->n[k] & 1];
      to->n[k] += add->n[k];
      to->thread[k].h[0] = to->thread[k].h[1] = h;
    }
  return 0;
}
static void
report (const struct cab_arena *a, const struct cab_sheet *to)
{
  static const struct cab_sheet_column columns[] = { { "thread", CAB_SHEET_NUMBER },
    { "n", CAB_SHEET_COUNT }, { "chain", CAB_SHEET_COUNT } };
  const struct state *s = S (a);
  uint64_t n = applied (a);
  to->columns (to->host, columns, 3);
  for (int k = 0; k < THREADS; k++)
    {
      union cab_sheet_cell row[3] = { { .count = k }, { .count = s->n[k] },
	{ .count = s->thread[k].h[s->n[k] & 1] } };
      if (s->n[k])
	to->row (to->host, row);
    }
  union cab_sheet_cell row[3] = { { .count = 999 }, { .count = s->switches[n & 1] },
    { .count = s->all.h[n & 1] } };
  to->row (to->host, row);
}
CAB_ANALYSIS_EXPORT = { CAB_ANALYSIS_HEAD, .name = NAME, .summary = "Order", .kinds = KINDS,
  .shard = SHARD, .arena_bytes = sizeof (struct state), .open = open_it, .feed = feed,
  .applied = applied, .lost = lost, .check = check, .merge = merge, .report = report };
C
# own NAME SHARD KINDS: compile it.
own ()
{
  gcc -O1 -shared -fPIC -I"$TOP" -I"$TOP/include" -DNAME="\"$1\"" -DSHARD=CAB_SHARD_$2 \
    -DKINDS="$3" order.c -o $1.so || fail "order.c"
}
own order SERIAL '1u << CAB_EV_CALL | 1u << CAB_EV_ACCESS'
own each THREAD '1u << CAB_EV_CALL | 1u << CAB_EV_ACCESS'
own calls-in-order SERIAL '1u << CAB_EV_CALL'
export CABPROF_ANALYSES=$PWD
analyses=tree+order+each+calls-in-order+values

# look DIR: print what there is of each thread by the two analyses.
look ()
{
  for report in order each calls-in-order; do
    "$CABPROF" report $report -d $1 --format=tsv 2>err | grep -v '^thread' >$report.rows ||
      fail "$1: report $report: $(cat err)"
    grep -v '^999' $report.rows >$report.threads
  done
  cmp order.threads each.threads || fail "$1: $(diff order.threads each.threads | head)"
}
# run OPTIONS [ARGUMENT]: run it, and check that each thread's events came whole and in order.
run ()
{
  rm -rf data
  CABPROF_OPTIONS=data=data:analyses=$analyses:$1 timeout 60 ./work ${2:-} 2>err
  local status=$?
  [ $status = $([ "${2:-}" ] && echo 137 || echo 0) ] && [ ! -s err ] ||
    fail "$1: $status: $(cat err)"
  look data
  [ "$(awk '$1 < 999 { n += $2 } END { print n + 0 }' calls-in-order.rows)" = 18007 ] ||
    fail "$1: $(cat calls-in-order.rows)"
  [ "$(wc -l <order.threads)" -ge 4 ] || fail "$1: $(cat order.rows)"
}
for ring in chunk cab; do
  case $ring in
    chunk) compile -fplugin-arg-cabprof-events=calls+memory ;;
    cab) compile -fplugin-arg-cabprof-events=calls -fplugin-arg-cabprof-ring=cab ;;
  esac
  for options in "" ring=32K:chunk=2K threads=3:ring=32K:chunk=2K:delegates=3 \
    placement=inline:ring=32K:chunk=2K threads=2:ring=64K:chunk=4K; do
    run "$options"
    run "$options" killed
  done
  # With small chunks the threads' events are mixed, in one order for the run and the trace.
  run threads=3:ring=32K:chunk=2K:trace=$ring.trace
  cp order.rows order.run && cp calls-in-order.rows calls.run
  awk '$1 == 999 { exit !($2 > 3) }' order.rows || fail "threads take no turns: $(cat order.rows)"
  rm -rf again
  for trace in $ring.trace*; do
    rm -rf one
    "$CABPROF" trace replay --analyses=$analyses -d one $trace >out 2>err ||
      fail "replay: $(cat err)"
    mkdir -p again && cp -r one/. again
  done
  look again
  cmp order.run order.rows && cmp calls.run calls-in-order.rows ||
    fail "replayed in another order: $(diff order.run order.rows)"
done

# The state has no room.
rm -rf data
CABPROF_OPTIONS=data=data:analyses=tree+order:most=states/1 ./work 2>err || fail "states/1: $?"
[ "$(wc -l <err)" -ge 1 ] && grep -q 'a table of it is full' err || fail "states/1: $(cat err)"
"$CABPROF" report account -d data --format=tsv >account || fail "states/1: account"
awk -F'\t' '$1 == "dropped_no_memory" { exit !$2 }' account || fail "states/1: $(cat account)"

# What depends on threads or regions is refused.
for wrong in '.begin_thread = (void (*) (struct cab_arena *, uint32_t)) 1, ' \
  '.carry = cab_carry_nothing, ' '.wants = CAB_WANTS_NODE, ' '.key = CAB_KEY_VALUE, '; do
  sed "s/CAB_ANALYSIS_HEAD,/& $wrong/" order.c >other.c
  gcc -O1 -shared -fPIC -w -I"$TOP" -I"$TOP/include" -DNAME='"order"' -DSHARD=CAB_SHARD_SERIAL \
    -DKINDS='1u << CAB_EV_ACCESS' other.c -o order.so || fail "other.c"
  rm -rf data
  CABPROF_OPTIONS=data=data:analyses=order ./work 2>err || fail "$wrong: $?"
  [ ! -e data ] && grep -q "its shard is CAB_SHARD_SERIAL, and\|it has a key" err ||
    fail "$wrong: $(cat err)"
done
exit 0
