/* test_analyses.c - all analyses of the registry obey the laws of analysis.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "testsuite/unit/analysis_events.h"
#include "testsuite/unit/state_rows.h"
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_blocks.h"
#include "analyses/live/an_contexts.h"
#include "analyses/live/an_loops.h"
#include "analyses/wire/keyed.h"
#include "analyses/live/an_paths.h"
#include "analyses/live/an_sharing.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/deps/an_deps.h"

/* The tests feed each analysis, and can tell what it has counted. */
static void
test_known (void)
{
  struct events e = make_events (3000);
  for (int a = 0; cab_analyses[a]; a++)
    {
      struct cab_arena arena;
      open_arena (&arena, cab_analyses[a]);
      feed (cab_analyses[a], &arena, &e, 0, e.n);
      struct rows rows = rows_of (cab_analyses[a], &arena);
      bool known = !only_reported (cab_analyses[a]) || cab_analyses[a]->report;
      if (!known)
	printf ("%s: give it a `report', or a function and a model in testsuite/unit "
		"(state_rows.c, analysis_rows.c)\n",
		cab_analyses[a]->name);
      else if (!rows.n)
	printf ("%s: of 3000 events it has no row: feed it in testsuite/unit/analysis_events.c\n",
		cab_analyses[a]->name);
      CU_ASSERT (known && rows.n > 0);
      free (rows.row);
      cab_heap_fini (&arena);
    }
  free_events (&e);
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
	  open_arena (&arena, cab_analyses[a]);
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
  uint64_t fn = UINT64_C (2) << CAB_EV_FN_SHIFT,
	   high = CAB_EV_RUN_HIGH | UINT64_C (3) << CAB_EV_RUN_SHIFT;
  uint64_t run = CAB_EV_RUN | UINT64_C (7) << CAB_EV_RUN_SHIFT, path = 1 << CAB_EV_PATH_SHIFT;
  uint64_t words[] = { fn | path | CAB_EV_PATH, fn | path | high, fn | path | run, fn | run,
		       fn | path | CAB_EV_PATH_LAST };
  uint64_t times = (UINT64_C (3) << CAB_EV_RUN_BITS) + 7;
  struct cab_batch batch = { .kind = CAB_EV_PATH, .n = 5, .events = words, .has_runs = 1 };
  struct cab_arena arena;
  open_arena (&arena, &cab_paths);
  CU_ASSERT_EQUAL (cab_batch_events (&batch), times + 7 + 2);
  cab_paths.feed (&arena, &batch, &functions);
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

/* Regions come as shapes, between accesses as rows of the same sites. */
static void
test_shapes (void)
{
  for (int round = 0; round < 30; round++)
    {
      struct events shapes = make_events (1 + draw (4000)), rows = make_events (draw (500));
      struct cab_arena arena, alone, both, small;
      struct cab_diag diag;
      make_shapes (&shapes, round % 3 ? 1000 : 1);
      cab_heap_open (&arena, &cab_accesses);
      cab_heap_open (&alone, &cab_accesses);
      cab_heap_open (&both, &cab_accesses);
      cab_heap_open (&small, &cab_accesses);
      for (size_t at = 0, to; at < shapes.n; at = to)
	{
	  to = at + 1 + draw (shapes.n - at);
	  feed (&cab_accesses, &arena, &shapes, at, to);
	}
      CU_ASSERT (holds (&cab_accesses, &arena, &shapes, shapes.n));
      feed (&cab_accesses, &alone, &rows, 0, rows.n);
      CU_ASSERT_EQUAL (cab_accesses.merge (&both, &arena, NULL, &diag), 0);
      CU_ASSERT (holds (&cab_accesses, &both, &shapes, shapes.n));
      CU_ASSERT_EQUAL (cab_accesses.merge (&both, &alone, NULL, &diag), 0);
      feed (&cab_accesses, &arena, &rows, 0, rows.n);
      struct rows got = rows_of (&cab_accesses, &arena), want = rows_of (&cab_accesses, &both);
      CU_ASSERT (equal (&got, &want) && sound (&cab_accesses, &arena));
      CU_ASSERT_EQUAL (cab_accesses.applied (&arena),
		       events_in (&cab_accesses, &shapes, shapes.n) + rows.n);
      small.grow = NULL;
      small.cap = round % 2 ? small.used : 2200;
      feed (&cab_accesses, &small, &shapes, 0, shapes.n);
      CU_ASSERT_EQUAL (cab_accesses.applied (&small) + cab_accesses.lost (&small),
		       events_in (&cab_accesses, &shapes, shapes.n));
      cab_heap_fini (&arena);
      cab_heap_fini (&alone);
      cab_heap_fini (&both);
      cab_heap_fini (&small);
      free (got.row);
      free (want.row);
      free_events (&shapes);
      free_events (&rows);
    }
}

/* Merge by simple maps: fn and site + 1, counters moved after each other in the other order. */
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
  return (struct cab_idmap) { m->fn,	     m->site, N_FN + 1, N_SITE, m->from, m->to,
			      m->n_counters, m->site, N_SITE,	NULL,	0,	 0 };
}

