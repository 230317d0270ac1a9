/* test_analyses.c - the laws of analysis.h, for all analyses of the registry.
 * LINK: analyses/registry.c analyses/states.c analyses/an_methods.c analyses/an_calls.c analyses/an_tree.c analyses/an_paths.c analyses/an_loops.c analyses/heap.c */
/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A state is compared by its rows: (key, count), sorted, without zeros.  A tree node's key is a hash of its chain; the expected rows come
 * from a stack of such hashes, so the test has no tree.
 */
#include <CUnit/Basic.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/heap.h"
#include "analyses/states.h"

#define N_FN 40
#define N_SITE 60
#define COUNTERS_PER_FN 10
#define N_LOOP 8
#define LOOP_OF(site) ((site) % N_LOOP)

struct row
{
  uint64_t key, count;
};

struct rows
{
  struct row *row;
  size_t n, room;
};

struct events
{
  size_t n;
  uint32_t *fn, *site, *depth;
  uint8_t *form;
  uint64_t *path;
  uint8_t *loop_form;
  uint64_t *count;   /* of loop events */
};

static uint64_t seed;

static uint64_t
draw (uint64_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return (seed >> 33) % below;
}

static uint64_t
mix (uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t h = (a ^ b * UINT64_C (0x9e3779b97f4a7c15)) * UINT64_C (0xff51afd7ed558ccd) ^ c * UINT64_C (0xc4ceb9fe1a85ec53);
  return (h ^ h >> 29) * UINT64_C (0xbf58476d1ce4e5b9) | 1;
}

static void
add (struct rows *rows, uint64_t key, uint64_t count)
{
  if (rows->n == rows->room)
    rows->row = XRESIZEVEC (struct row, rows->row, rows->room = rows->room * 2 + 64);
  rows->row[rows->n++] = (struct row) { key, count };
}

static int
by_key (const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  return x->key < y->key ? -1 : x->key > y->key;
}

/* Sort, sum equal keys, drop zeros. */
static void
tidy (struct rows *rows)
{
  size_t n = 0;
  if (rows->n)
    qsort (rows->row, rows->n, sizeof *rows->row, by_key);
  for (size_t i = 0; i < rows->n; i++)
    {
      if (n && rows->row[n - 1].key == rows->row[i].key)
	rows->row[n - 1].count += rows->row[i].count;
      else
	{
	  n -= n && !rows->row[n - 1].count;
	  rows->row[n++] = rows->row[i];
	}
    }
  rows->n = n - (n && !rows->row[n - 1].count);
}

static bool
equal (const struct rows *a, const struct rows *b)
{
  return a->n == b->n && (!a->n || !memcmp (a->row, b->row, a->n * sizeof *a->row));
}

/* Each number that a state has of a loop is a row. */
static void
add_loop (struct rows *rows, uint32_t fn, uint32_t loop, const struct cab_loop_sums *sums, const uint64_t *log2)
{
  const uint64_t *number = (const uint64_t *) sums;
  unsigned n = sizeof *sums / sizeof *number;
  for (unsigned i = 0; i < n; i++)
    add (rows, mix (fn, loop, i), number[i]);
  for (unsigned i = 0; i < CAB_LOOP_BUCKETS; i++)
    add (rows, mix (fn, loop, n + i), log2[i]);
}

