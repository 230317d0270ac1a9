#!/bin/bash
# own-paths.sh - an analysis of the user's that gives accesses the paths that they belong to, by
# where the stack stands, has the counts of `report join --by=path'; what cannot have that is
# refused.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"

cat >onpath.c <<'C'
#include <cabprof/analysis.h>
#define DEPTHS 256
#define PATHS 4096
struct row { uint64_t fn, path, accesses; };
struct state { uint64_t mark, others, n_held, lost, held[DEPTHS], n_rows; struct row row[PATHS]; };
#define S(arena) ((struct state *) (arena)->base)

static int
open_state (struct cab_arena *a, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  a->used = sizeof (struct state);
  S (a)->mark = 1;
  return 0;
}

static int
check (const struct cab_arena *a, struct cab_diag *diag)
{
  (void) diag;
  return a->used && (a->used != sizeof (struct state) || S (a)->n_rows > PATHS) ? -1 : 0;
}

static void
count (struct state *s, uint64_t fn, uint64_t path, uint64_t n)
{
  uint64_t i = 0;
  while (i < s->n_rows && (s->row[i].fn != fn || s->row[i].path != path))
    i++;
  if (i == s->n_rows && i < PATHS)
    s->row[s->n_rows++] = (struct row) { fn, path, 0 };
  if (i < PATHS)
    s->row[i].accesses += n;
  else
    s->lost += n;
}

/* What was left before a path of it ended has none: fn is 0. */
static void
feed (struct cab_arena *a, const struct cab_batch *b, const struct cab_functions *f)
{
  struct state *s = S (a);
  (void) f;
  for (uint32_t d = b->kept + 1; d < DEPTHS; d++)
    if (s->held[d])
      {
	count (s, 0, 0, s->held[d]);
	s->held[d] = 0;
      }
  for (uint32_t i = 0; i < b->n; i++)
    if (b->kind == CAB_EV_PATH)
      {
	count (s, cab_ev_fn (b->events[i]), cab_ev_path (b->events[i]), s->held[b->depth]);
	s->held[b->depth] = 0;
	s->others += cab_ev_times (b->events[i]);
      }
    else if (b->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE) && b->bytes[i])
      s->held[b->depth]++;
    else
      s->others++;
}

static uint64_t
applied (const struct cab_arena *a)
{
  uint64_t sum = 0;
  if (!a->used)
    return 0;
  for (uint64_t i = 0; i < S (a)->n_rows; i++)
    sum += S (a)->row[i].accesses;
  for (int d = 0; d < DEPTHS; d++)
    sum += S (a)->held[d];
  return sum + S (a)->others;
}

static uint64_t
lost (const struct cab_arena *a)
{
  return a->used ? S (a)->lost : 0;
}

static int
merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
       struct cab_diag *diag)
{
  (void) diag;
  for (uint64_t i = 0; from->used && i < S (from)->n_rows; i++)
    count (S (into), map->fn[S (from)->row[i].fn], S (from)->row[i].path,
	   S (from)->row[i].accesses);
  for (int d = 0; from->used && d < DEPTHS; d++)
    S (into)->held[d] += S (from)->held[d];
  S (into)->others += from->used ? S (from)->others : 0;
  S (into)->lost += lost (from);
  return 0;
}

static void
report (const struct cab_arena *a, const struct cab_sheet *to)
{
  static const struct cab_sheet_column columns[]
    = { { "function", CAB_SHEET_TEXT }, { "path", CAB_SHEET_NUMBER },
	{ "accesses", CAB_SHEET_COUNT } };
  to->columns (to->host, columns, 3);
  for (uint64_t i = 0; i < S (a)->n_rows; i++)
    {
      struct cab_sheet_place w = { .function = "(path not known)" };
      const struct row *r = &S (a)->row[i];
      if (r->fn)
	to->function (to->host, r->fn, &w);
      union cab_sheet_cell row[3] = { { .text = w.function }, { .count = r->path },
				      { .count = r->accesses } };
      if (r->accesses)
	to->row (to->host, row);
    }
}

CAB_ANALYSIS_EXPORT = {
  CAB_ANALYSIS_HEAD, .name = "onpath", .summary = "Accesses by path",
  .kinds = 1u << CAB_EV_PATH | 1u << CAB_EV_ACCESS, .wants = CAB_WANTS_NODE | CAB_WANTS_STACK,
  .arena_bytes = sizeof (struct state), .open = open_state, .feed = feed, .applied = applied,
  .lost = lost, .check = check, .merge = merge, .report = report
};
C
gcc -O2 -Wall -Werror -shared -fPIC -I"$TOP/include" onpath.c -o onpath.so ||
  fail "onpath.c does not compile"

cat >prog.c <<'C'
#include <setjmp.h>
#include <stdlib.h>
int a[1024], b[1024], c[1024];
static jmp_buf env;
__attribute__ ((noipa)) static int
inner (int i)
{
  if (i % 7 == 0)
    return a[i];
  b[i]++;
  if (i % 50 == 49)
    longjmp (env, 1);
  return i % 3 ? b[i + 1] + a[i + 1] : 0;
}
__attribute__ ((noipa)) static int
middle (int i)
{
  int s = c[i];
  s += inner (i);
  c[i] = s;
  return s & 1 ? c[i + 1] : s;
}
__attribute__ ((noipa)) static int
order (const void *x, const void *y)
{
  return *(const int *) x - *(const int *) y;
}
int
main (void)
{
  volatile int i = 0;
  int s = 0;
  if (setjmp (env))
    i++;
  for (; i < 1000; i++)
    s += middle (i);
  for (int k = 0; k < 1024; k++)
    a[k] ^= k * 77;
  qsort (a, 1024, sizeof *a, order);
  return s == 12345;
}
C
probed paths,calls,memory prog.c prog -O1 -fplugin-arg-cabprof-paths=trace \
  -fplugin-arg-cabprof-context
for placement in thread inline; do
  options=placement=$placement:ring=64K:chunk=4K:data=$placement.d
  CABPROF_OPTIONS=$options:analyses=./onpath.so+join ./prog || fail "$placement: $?"
  rows ./onpath.so -d $placement.d | sort >own
  rows join -d $placement.d --by=path | awk -F'\t' -v OFS='\t' '{ print $10, $11, $13 + $14 }' |
    sed 's/(path not known)\t-\?\t/(path not known)\t0\t/' | sort >joined
  [ "$(wc -l <own)" -gt 8 ] || fail "few paths: $(cat own)"
  diff own joined || fail "$placement: own (<) and join (>) differ"
done
"$CABPROF" record -d traced --sample=off --quiet --trace=prog.trace -- ./prog || fail "record: $?"
"$CABPROF" trace replay --analyses=./onpath.so -d replayed prog.trace || fail "replay: $?"
rows ./onpath.so -d replayed | sort | diff own - || fail "replayed (>) differs"

# Nodes, paths and accesses are needed.
for change in 's/CAB_WANTS_NODE | //' 's/1u << CAB_EV_PATH | //'; do
  sed "$change" onpath.c >wrong.c
  gcc -shared -fPIC -I"$TOP/include" wrong.c -o wrong.so || fail "wrong.c does not compile"
  CABPROF_OPTIONS=data=none:analyses=./wrong.so ./prog 2>err
  grep -q "where the stack stands, but no nodes, or not both" err || fail "$change: $(cat err)"
done
exit 0