static void
merge_all (const struct cab_analysis *analysis, struct cab_arena *into, struct cab_arena *parts,
	   const int *order, int n, const struct cab_idmap *map)
{
  struct cab_diag diag;
  open_arena (into, analysis);
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
	    open_arena (&parts[i], cab_analyses[a]);
	    feed (cab_analyses[a], &parts[i], &e, 0, e.n);
	    free_events (&e);
	  }
	check_merges (cab_analyses[a], parts);
	for (int i = 0; i < 4; i++)
	  cab_heap_fini (&parts[i]);
      }
}

/* Another thread's events after those of one that has ended give what the two give separately. */
static void
test_threads (void)
{
  for (int round = 0; round < 40; round++)
    for (int a = 0; cab_analyses[a]; a++)
      {
	const struct cab_analysis *analysis = cab_analyses[a];
	struct cab_arena both, one, other, sum;
	struct cab_diag diag;
	struct events e = make_events (draw (3000)), f = make_events (draw (3000));
	open_arena (&both, analysis);
	open_arena (&one, analysis);
	open_arena (&other, analysis);
	open_arena (&sum, analysis);
	feed (analysis, &both, &e, 0, e.n);
	feed (analysis, &one, &e, 0, e.n);
	feeding_thread = 1;
	for (int i = 0; analysis->begin_thread && i < 2; i++)
	  analysis->begin_thread (i ? &one : &both, 1);
	CU_ASSERT (sound (analysis, &both));
	CU_ASSERT_EQUAL (analysis->applied (&both) + analysis->lost (&both), e.n);
	feed (analysis, &both, &f, 0, f.n);
	feed (analysis, &other, &f, 0, f.n);
	feeding_thread = 0;
	CU_ASSERT_EQUAL (analysis->merge (&sum, &one, NULL, &diag), 0);
	CU_ASSERT_EQUAL (analysis->merge (&sum, &other, NULL, &diag), 0);
	struct rows got = rows_without_peaks (analysis, &both),
		    want = rows_without_peaks (analysis, &sum);
	if (!equal (&got, &want))
	  printf ("%s: two threads in a row are not the two\n", analysis->name);
	CU_ASSERT (equal (&got, &want) && sound (analysis, &both));
	free (got.row);
	free (want.row);
	free_events (&e);
	free_events (&f);
	cab_heap_fini (&both);
	cab_heap_fini (&one);
	cab_heap_fini (&other);
	cab_heap_fini (&sum);
      }
}

/* Return the rows of ARENA by which regions and the whole are compared: of several allocations that
   made the memory of one row of `sharing', a merge keeps any. */