/* What loop events [0, TO) must give. */
static void
expect_loops (struct rows *rows, const struct events *e, size_t to)
{
  struct cab_loops_row *loops = XCNEWVEC (struct cab_loops_row, (N_FN + 1) * N_LOOP);
  for (size_t i = 0; i < to; i++)
    {
      struct cab_loops_row *row = &loops[e->fn[i] * N_LOOP + LOOP_OF (e->site[i])];
      struct cab_loop_sums *s = &row->sums;
      uint64_t n = e->count[i], digits = 0;
      s->events++;
      if (e->loop_form[i] == CAB_LOOP_ENTER)
	s->entered++;
      if (e->loop_form[i] == CAB_LOOP_LEFT_HIGH)
	s->pending_iterations = n * 134217728;
      if (e->loop_form[i] == CAB_LOOP_CYCLES_HIGH)
	s->pending_cycles = n * 134217728;
      if (e->loop_form[i] == CAB_LOOP_CYCLES)
	{
	  s->timed++;
	  s->cycles += n + s->pending_cycles;
	  s->pending_cycles = 0;
	  s->pending_timed = 1;
	}
      if (e->loop_form[i] != CAB_LOOP_LEFT)
	continue;
      n += s->pending_iterations;
      while (n >> digits)
	digits++;
      row->log2[digits]++;
      s->left++;
      s->iterations += n;
      s->timed_iterations += s->pending_timed * n;
      s->most = n > s->most ? n : s->most;
      s->pending_iterations = s->pending_timed = 0;
    }
  for (uint32_t fn = 1; fn <= N_FN; fn++)
    for (uint32_t loop = 0; loop < N_LOOP; loop++)
      add_loop (rows, fn, loop, &loops[fn * N_LOOP + loop].sums, loops[fn * N_LOOP + loop].log2);
  free (loops);
}

/* The rows of a state. */
static struct rows
rows_of (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct rows rows = { 0 };
  if (analysis == &cab_methods)
    for (uint32_t fn = 0; fn < cab_methods_n (arena); fn++)
      add (&rows, fn, cab_methods_count (arena, fn));
  if (analysis == &cab_paths)
    for (uint64_t i = 0; i < cab_paths_n (arena); i++)
      add (&rows, i, cab_paths_counter (arena, i));
  struct cab_calls_row call;
  for (uint64_t cursor = 0; analysis == &cab_calls && cab_calls_next (arena, &cursor, &call);)
    add (&rows, (uint64_t) call.site << 32 | call.callee, call.count);
  struct cab_loops_row loop;
  for (uint64_t cursor = 0; analysis == &cab_loops && cab_loops_next (arena, &cursor, &loop);)
    add_loop (&rows, loop.fn, loop.loop, &loop.sums, loop.log2);
  if (analysis == &cab_tree)
    {
      uint64_t *key = XCNEWVEC (uint64_t, cab_tree_n (arena) + 1);
      for (uint32_t i = 1; i < cab_tree_n (arena); i++)
	{
	  const struct cab_tree_node *node = cab_tree_at (arena, i);
	  key[i] = mix (key[node->parent], node->callee, node->site);
	  add (&rows, key[i], node->count);
	}
      free (key);
    }
  tidy (&rows);
  return rows;
}

/* The rows that events [FROM, TO) must give.  The tree's are those of a thread that begins at FROM only if FROM is 0. */
static struct rows
expected (const struct cab_analysis *analysis, const struct events *e, size_t to)
{
  struct rows rows = { 0 };
  uint64_t *node = XCNEWVEC (uint64_t, e->n + 2), *base = XCNEWVEC (uint64_t, e->n + 2);
  if (analysis == &cab_loops)
    expect_loops (&rows, e, to);
  for (size_t i = 0; i < to && analysis != &cab_loops; i++)
    {
      uint64_t d = e->depth[i];
      uint64_t parent = e->form[i] == CAB_EV_CALL ? (d ? node[d - 1] : 0) : e->form[i] == CAB_EV_TAIL ? node[d] : base[d];
      node[d] = mix (parent, e->fn[i], e->site[i]);
      if (e->form[i] != CAB_EV_UNDER)
	base[d] = node[d];
      if (analysis == &cab_tree)
	add (&rows, node[d], 1);
      else if (analysis == &cab_methods)
	add (&rows, e->fn[i], 1);
      else if (analysis == &cab_calls)
	add (&rows, (uint64_t) e->site[i] << 32 | e->fn[i], 1);
      else
	add (&rows, (e->fn[i] - 1) * COUNTERS_PER_FN + 2 + e->path[i], 1);
    }
  free (node);
  free (base);
  tidy (&rows);
  return rows;
}

