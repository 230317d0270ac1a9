/* analysis_rows.c - the rows that events must give: a short model of each analysis.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "testsuite/unit/state_rows.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/cache_arguments.h"
#include "analyses/base/heap.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_blocks.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_contexts.h"
#include "analyses/live/join/an_join.h"
#include "analyses/live/an_loops.h"
#include "analyses/live/an_methods.h"
#include "analyses/live/an_paths.h"
#include "analyses/live/an_reuse.h"
#include "analyses/live/an_sharing.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/an_values.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/cache/an_offenders.h"
#include "analyses/live/deps/an_deps.h"
#include "analyses/live/timeline/an_timeline.h"
#include "testsuite/unit/deps_rows.h"
#include "testsuite/unit/simulated.h"

/* Add what loop events [0, TO) must give. */
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

/* A block as the tests keep it: in a list, the youngest last. */
struct live
{
  uint64_t start, end, bytes, site;
};

static void
end_live (struct live *live, size_t *n, size_t i, struct cab_blocks_sums *sums)
{
  sums[live[i].site].live -= live[i].bytes;
  memmove (&live[i], &live[i + 1], (--*n - i) * sizeof *live);
}

static void
release_live (struct live *live, size_t *n, uint64_t start, struct cab_blocks_sums *sums)
{
  size_t i = 0;
  while (i < *n && live[i].start != start)
    i++;
  if (i == *n)
    return;
  struct live gone = live[i];
  sums[gone.site].released++;
  for (i = *n; i-- > 0;)
    if (live[i].start >= start && live[i].start < gone.end)
      end_live (live, n, i, sums);
}

static void
allocate_live (struct live *live, size_t *n, struct live new, struct cab_blocks_sums *sums)
{
  struct cab_blocks_sums *s = &sums[new.site];
  for (size_t i = *n; i-- > 0;)
    if ((live[i].start >= new.start && live[i].start < new.end)
	|| (live[i].start < new.start && live[i].end > new.start && live[i].end < new.end))
      end_live (live, n, i, sums);
  live[(*n)++] = new;
  s->blocks++;
  s->bytes += new.bytes;
  s->live += new.bytes;
  s->peak = s->live > s->peak ? s->live : s->peak;
}

/* Return the block that ADDRESS is in, or null. */
static const struct live *
live_at (const struct live *live, size_t n, uint64_t address)
{
  const struct live *in = NULL;
  for (size_t i = 0; i < n; i++)
    if (live[i].start <= address && address < live[i].end && (!in || live[i].start > in->start))
      in = &live[i];
  return in;
}

/* Apply allocation or release I, by SITE. */
static void
live_event (struct live *live, size_t *n, const struct events *e, size_t i, uint64_t site,
	    struct cab_blocks_sums *sums)
{
  uint64_t start = e->address[i], bytes = e->bytes[i];
  unsigned form = e->access_form[i];
  if (form == CAB_ROW_RELEASED)
    release_live (live, n, start, sums);
  else if (form == CAB_ROW_MOVED && (start || !bytes))
    release_live (live, n, e->other[i], sums);
  if (form != CAB_ROW_RELEASED && start)
    allocate_live (live, n, (struct live) { start, start + (bytes ? bytes : 1), bytes, site },
		   sums);
}

static void
access_live (const struct live *live, size_t n, uint64_t address, unsigned form,
	     struct cab_blocks_sums *sums)
{
  const struct live *in = live_at (live, n, address);
  struct cab_blocks_sums *s = &sums[in ? in->site : 0];
  ++*((form & 3) == 3 ? &s->updates : form & CAB_ROW_WRITE ? &s->writes : &s->reads);
}

/* Return the index of the sums of SITE in context NODE, of N_NODES, the depths of the tests; a site
   without a record has no context. */
static uint64_t
origin (uint32_t site, uint32_t node, uint32_t n_nodes)
{
  return site ? (uint64_t) site * n_nodes + node : 0;
}