static struct rows
rows_in_all (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct cab_sharing_row row;
  struct rows rows = { 0 };
  if (analysis != &cab_sharing)
    return rows_of (analysis, arena);
  for (uint64_t cursor = 0; cab_sharing_next (arena, &cursor, &row);)
    {
      row.allocation = 0;
      add_sharing (&rows, &row);
    }
  tidy (&rows);
  return rows;
}

/* States of several regions, which a thread goes to and fro between, together give what one gives.
   Not tried: `values', where the values that leave a table depend on the others in it; and `loops',
   where the events of the end of one execution are in one region in any program. */
static void
test_regions (void)
{
  enum { SETS = 3 };
  for (int round = 0; round < 40; round++)
    for (int a = 0; cab_analyses[a]; a++)
      {
	const struct cab_analysis *analysis = cab_analyses[a];
	if (!analysis->carry || analysis == &cab_values || analysis == &cab_loops)
	  continue;
	struct cab_arena whole, sum, state[SETS];
	struct cab_diag diag;
	struct events e = make_events (draw (3000));
	open_arena (&whole, analysis);
	open_arena (&sum, analysis);
	for (int i = 0; i < SETS; i++)
	  open_arena (&state[i], analysis);
	feed (analysis, &whole, &e, 0, e.n);
	size_t at = 0, to;
	for (int i = 0, next; at < e.n; at = to, i = next)
	  {
	    to = at + 1 + draw (draw (2) ? 20 : e.n - at);
	    to = to < e.n ? to : e.n;
	    feed (analysis, &state[i], &e, at, to);
	    next = (i + 1 + draw (SETS - 1)) % SETS;
	    uint64_t before = analysis->applied (&state[next]);
	    analysis->carry (&state[next], &state[i], 0);
	    CU_ASSERT (sound (analysis, &state[next]));
	    CU_ASSERT_EQUAL (analysis->applied (&state[next]), before);
	  }
	for (int i = 0; i < SETS; i++)
	  CU_ASSERT_EQUAL (analysis == &cab_blocks
			   ? cab_blocks_unite (&sum, &state[i], &diag)
			   : analysis->merge (&sum, &state[i], NULL, &diag),
			   0);
	struct rows got = rows_in_all (analysis, &sum), want = rows_in_all (analysis, &whole);
	if (!equal (&got, &want))
	  printf ("%s: regions together are not the whole\n", analysis->name);
	CU_ASSERT (equal (&got, &want));
	CU_ASSERT_EQUAL (analysis->applied (&sum), analysis->applied (&whole));
	free (got.row);
	free (want.row);
	free_events (&e);
	for (int i = 0; i < SETS; i++)
	  cab_heap_fini (&state[i]);
	cab_heap_fini (&sum);
	cab_heap_fini (&whole);
      }
}

/* A region's tree goes on where the one before stood, also with a node that had another place when
   it was made: 2 is called by 1 at first, and then takes its place. */
static void
test_place_of_region (void)
{
  const uint64_t before[] = { cab_ev_call (CAB_EV_CALL, 0, 1, 1),
			      cab_ev_call (CAB_EV_CALL, 1, 2, 2),
			      cab_ev_call (CAB_EV_TAIL, 0, 2, 2) },
		 after[] = { cab_ev_call (CAB_EV_CALL, 1, 3, 3) };
  struct cab_batch batch = { .kind = CAB_EV_CALL, .n = 3, .events = before };
  struct cab_arena state[2];
  for (int i = 0; i < 2; i++)
    open_arena (&state[i], &cab_tree);
  cab_tree.feed (&state[0], &batch, &functions);
  cab_tree.carry (&state[1], &state[0], 0);
  batch.n = 1;
  batch.events = after;
  cab_tree.feed (&state[1], &batch, &functions);
  const struct cab_tree_node *node = cab_tree_at (&state[1], cab_tree_top (&state[1]));
  CU_ASSERT_EQUAL (node->callee, 3);
  CU_ASSERT_EQUAL (cab_tree_at (&state[1], node->parent)->callee, 2);
  for (int i = 0; i < 2; i++)
    cab_heap_fini (&state[i]);
}