/* A thread's life: calls, returns of several frames at once, tail calls, calls back from below tail calls. */
static struct events
make_events (size_t n)
{
  struct events e = { n, XNEWVEC (uint32_t, n), XNEWVEC (uint32_t, n), XNEWVEC (uint32_t, n), XNEWVEC (uint8_t, n), XNEWVEC (uint64_t, n),
    XNEWVEC (uint8_t, n), XNEWVEC (uint64_t, n) };
  uint32_t frames = 0;
  for (size_t i = 0; i < n; i++)
    {
      uint64_t what = draw (10);
      e.form[i] = frames && what == 0 ? CAB_EV_TAIL : frames && what == 1 ? CAB_EV_UNDER : CAB_EV_CALL;
      uint32_t most = e.form[i] == CAB_EV_CALL ? frames : frames - 1;
      uint32_t left = draw (3) ? draw (3) : draw (most + 1);
      frames -= left < most ? left : most;
      frames += e.form[i] == CAB_EV_CALL;
      e.depth[i] = frames - 1;
      e.fn[i] = 1 + draw (N_FN);
      e.site[i] = draw (N_SITE);
      e.path[i] = draw (COUNTERS_PER_FN - 2);
      e.loop_form[i] = draw (2) ? CAB_LOOP_LEFT : draw (CAB_LOOP_ENTER + 1);
      e.count[i] = draw (UINT64_C (1) << draw (CAB_EV_LOOP_N_BITS + 1));
    }
  return e;
}

static void
free_events (struct events *e)
{
  free (e->fn);
  free (e->site);
  free (e->depth);
  free (e->form);
  free (e->path);
  free (e->loop_form);
  free (e->count);
}

static int
counters (void *host, uint32_t fn, uint64_t *first, uint32_t *n)
{
  (void) host;
  *first = (uint64_t) (fn - 1) * COUNTERS_PER_FN;
  *n = fn && fn <= N_FN ? COUNTERS_PER_FN : 0;
  return *n > 0;
}

static const struct cab_functions functions = { NULL, counters };

/* Event I as a row of a path batch: one execution, said in one of three ways. */
static uint64_t
path_row (const struct events *e, size_t i)
{
  static const uint64_t forms[] = { CAB_EV_PATH, CAB_EV_PATH_LAST, CAB_EV_RUN | UINT64_C (1) << CAB_EV_RUN_SHIFT };
  return (uint64_t) e->fn[i] << CAB_EV_FN_SHIFT | e->path[i] << CAB_EV_PATH_SHIFT | forms[(e->site[i] + i / 5000) % 3];
}

static void
feed (const struct cab_analysis *analysis, struct cab_arena *arena, const struct events *e, size_t from, size_t to)
{
  bool paths = analysis->kinds & 1u << CAB_EV_PATH, loops = analysis->kinds & 1u << CAB_EV_LOOP;
  while (from < to)
    {
      uint32_t n = to - from < CAB_BATCH_MAX ? to - from : CAB_BATCH_MAX;
      uint32_t *depth = XNEWVEC (uint32_t, n), *loop = XNEWVEC (uint32_t, n);
      uint64_t *path = XNEWVEC (uint64_t, n);
      int has_runs = 0;
      for (uint32_t i = 0; i < n; i++)
	{
	  depth[i] = e->depth[from + i] & CAB_EV_ID_MASK;
	  loop[i] = LOOP_OF (e->site[from + i]);
	  path[i] = path_row (e, from + i);
	  has_runs |= cab_ev_is_run (path[i]);
	}
      struct cab_batch batch = { .kind = paths ? CAB_EV_PATH : CAB_EV_CALL, .n = n, .fn = paths ? NULL : e->fn + from };
      batch.site = paths ? NULL : e->site + from;
      batch.depth = paths ? NULL : depth;
      batch.form = paths ? NULL : e->form + from;
      batch.path = paths ? path : NULL;
      batch.has_runs = paths && has_runs;
      if (loops)
	batch = (struct cab_batch) { .kind = CAB_EV_LOOP, .n = n, .fn = e->fn + from, .loop = loop, .form = e->loop_form + from,
				     .count = e->count + from };
      analysis->feed (arena, &batch, &functions, NULL);
      free (depth);
      free (loop);
      free (path);
      from += n;
    }
}