/* Return what accesses and allocations [0, TO) must give, with contexts (N_NODES of them) or
   without (1). */
static struct cab_blocks_sums *
sum_blocks (const struct events *e, size_t to, uint32_t n_nodes)
{
  struct cab_blocks_sums *sums = XCNEWVEC (struct cab_blocks_sums, N_SITE * n_nodes);
  struct live *live = XNEWVEC (struct live, to + 1);
  size_t n = 0;
  for (size_t i = 0; i < to; i++)
    {
      uint64_t at = origin (e->site[i], n_nodes > 1 ? e->depth[i] : 0, n_nodes);
      if (!(e->access_form[i] & CAB_ROW_MOVED))
	{
	  access_live (live, n, e->address[i], e->access_form[i], sums);
	  continue;
	}
      sums[at].events++;
      live_event (live, &n, e, i, at, sums);
    }
  free (live);
  return sums;
}

/* Add the rows by context, and what lived at once in all contexts. */
static void
expect_blocks (struct rows *rows, const struct events *e, size_t to)
{
  uint32_t n_nodes = 2;
  for (size_t i = 0; i < to; i++)
    n_nodes = e->depth[i] >= n_nodes ? e->depth[i] + 1 : n_nodes;
  struct cab_blocks_sums *sums = sum_blocks (e, to, n_nodes), *all = sum_blocks (e, to, 1);
  for (uint32_t site = 0; site < N_SITE; site++)
    {
      sums[origin (site, 0, n_nodes)].all_live = all[site].live;
      sums[origin (site, 0, n_nodes)].all_peak = all[site].peak;
      for (uint32_t node = 0; node < (site ? n_nodes : 1); node++)
	add_blocks (rows, site, node, &sums[origin (site, node, n_nodes)]);
    }
  free (sums);
  free (all);
}

/* Rows of `sharing', chained by their beginning, by owner, and by whether they are by line. */
struct sharing
{
  struct cab_sharing_row *rows;
  int *next, head[4 * 20000];
  int n;
};

static struct cab_sharing_row *
sharing_row (struct sharing *s, uint64_t address, uint32_t site, bool own, bool by_line)
{
  int *head = &s->head[address * 4 + own * 2 + by_line], at = *head;
  while (at && s->rows[at].site != site)
    at = s->next[at];
  if (at)
    return &s->rows[at];
  s->rows[++s->n] = (struct cab_sharing_row) {
    .address = address, .site = site, .own = own, .by_line = by_line
  };
  s->next[s->n] = *head;
  *head = s->n;
  return &s->rows[s->n];
}

/* Add one access of [START, END], which begins IN a block, or in none if null: own memory, and
   lines within a range, by line. */
static void
share (struct sharing *s, uint64_t start, uint64_t end, uint32_t site, unsigned form,
       const struct live *in)
{
  struct cab_sharing_row *row = NULL;
  bool own = in;
  for (uint64_t line = start / 64; line <= end / 64; line++)
    {
      bool by_line = own || (line > start / 64 && line < end / 64);
      row = sharing_row (s, by_line || line > start / 64 ? line * 64 : start, site, own, by_line);
      row->allocation = in ? in->site : 0;
      for (uint64_t at = line * 64; at < line * 64 + 64; at++)
	if (at >= start && at <= end)
	  {
	    row->read |= form & CAB_ROW_READ ? UINT64_C (1) << at % 64 : 0;
	    row->written |= form & CAB_ROW_WRITE ? UINT64_C (1) << at % 64 : 0;
	  }
    }
  ++*(form & CAB_ROW_WRITE ? &row->writes : &row->reads);
}