/* Give RENAMED what E has, but other functions. */
static void
rename_functions (struct events *renamed, const struct events *e)
{
  for (size_t i = 0; i < e->n; i++)
    {
      renamed->fn[i] = N_FN + 1 - e->fn[i];
      renamed->site[i] = e->site[i];
      renamed->depth[i] = e->depth[i];
      renamed->form[i] = e->form[i];
      renamed->path[i] = e->path[i];
      renamed->loop_form[i] = e->loop_form[i];
      renamed->count[i] = e->count[i];
      renamed->access_form[i] = e->access_form[i];
      renamed->address[i] = e->address[i];
      renamed->other[i] = e->other[i];
      renamed->bytes[i] = e->bytes[i];
      renamed->value[i] = e->value[i];
      renamed->value_type[i] = e->value_type[i];
    }
}

/* A merge may rename: what maps to 0 or to nothing known is lost, and counted as lost. */
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
  rename_functions (&renamed, &e);
  for (int a = 0; cab_analyses[a]; a++)
    {
      struct cab_arena from, into;
      open_arena (&from, cab_analyses[a]);
      open_arena (&into, cab_analyses[a]);
      feed (cab_analyses[a], &from, &e, 0, e.n);
      CU_ASSERT_EQUAL (cab_analyses[a]->merge (&into, &from, &map, &diag), 0);
      CU_ASSERT (holds (cab_analyses[a], &into, &renamed, e.n));
      map.n_fn = map.n_access = 1;
      CU_ASSERT_EQUAL (cab_analyses[a]->merge (&into, &from, &map, &diag), 0);
      map.n_fn = N_FN + 1;
      map.n_access = N_SITE;
      CU_ASSERT_EQUAL (cab_analyses[a]->lost (&into) + cab_analyses[a]->applied (&into), 2 * e.n);
      /* One that is known by its report alone may have no numbers to lose. */
      if (only_reported (cab_analyses[a]))
	{
	  CU_ASSERT (sound (cab_analyses[a], &into));
	}
      else if (cab_analyses[a] == &cab_sharing || cab_analyses[a] == &cab_samples
	       || cab_analyses[a] == &cab_deps || cab_analyses[a] == &cab_levels)
	{
	  /* Of an unknown access one analysis keeps the bytes, one what depends on it; the others
	     have no numbers. */
	  CU_ASSERT_EQUAL (cab_analyses[a]->lost (&into), 0);
	}
      else if (cab_analyses[a]->kinds & (1u << CAB_EV_ACCESS | 1u << CAB_EV_VALUE))
	{
	  /* An access that hit no block has no name to lose. */
	  CU_ASSERT (cab_analyses[a]->lost (&into) > 0);
	}
      else
	{
	  CU_ASSERT_EQUAL (cab_analyses[a]->lost (&into), e.n);
	}
      cab_heap_fini (&from);
      cab_heap_fini (&into);
    }
  free_events (&e);
  free_events (&renamed);
}

/* Of memory that is not a thread's own, the first addresses have rows of their own, further ones
   rows by line; no access is lost. */