static bool
sound (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct cab_diag diag = { "" };
  if (analysis->check (arena, &diag) == 0)
    return true;
  printf ("%s\n", diag.text);
  return false;
}

/* Is ARENA what the first N events give? */
static bool
holds (const struct cab_analysis *analysis, const struct cab_arena *arena, const struct events *e, size_t n)
{
  struct rows got = rows_of (analysis, arena), want = expected (analysis, e, n);
  bool good = equal (&got, &want) && analysis->applied (arena) == n && analysis->lost (arena) == 0 && sound (analysis, arena);
  free (got.row);
  free (want.row);
  return good;
}

static void
test_feed (void)
{
  for (int round = 0; round < 40; round++)
    {
      struct events e = make_events (draw (6000));
      for (int a = 0; cab_analyses[a]; a++)
	{
	  struct cab_arena arena;
	  cab_heap_open (&arena, cab_analyses[a]);
	  CU_ASSERT (sound (cab_analyses[a], &arena));
	  for (size_t at = 0, to; at < e.n; at = to)
	    {
	      to = at + 1 + draw (e.n - at);
	      feed (cab_analyses[a], &arena, &e, at, to);
	    }
	  CU_ASSERT (holds (cab_analyses[a], &arena, &e, e.n));
	  cab_heap_fini (&arena);
	}
      free_events (&e);
    }
}

/* Rows that stand for many executions count as many, wherever in a batch they are. */
static void
test_runs (void)
{
  uint64_t fn = UINT64_C (2) << CAB_EV_FN_SHIFT, high = CAB_EV_RUN_HIGH | UINT64_C (3) << CAB_EV_RUN_SHIFT;
  uint64_t run = CAB_EV_RUN | UINT64_C (7) << CAB_EV_RUN_SHIFT, path = 1 << CAB_EV_PATH_SHIFT;
  uint64_t words[] = { fn | path | CAB_EV_PATH, fn | path | high, fn | path | run, fn | run, fn | path | CAB_EV_PATH_LAST };
  uint64_t times = (UINT64_C (3) << CAB_EV_RUN_BITS) + 7;
  struct cab_batch batch = { .kind = CAB_EV_PATH, .n = 5, .path = words, .has_runs = 1 };
  struct cab_arena arena;
  cab_heap_open (&arena, &cab_paths);
  CU_ASSERT_EQUAL (cab_batch_events (&batch), times + 7 + 2);
  cab_paths.feed (&arena, &batch, &functions, NULL);
  CU_ASSERT_EQUAL (cab_paths.applied (&arena), times + 7 + 2);
  CU_ASSERT_EQUAL (cab_paths.lost (&arena), 0);
  struct rows got = rows_of (&cab_paths, &arena), want = { 0 };
  add (&want, COUNTERS_PER_FN + 2, 7);
  add (&want, COUNTERS_PER_FN + 3, times + 2);
  CU_ASSERT (equal (&got, &want));
  free (got.row);
  free (want.row);
  cab_heap_fini (&arena);
}

/* Merging by idle maps: fn and site + 1, counters moved behind each other in the other order. */
struct maps
{
  uint32_t fn[N_FN + 1], site[N_SITE], n_counters[N_FN + 1];
  uint64_t from[N_FN + 1], to[N_FN + 1];
};

static struct cab_idmap
identity (struct maps *m)
{
  for (uint32_t i = 0; i <= N_FN; i++)
    {
      m->fn[i] = i;
      m->from[i] = m->to[i] = i ? (uint64_t) (i - 1) * COUNTERS_PER_FN : 0;
      m->n_counters[i] = i ? COUNTERS_PER_FN : 0;
    }
  for (uint32_t i = 0; i < N_SITE; i++)
    m->site[i] = i;
  return (struct cab_idmap) { m->fn, m->site, N_FN + 1, N_SITE, m->from, m->to, m->n_counters };
}