static void
expect_sharing (struct rows *rows, const struct events *e, size_t to)
{
  struct sharing *s = XCNEW (struct sharing);
  struct cab_blocks_sums *sums = XCNEWVEC (struct cab_blocks_sums, N_SITE);
  struct live *live = XNEWVEC (struct live, to + 1);
  size_t n = 0;
  s->rows = XNEWVEC (struct cab_sharing_row, 33 * to + 1);
  s->next = XNEWVEC (int, 33 * to + 1);
  for (size_t i = 0; i < to; i++)
    {
      uint64_t start = e->address[i], bytes = e->bytes[i];
      unsigned form = e->access_form[i];
      if (form & CAB_ROW_MOVED)
	live_event (live, &n, e, i, e->site[i], sums);
      else if (bytes)
	share (s, start, start + bytes - 1, e->site[i], form, live_at (live, n, start));
    }
  for (int k = 1; k <= s->n; k++)
    add_sharing (rows, &s->rows[k]);
  free (s->rows);
  free (s->next);
  free (s);
  free (sums);
  free (live);
}

/* Add uses of lines, which the tests keep in a list, the last used last. */
static void
use_line (struct rows *rows, uint64_t *lines, size_t *n, uint32_t site, uint64_t line)
{
  size_t i = *n, digits = 0;
  while (i > 0 && lines[i - 1] != line)
    i--;
  uint64_t distance = *n - i;
  while (i && distance >> digits)
    digits++;
  add (rows, mix (site, i ? digits : CAB_REUSE_BUCKETS - 1, 81), 1);
  add (rows, mix (0, i ? distance : UINT64_MAX, 82), 1);
  if (i)
    memmove (&lines[i - 1], &lines[i], (*n - i) * sizeof *lines);
  else
    ++*n;
  lines[*n - 1] = line;
}

static void
expect_reuse (struct rows *rows, const struct events *e, size_t to)
{
  uint64_t *lines = XNEWVEC (uint64_t, to * 40 + 1);
  size_t n = 0;
  for (size_t i = 0; i < to; i++)
    if (!(e->access_form[i] & CAB_ROW_MOVED) && e->bytes[i])
      for (uint64_t line = e->address[i] / 64; line <= (e->address[i] + e->bytes[i] - 1) / 64;
	   line++)
	use_line (rows, lines, &n, e->site[i], line);
  free (lines);
}

bool
by_shape (const struct cab_analysis *analysis, const struct events *e)
{
  return e->shape && analysis->wants & CAB_WANTS_SHAPES;
}

static void
expect_accesses (struct rows *rows, const struct events *e, size_t to)
{
  for (size_t i = 0; i < to && e->shape; i++)
    for (uint32_t k = 0; k < e->shape[i]->n; k++)
      add_access (rows, e->shape[i]->site[k], e->shape[i]->form[k], e->passes[i],
		  e->passes[i] * e->shape[i]->bytes[k]);
  if (e->shape)
    return;
  for (size_t i = 0; i < to; i++)
    add_access (rows, e->site[i], e->access_form[i], 1, e->access_form[i] & 3 ? e->bytes[i] : 0);
}

const char *cache_arguments = "D1=512/2/64:LL=2K/4/64";

const char *
arguments_of (const struct cab_analysis *analysis)
{
  return analysis == &cab_cache || analysis == &cab_offenders || analysis == &cab_levels
	 ? cache_arguments
       : analysis == &cab_values ? "places=6:clear=9"
       : "";
}

void
open_arena (struct cab_arena *arena, const struct cab_analysis *analysis)
{
  if (cab_heap_open_with (arena, analysis, arguments_of (analysis), NULL) < 0)
    abort ();
}

/* Count an access with MARK under KEY. */
static void
take_misses (struct rows *rows, uint64_t key, bool write, uint8_t mark)
{
  uint64_t accesses[2] = { !write, write }, missed[2][CAB_CACHESIM_LEVELS_MAX] = { 0 };
  for (unsigned level = 0; level < CAB_CACHESIM_LEVELS_MAX; level++)
    missed[write][level] = mark >> level & 1;
  add_cache (rows, key, accesses, missed[0], 0);
}

static void
simulate (struct rows *rows, uint64_t key, struct cab_cachesim *sim, uint32_t d1_line,
	  const struct events *e, size_t i)
{
  simulate_pieces (sim, d1_line, e, i, take_misses, rows, key);
}