static void
test_sharing_first (void)
{
  enum { MORE = 640, N = CAB_SHARING_FIRST + MORE };
  struct events e = make_events (N);
  struct cab_arena arena;
  struct cab_sharing_row row;
  uint32_t first = 0, by_line = 0;
  for (uint32_t i = 0; i < N; i++)
    {
      e.access_form[i] = CAB_ROW_WRITE;
      e.address[i] = 4096 + 4 * i;
      e.bytes[i] = 4;
      e.site[i] = 1;
    }
  open_arena (&arena, &cab_sharing);
  for (int round = 1; round <= 2; round++)
    {
      feed (&cab_sharing, &arena, &e, 0, N);
      first = by_line = 0;
      for (uint64_t cursor = 0; cab_sharing_next (&arena, &cursor, &row);)
	{
	  first += !row.by_line && row.written == UINT64_C (15) << row.address % 64
		&& row.writes == (unsigned) round;
	  by_line += row.by_line && row.written == UINT64_MAX && row.address % 64 == 0
		  && row.writes == 16 * (unsigned) round;
	}
      CU_ASSERT_EQUAL (first, CAB_SHARING_FIRST);
      CU_ASSERT_EQUAL (by_line, MORE / 16);
      CU_ASSERT_EQUAL (cab_sharing.applied (&arena), (unsigned) round * N);
    }
  cab_heap_fini (&arena);
  free_events (&e);
}

static int
refuse_growth (struct cab_arena *arena, size_t cap)
{
  (void) arena, (void) cap;
  return -1;
}

/* In an arena that cannot grow, every event is either held or counted as lost. */
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
	open_arena (&arena, cab_analyses[a]);
	arena.grow = refuse_growth;
	arena.cap = slack == 0 ? arena.used : slack == 1 ? arena.cap / 3 : arena.cap;
	feed (cab_analyses[a], &arena, &e, 0, e.n);
	CU_ASSERT_EQUAL (cab_analyses[a]->applied (&arena) + cab_analyses[a]->lost (&arena), e.n);
	CU_ASSERT (sound (cab_analyses[a], &arena));
	cab_heap_fini (&arena);
      }
  free_events (&e);
}

/* Bytes from a file are refused by check, or can be read, merged and fed without harm. */
static void
test_mangled (void)
{
  struct events e = make_events (3000), shapes = make_events (300);
  make_shapes (&shapes, 3);
  for (int round = 0; round < 600; round++)
    for (int a = 0; cab_analyses[a]; a++)
      {
	struct cab_arena arena, into;
	struct cab_diag diag = { "" };
	open_arena (&arena, cab_analyses[a]);
	feed (cab_analyses[a], &arena, round % 2 ? &shapes : &e, 0, 300);
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
	    open_arena (&into, cab_analyses[a]);
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
  free_events (&shapes);
  free_events (&e);
}

static void
test_registry (void)
{
  for (int a = 0; cab_analyses[a]; a++)
    {
      CU_ASSERT_PTR_EQUAL (cab_analysis_find (cab_analyses[a]->name), cab_analyses[a]);
      CU_ASSERT (cab_analyses[a]->shard == CAB_SHARD_THREAD
		 || !cab_keyed_wrong (cab_analyses[a]));
    }
  CU_ASSERT_PTR_NULL (cab_analysis_find ("no such"));
}

static void
test_arguments (void)
{
  for (int a = 0; cab_analyses[a]; a++)
    {
      struct cab_diag diag = { "" };
      struct cab_arena arena;
      /* For an analysis with arguments the host checks the keys. */
      if (cab_analyses[a]->options)
	continue;
      cab_heap_open (&arena, cab_analyses[a]);
      CU_ASSERT (cab_analyses[a]->open (&arena, "key=value", &diag) < 0);
      CU_ASSERT (strstr (diag.text, "takes no arguments") != NULL);
      cab_heap_fini (&arena);
    }
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "registry", test_registry },
    { "arguments", test_arguments },
    { "all are known", test_known },
    { "feed, split anywhere", test_feed },
    { "rows of many executions", test_runs },
    { "shapes", test_shapes },
    { "merge", test_merge },
    { "merge that renames", test_merge_renames },
    { "threads in turn", test_threads },
    { "regions", test_regions },
    { "place of a region", test_place_of_region },
    { "rows of sharing", test_sharing_first },
    { "no room", test_no_room },
    { "mangled states", test_mangled },
    CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "analyses", tests);
}