static void
merge_all (const struct cab_analysis *analysis, struct cab_arena *into, struct cab_arena *parts, const int *order, int n,
	   const struct cab_idmap *map)
{
  struct cab_diag diag;
  cab_heap_open (into, analysis);
  for (int i = 0; i < n; i++)
    CU_ASSERT_EQUAL (analysis->merge (into, &parts[order[i]], map, &diag), 0);
  CU_ASSERT (sound (analysis, into));
}

static void
check_merges (const struct cab_analysis *analysis, struct cab_arena *parts)
{
  static const int orders[][4] = { { 0, 1, 2, 3 }, { 3, 1, 0, 2 }, { 2, 3, 1, 0 } };
  struct maps maps;
  struct cab_idmap map = identity (&maps);
  struct rows first = { 0 };
  uint64_t applied = 0;
  for (int i = 0; i < 4; i++)
    applied += analysis->applied (&parts[i]);
  for (int o = 0; o < 3; o++)
    {
      struct cab_arena into, grouped, both[2];
      merge_all (analysis, &into, parts, orders[o], 4, o ? &map : NULL);
      merge_all (analysis, &both[0], parts, orders[o], 2, &map);
      merge_all (analysis, &both[1], parts, orders[o] + 2, 2, &map);
      merge_all (analysis, &grouped, both, (int[]) { 0, 1 }, 2, &map);
      struct rows rows = rows_of (analysis, &into), other = rows_of (analysis, &grouped);
      CU_ASSERT_EQUAL (analysis->applied (&into), applied);
      CU_ASSERT (equal (&rows, &other));
      if (o)
	CU_ASSERT (equal (&rows, &first));
      free (other.row);
      free (o ? rows.row : NULL);
      first = o ? first : rows;
      cab_heap_fini (&into);
      cab_heap_fini (&grouped);
      cab_heap_fini (&both[0]);
      cab_heap_fini (&both[1]);
    }
  free (first.row);
}

static void
test_merge (void)
{
  for (int round = 0; round < 10; round++)
    for (int a = 0; cab_analyses[a]; a++)
      {
	struct cab_arena parts[4];
	for (int i = 0; i < 4; i++)
	  {
	    struct events e = make_events (i == 2 ? 0 : draw (3000));
	    cab_heap_open (&parts[i], cab_analyses[a]);
	    feed (cab_analyses[a], &parts[i], &e, 0, e.n);
	    free_events (&e);
	  }
	check_merges (cab_analyses[a], parts);
	for (int i = 0; i < 4; i++)
	  cab_heap_fini (&parts[i]);
      }
}

/* A merge may rename: what maps to 0 or to nothing known is lost, and said to be. */
static void
test_merge_renames (void)
{
  struct maps maps;
  struct cab_idmap map = identity (&maps);
  struct cab_diag diag;
  for (uint32_t i = 1; i <= N_FN; i++)
    {
      maps.fn[i] = N_FN + 1 - i;
      maps.to[i] = (uint64_t) (N_FN - i) * COUNTERS_PER_FN;
    }
  struct events e = make_events (3000), renamed = make_events (3000);
  for (size_t i = 0; i < e.n; i++)
    {
      renamed.fn[i] = N_FN + 1 - e.fn[i];
      renamed.site[i] = e.site[i];
      renamed.depth[i] = e.depth[i];
      renamed.form[i] = e.form[i];
      renamed.path[i] = e.path[i];
      renamed.loop_form[i] = e.loop_form[i];
      renamed.count[i] = e.count[i];
    }
  for (int a = 0; cab_analyses[a]; a++)
    {
      struct cab_arena from, into;
      cab_heap_open (&from, cab_analyses[a]);
      cab_heap_open (&into, cab_analyses[a]);
      feed (cab_analyses[a], &from, &e, 0, e.n);
      CU_ASSERT_EQUAL (cab_analyses[a]->merge (&into, &from, &map, &diag), 0);
      CU_ASSERT (holds (cab_analyses[a], &into, &renamed, e.n));
      map.n_fn = 1;
      CU_ASSERT_EQUAL (cab_analyses[a]->merge (&into, &from, &map, &diag), 0);
      map.n_fn = N_FN + 1;
      CU_ASSERT_EQUAL (cab_analyses[a]->lost (&into), e.n);
      CU_ASSERT_EQUAL (cab_analyses[a]->applied (&into), e.n);
      cab_heap_fini (&from);
      cab_heap_fini (&into);
    }
  free_events (&e);
  free_events (&renamed);
}