static void
take_level (struct rows *rows, uint64_t key, bool write, uint8_t mark)
{
  (void) key;
  add (rows, mix (__builtin_popcount (mark), write, 96), 1);
}

static const uint64_t none[2 * CAB_CACHESIM_LEVELS_MAX];

/* Add what accesses [0, TO) must give in caches. */
static void
expect_cache (struct rows *rows, const struct events *e, size_t to)
{
  struct cab_cachesim_config config;
  void *memory;
  struct cab_cachesim *sim = make_caches (&config, &memory);
  for (size_t i = 0; i < to; i++)
    if (e->access_form[i] & 3 && e->bytes[i])
      simulate (rows, e->site[i], sim, config.d1.line, e, i);
    else
      add_cache (rows, e->site[i], none, none, 1);
  free (memory);
}

/* Count all accesses by the cache in which they hit. */
static void
expect_levels (struct rows *rows, const struct events *e, size_t to)
{
  struct cab_cachesim_config config;
  void *memory;
  struct cab_cachesim *sim = make_caches (&config, &memory);
  for (size_t i = 0; i < to; i++)
    if (e->access_form[i] & 3)
      simulate_pieces (sim, config.d1.line, e, i, take_level, rows, 0);
  free (memory);
}

/* Add the same by context, and by the block that they begin in. A live block's `site' is the number
   of its event. */
static void
expect_offenders (struct rows *rows, const struct events *e, size_t to)
{
  struct cab_cachesim_config config;
  void *memory;
  struct cab_cachesim *sim = make_caches (&config, &memory);
  struct cab_blocks_sums *sums = XCNEWVEC (struct cab_blocks_sums, to + 1);
  struct live *live = XNEWVEC (struct live, to + 1);
  size_t n = 0;
  for (size_t i = 0; i < to; i++)
    {
      const struct live *in = e->access_form[i] & CAB_ROW_MOVED ? NULL
								: live_at (live, n, e->address[i]);
      uint64_t block = in ? offending_block (e->site[in->site], e->depth[in->site]) : 0;
      uint64_t key = offender (e->site[i], e->depth[i], block);
      if (e->access_form[i] & CAB_ROW_MOVED)
	{
	  live_event (live, &n, e, i, i, sums);
	  add (rows, mix (key, 1, 87), sums[i].blocks);
	  add (rows, mix (key, 2, 87), sums[i].bytes);
	}
      if (e->access_form[i] & 3 && e->bytes[i])
	simulate (rows, key, sim, config.d1.line, e, i);
      else
	add_cache (rows, key, none, none, 1);
    }
  free (sums);
  free (live);
  free (memory);
}

/* Add accesses with their levels, by context and by the block that they begin in.  Paths, which
   accesses wait for, are compared by testsuite/oracle/join. */
static void
expect_join (struct rows *rows, const struct events *e, size_t to)
{
  struct cab_blocks_sums *sums = XCNEWVEC (struct cab_blocks_sums, to + 1);
  struct live *live = XNEWVEC (struct live, to + 1);
  size_t n = 0;
  for (size_t i = 0; i < to; i++)
    {
      const struct live *in = live_at (live, n, e->address[i]);
      if (path_word (e, i))
	continue;
      if (e->access_form[i] & CAB_ROW_MOVED)
	live_event (live, &n, e, i, i, sums);
      else if (e->access_form[i] & 3 && e->bytes[i])
	add_join (rows, &(struct cab_join_row) {
	  .number = e->site[i],
	  .node = e->depth[i],
	  .has_block = in,
	  .allocation = in ? e->site[in->site] : 0,
	  .allocation_node = in ? e->depth[in->site] : 0,
	  .level = level_of (e, i),
	  .writes = (e->access_form[i] & 3) == CAB_ROW_WRITE,
	  .bytes = e->bytes[i],
	  .n = 1
	});
    }
  free (sums);
  free (live);
}