/* A chain of 1,200,000 frames, which is more than a depth field can say, and back by longjmp. */
static void
test_deep (void)
{
  enum { DEPTH = 1200000 };
  struct events e = make_events (DEPTH + 3);
  for (uint32_t i = 0; i < DEPTH; i++)
    {
      e.depth[i] = i;
      e.form[i] = CAB_EV_CALL;
    }
  static const uint32_t back[] = { DEPTH - 1, DEPTH - 1000000, 100000 };
  for (uint32_t i = 0; i < 3; i++)
    {
      e.depth[DEPTH + i] = back[i];
      e.form[DEPTH + i] = CAB_EV_CALL;
    }
  struct cab_arena arena;
  cab_heap_open (&arena, &cab_tree);
  feed (&cab_tree, &arena, &e, 0, e.n);
  CU_ASSERT (holds (&cab_tree, &arena, &e, e.n));
  cab_heap_fini (&arena);
  free_events (&e);
}

/* Frames whose events were dropped stand for their nearest known caller. */
static void
test_gap (void)
{
  static const uint32_t fn[] = { 1, 2, 3, 4 }, site[] = { 0, 1, 2, 3 }, depth[] = { 0, 3, 4, 2 };
  static const uint8_t form[] = { CAB_EV_CALL, CAB_EV_CALL, CAB_EV_CALL, CAB_EV_CALL };
  struct cab_batch batch = { .kind = CAB_EV_CALL, .n = 4, .fn = fn, .site = site, .depth = depth, .form = form };
  struct cab_arena arena;
  cab_heap_open (&arena, &cab_tree);
  cab_tree.feed (&arena, &batch, NULL, NULL);
  CU_ASSERT_EQUAL_FATAL (cab_tree_n (&arena), 5);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 2)->parent, 1);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 3)->parent, 2);
  CU_ASSERT_EQUAL (cab_tree_at (&arena, 4)->parent, 1);
  cab_heap_fini (&arena);
}

static int
refuse_growth (struct cab_arena *arena, size_t cap)
{
  (void) arena, (void) cap;
  return -1;
}

/* An arena that cannot grow: every event is either held or counted as lost. */
static void
test_no_room (void)
{
  struct events e = make_events (20000);
  for (size_t i = 0; i < e.n; i++)
    e.site[i] = draw (CAB_EV_ID_MAX);
  for (int a = 0; cab_analyses[a]; a++)
    for (int slack = 0; slack < 3; slack++)
      {
	struct cab_arena arena;
	cab_heap_open (&arena, cab_analyses[a]);
	arena.grow = refuse_growth;
	arena.cap = slack == 0 ? arena.used : slack == 1 ? arena.cap / 3 : arena.cap;
	feed (cab_analyses[a], &arena, &e, 0, e.n);
	CU_ASSERT_EQUAL (cab_analyses[a]->applied (&arena) + cab_analyses[a]->lost (&arena), e.n);
	CU_ASSERT (sound (cab_analyses[a], &arena));
	cab_heap_fini (&arena);
      }
  free_events (&e);
}

/* Bytes from a file: check refuses them, or they can be read, merged and fed without harm. */
static void
test_mangled (void)
{
  struct events e = make_events (3000);
  for (int round = 0; round < 600; round++)
    for (int a = 0; cab_analyses[a]; a++)
      {
	struct cab_arena arena, into;
	struct cab_diag diag = { "" };
	cab_heap_open (&arena, cab_analyses[a]);
	feed (cab_analyses[a], &arena, &e, 0, 300);
	size_t used = round % 3 ? arena.used : draw (arena.used + 1);
	unsigned char *copy = xmalloc (used + 1);
	memcpy (copy, arena.base, used);
	for (uint64_t n = draw (6); used && n > 0; n--)
	  copy[draw (draw (2) ? used : used < 128 ? used : 128)] = draw (2) ? draw (256) : 255;
	cab_heap_fini (&arena);
	cab_heap_adopt (&arena, copy, used, used);
	if (cab_analyses[a]->check (&arena, &diag) == 0)
	  {
	    struct rows rows = rows_of (cab_analyses[a], &arena);
	    free (rows.row);
	    cab_analyses[a]->applied (&arena);
	    cab_heap_open (&into, cab_analyses[a]);
	    cab_analyses[a]->merge (&into, &arena, NULL, &diag);
	    CU_ASSERT (sound (cab_analyses[a], &into));
	    cab_heap_fini (&into);
	    feed (cab_analyses[a], &arena, &e, 300, 600);
	    CU_ASSERT (sound (cab_analyses[a], &arena));
	  }
	else
	  CU_ASSERT (strstr (diag.text, cab_analyses[a]->name) != NULL);
	cab_heap_fini (&arena);
      }
  free_events (&e);
}

/* What a process that is killed leaves: its arena in shared memory, and how much of it counts. */
#define SHARED_BYTES (16u << 20)

struct shared
{
  uint64_t used;
  unsigned char bytes[SHARED_BYTES] __attribute__ ((aligned (64)));
};

static int
grow_shared (struct cab_arena *arena, size_t cap)
{
  if (cap > SHARED_BYTES)
    return -1;
  arena->cap = cap;
  return 0;
}

static void
publish_shared (struct cab_arena *arena)
{
  ((struct shared *) arena->host)->used = arena->used;
}

/* Whatever is left by then passes check, says exactly how much it holds, and goes on from there. */
static bool
goes_on (const struct cab_analysis *analysis, const struct shared *shared, const struct events *e)
{
  struct cab_arena arena;
  size_t cap = shared->used > analysis->arena_bytes ? shared->used : analysis->arena_bytes;
  unsigned char *copy = XCNEWVEC (unsigned char, cap);
  memcpy (copy, shared->bytes, shared->used);
  cab_heap_adopt (&arena, copy, cap, shared->used);
  bool good = sound (analysis, &arena);
  uint64_t applied = good ? analysis->applied (&arena) : 0;
  good = good && applied <= e->n && holds (analysis, &arena, e, applied);
  if (good)
    {
      feed (analysis, &arena, e, applied, e->n);
      good = holds (analysis, &arena, e, e->n);
    }
  cab_heap_fini (&arena);
  return good;
}

/* In the child: open if there is nothing yet, feed [FROM, e->n) under the parent's eyes. */
static void
feed_traced (const struct cab_analysis *analysis, struct shared *shared, const struct events *e, size_t from)
{
  struct cab_diag diag;
  size_t cap = shared->used > analysis->arena_bytes ? shared->used : analysis->arena_bytes;
  struct cab_arena arena = { shared->bytes, shared->used, cap, grow_shared, publish_shared, shared };
  ptrace (PTRACE_TRACEME, 0, NULL, NULL);
  raise (SIGSTOP);
  if (!shared->used)
    analysis->open (&arena, "", &diag);
  feed (analysis, &arena, e, from, e->n);
  _exit (0);
}