/* Add events in their contexts: accesses, whose nodes are the depths here. */
static void
expect_contexts (struct rows *rows, const struct events *e, size_t to)
{
  for (size_t i = 0; i < to; i++)
    add_context (rows, (uint64_t) e->site[i] << 8 | e->access_form[i], e->depth[i], 1, e->bytes[i]);
}

/* Add samples: their times are `bytes' here. */
static void
expect_samples (struct rows *rows, const struct events *e, size_t to)
{
  for (size_t i = 0; i < to; i++)
    add_context (rows, e->address[i], e->depth[i], 1, e->bytes[i]);
}

/* Entries of functions: of the tree by chain, else by what the analysis counts. */
static void
expect_entries (struct rows *rows, const struct cab_analysis *analysis, const struct events *e,
		size_t to)
{
  uint64_t *node = XCNEWVEC (uint64_t, e->n + 2), *base = XCNEWVEC (uint64_t, e->n + 2);
  for (size_t i = 0; i < to; i++)
    {
      uint64_t d = e->depth[i];
      uint64_t parent = e->form[i] == CAB_EV_CALL ? (d ? node[d - 1] : 0)
		      : e->form[i] == CAB_EV_TAIL ? node[d]
		      : base[d];
      node[d] = mix (parent, e->fn[i], e->site[i]);
      if (e->form[i] != CAB_EV_UNDER)
	base[d] = node[d];
      if (analysis == &cab_tree)
	add (rows, node[d], 1);
      else if (analysis == &cab_methods)
	add (rows, e->fn[i], 1);
      else if (analysis == &cab_calls)
	add (rows, (uint64_t) e->site[i] << 32 | e->fn[i], 1);
      else
	add (rows, (e->fn[i] - 1) * COUNTERS_PER_FN + 2 + e->path[i], 1);
    }
  free (node);
  free (base);
}

/* Add what events [0, TO) must give with times. */
static void
expect_timeline (struct rows *rows, const struct events *e, size_t to)
{
  for (size_t i = 0; i < to; i++)
    add (rows, mix (timed_word (e, i), timed_clock (i), 93), 1);
}

/* The rows of a state of ANALYSIS that gets events [0, TO) one by one. */
static struct rows
one_by_one (const struct cab_analysis *analysis, const struct events *e, size_t to)
{
  struct cab_arena arena;
  open_arena (&arena, analysis);
  for (size_t i = 0; i < to; i++)
    feed (analysis, &arena, e, i, i + 1);
  struct rows rows = rows_of (analysis, &arena);
  cab_heap_fini (&arena);
  return rows;
}

struct rows
expected (const struct cab_analysis *analysis, const struct events *e, size_t to)
{
  static const struct
  {
    const struct cab_analysis *analysis;
    void (*expect) (struct rows *rows, const struct events *e, size_t to);   /* null: entries */
  } models[] = { { &cab_loops, expect_loops },	     { &cab_blocks, expect_blocks },
		 { &cab_sharing, expect_sharing },   { &cab_reuse, expect_reuse },
		 { &cab_values, expect_values },     { &cab_accesses, expect_accesses },
		 { &cab_cache, expect_cache },	     { &cab_offenders, expect_offenders },
		 { &cab_contexts, expect_contexts }, { &cab_samples, expect_samples },
		 { &cab_tree, NULL },		     { &cab_methods, NULL },
		 { &cab_calls, NULL },		     { &cab_paths, NULL },
		 { &cab_deps, expect_deps },	     { &cab_timeline, expect_timeline },
		 { &cab_join, expect_join },	     { &cab_levels, expect_levels } };
  struct rows rows = { 0 };
  size_t i = 0;
  while (i < sizeof models / sizeof *models && models[i].analysis != analysis)
    i++;
  if (i == sizeof models / sizeof *models)
    return one_by_one (analysis, e, to);
  if (models[i].expect)
    models[i].expect (&rows, e, to);
  else
    expect_entries (&rows, analysis, e, to);
  tidy (&rows);
  return rows;
}