/* The child, stopped behind each of its instructions: is what it would leave good?  States that are as before are not looked at again. */
static bool
step_through (const struct cab_analysis *analysis, struct shared *shared, const struct events *e, size_t from)
{
  struct shared *last = XCNEW (struct shared);
  bool good = true;
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    feed_traced (analysis, shared, e, from);
  waitpid (pid, &status, 0);
  while (good && WIFSTOPPED (status))
    {
      if (last->used != shared->used || memcmp (last->bytes, shared->bytes, shared->used))
	{
	  good = goes_on (analysis, shared, e);
	  memcpy (last, shared, offsetof (struct shared, bytes) + shared->used);
	}
      if (ptrace (PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 || waitpid (pid, &status, 0) < 0)
	break;
    }
  kill (pid, SIGKILL);
  waitpid (pid, &status, 0);
  free (last);
  return good;
}

/* Events of which the first FROM are fed before anybody watches. */
static void
check_killed (const struct cab_analysis *analysis, size_t n, size_t from)
{
  struct shared *shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  struct events e = make_events (n);
  struct cab_arena arena = { shared->bytes, 0, analysis->arena_bytes, grow_shared, publish_shared, shared };
  CU_ASSERT_FATAL (shared != MAP_FAILED);
  if (from)
    {
      struct cab_diag diag;
      analysis->open (&arena, "", &diag);
      feed (analysis, &arena, &e, 0, from);
      shared->used = arena.used;
    }
  bool good = step_through (analysis, shared, &e, from);
  if (!good)
    printf ("%s: %zu events, the first %zu unwatched\n", analysis->name, n, from);
  CU_ASSERT (good);
  free_events (&e);
  munmap (shared, sizeof *shared);
}

static void
test_killed (void)
{
  for (int round = 0; round < 2; round++)
    for (int a = 0; cab_analyses[a]; a++)
      check_killed (cab_analyses[a], 10, round ? draw (9) : 0);
}

static size_t
n_places (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct cab_calls_row call;
  struct cab_loops_row loop;
  size_t n = 0;
  for (uint64_t cursor = 0; analysis == &cab_calls && cab_calls_next (arena, &cursor, &call);)
    n++;
  for (uint64_t cursor = 0; analysis == &cab_loops && cab_loops_next (arena, &cursor, &loop);)
    n++;
  return n;
}

/* The first FROM events fill as many PLACES as the table takes before it moves. */
static void
check_killed_while_growing (const struct cab_analysis *analysis, size_t places)
{
  uint64_t start = seed;
  size_t from = 0;
  struct events e = make_events (6000);
  struct cab_arena arena;
  cab_heap_open (&arena, analysis);
  while (n_places (analysis, &arena) < places && from < e.n)
    {
      feed (analysis, &arena, &e, from, from + 1);
      from++;
    }
  cab_heap_fini (&arena);
  free_events (&e);
  seed = start;
  check_killed (analysis, from + 4, from);
}

/* Not of the tree: its tables move in the same way (space.h), in five times as many instructions. */
static void
test_killed_while_growing (void)
{
  check_killed_while_growing (&cab_calls, 512);
  check_killed_while_growing (&cab_loops, 64);
}

static void
test_registry (void)
{
  for (int a = 0; cab_analyses[a]; a++)
    CU_ASSERT_PTR_EQUAL (cab_analysis_find (cab_analyses[a]->name), cab_analyses[a]);
  CU_ASSERT_PTR_NULL (cab_analysis_find ("no such"));
}

static void
test_arguments (void)
{
  for (int a = 0; cab_analyses[a]; a++)
    {
      struct cab_diag diag = { "" };
      struct cab_arena arena;
      cab_heap_open (&arena, cab_analyses[a]);
      CU_ASSERT (cab_analyses[a]->open (&arena, "key=value", &diag) < 0);
      CU_ASSERT (strstr (diag.text, "takes no arguments") != NULL);
      cab_heap_fini (&arena);
    }
}

int
main (int argc, char **argv)
{
  uint64_t first = argc > 1 ? strtoull (argv[1], NULL, 10) : (uint64_t) time (NULL);
  seed = first;
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("analyses", NULL, NULL);
  CU_add_test (suite, "registry", test_registry);
  CU_add_test (suite, "arguments", test_arguments);
  CU_add_test (suite, "feed, split anywhere", test_feed);
  CU_add_test (suite, "rows of many executions", test_runs);
  CU_add_test (suite, "merge", test_merge);
  CU_add_test (suite, "merge that renames", test_merge_renames);
  CU_add_test (suite, "deep stack", test_deep);
  CU_add_test (suite, "dropped frames", test_gap);
  CU_add_test (suite, "no room", test_no_room);
  CU_add_test (suite, "mangled states", test_mangled);
  CU_add_test (suite, "killed at any instruction", test_killed);
  CU_add_test (suite, "killed while a table grows", test_killed_while_growing);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  if (failed)
    printf ("seed %lu\n", (unsigned long) first);
  CU_cleanup_registry ();
  return failed != 0;
}
