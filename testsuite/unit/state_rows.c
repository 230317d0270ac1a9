/* state_rows.c - the rows of states: see state_rows.h, and analysis_events.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "testsuite/unit/state_rows.h"
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
#include "analyses/live/bursts/an_estimates.h"
#include "analyses/live/cache/an_cache.h"
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/cache/an_offenders.h"
#include "analyses/live/deps/an_deps.h"
#include "analyses/live/timeline/an_timeline.h"
#include "testsuite/unit/deps_rows.h"
#include "analyses/trace/law_report.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

/* Add each number that a state has of a loop as a row. */
void
add_loop (struct rows *rows, uint32_t fn, uint32_t loop, const struct cab_loop_sums *sums,
	  const uint64_t *log2)
{
  const uint64_t *number = (const uint64_t *) sums;
  unsigned n = sizeof *sums / sizeof *number;
  for (unsigned i = 0; i < n; i++)
    add (rows, mix (fn, loop, i), number[i]);
  for (unsigned i = 0; i < CAB_LOOP_BUCKETS; i++)
    add (rows, mix (fn, loop, n + i), log2[i]);
}

void
add_blocks (struct rows *rows, uint32_t site, uint32_t node, const struct cab_blocks_sums *sums)
{
  for (unsigned i = 0; i < sizeof *sums / 8; i++)
    add (rows, mix (site, i, 9 + (uint64_t) node * 16), ((const uint64_t *) sums)[i]);
}

void
add_access (struct rows *rows, uint32_t number, unsigned form, uint64_t n, uint64_t bytes)
{
  add (rows, mix (number, form & 3, 71), n);
  add (rows, mix (number, 4, 71), bytes);
}

void
add_sharing (struct rows *rows, const struct cab_sharing_row *row)
{
  uint64_t key = mix (row->address, (uint64_t) row->site << 32 | row->thread,
		      row->own << 1 | row->by_line);
  add (rows, mix (key, 1, 91), row->reads);
  add (rows, mix (key, 2, 91), row->writes);
  add (rows, mix (key, 3, 91) ^ row->read, 1);
  add (rows, mix (key, 4, 91) ^ row->written, 1);
  add (rows, mix (key, 5, 91) ^ row->allocation, 1);
}

void
add_cache (struct rows *rows, uint64_t number, const uint64_t accesses[2], const uint64_t *missed,
	   uint64_t others)
{
  for (unsigned i = 0; i < 2; i++)
    add (rows, mix (number, i, 83), accesses[i]);
  for (unsigned i = 0; i < 2 * CAB_CACHESIM_LEVELS_MAX; i++)
    add (rows, mix (number, 2 + i, 83), missed[i]);
  add (rows, mix (number, 99, 83), others);
}

/* Return the key of a row of `offenders': BLOCK 0 for none. */
uint64_t
offender (uint32_t number, uint32_t node, uint64_t block)
{
  return mix (mix (number, node, 84), block, 85);
}

uint64_t
offending_block (uint32_t allocation, uint32_t node)
{
  return mix (allocation, node, 86);
}

void
add_join (struct rows *rows, const struct cab_join_row *row)
{
  uint64_t block = row->has_block ? offending_block (row->allocation, row->allocation_node) : 0,
	   key = mix (offender (row->number, row->node, block), row->level << 1 | row->writes, 94);
  add (rows, mix (key, row->bytes, 95), row->n);
}

void
add_context (struct rows *rows, uint64_t what, uint32_t node, uint64_t n, uint64_t sum)
{
  add (rows, mix (what, node, 91), n);
  add (rows, mix (what, node, 92), sum);
}

static void
rows_of_methods (struct rows *rows, const struct cab_arena *arena)
{
  for (uint32_t fn = 0; fn < cab_methods_n (arena); fn++)
    add (rows, fn, cab_methods_count (arena, fn));
}

static void
rows_of_paths (struct rows *rows, const struct cab_arena *arena)
{
  for (uint64_t i = 0; i < cab_paths_n (arena); i++)
    add (rows, i, cab_paths_counter (arena, i));
}

static void
rows_of_calls (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_calls_row row;
  for (uint64_t cursor = 0; cab_calls_next (arena, &cursor, &row);)
    add (rows, (uint64_t) row.site << 32 | row.callee, row.count);
}

static void
rows_of_estimates (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_estimate row;
  for (uint64_t cursor = 0; cab_estimates_next (arena, &cursor, &row);)
    add (rows, mix (row.of, row.a, row.b), row.count);
}

static void
rows_of_loops (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_loops_row row;
  for (uint64_t cursor = 0; cab_loops_next (arena, &cursor, &row);)
    add_loop (rows, row.fn, row.loop, &row.sums, row.log2);
}

static void
rows_of_accesses (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_accesses_row row;
  for (uint64_t cursor = 0; cab_accesses_next (arena, &cursor, &row);)
    for (unsigned form = 0; form < 4; form++)
      add_access (rows, row.number, form, row.n[form], form ? 0 : row.bytes);
}

static void
rows_of_values (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_values_row row;
  struct cab_values_value value;
  for (uint64_t cursor = 0; cab_values_next (arena, &cursor, &row);)
    add_values (rows, &row);
  for (uint64_t cursor = 0; cab_values_value_next (arena, &cursor, &value);)
    add_value (rows, &value);
}

static void
rows_of_sharing (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_sharing_row row;
  for (uint64_t cursor = 0; cab_sharing_next (arena, &cursor, &row);)
    add_sharing (rows, &row);
}

static void
rows_of_reuse (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_reuse_row row;
  for (uint64_t cursor = 0; cab_reuse_next (arena, &cursor, &row);)
    for (unsigned k = 0; k < CAB_REUSE_BUCKETS; k++)
      add (rows, mix (row.number, k, 81), row.n[k]);
  for (uint64_t d = 0; d < 2000; d++)
    add (rows, mix (0, d, 82), cab_reuse_uses (arena, d));
  add (rows, mix (0, UINT64_MAX, 82), cab_reuse_uses (arena, UINT64_MAX));
}

static void
rows_of_cache (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_cache_row row;
  for (uint64_t cursor = 0; cab_cache_next (arena, &cursor, &row);)
    add_cache (rows, row.number, row.accesses, row.missed[0], row.others);
}

static void
rows_of_offenders (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_offenders_row row;
  for (uint64_t cursor = 0; cab_offenders_next (arena, &cursor, &row);)
    {
      uint64_t key = offender (row.number, row.node,
			       row.has_block ? offending_block (row.allocation, row.allocation_node)
					     : 0);
      add_cache (rows, key, row.accesses, row.missed[0], row.others);
      add (rows, mix (key, 1, 87), row.blocks);
      add (rows, mix (key, 2, 87), row.bytes);
    }
}

static void
rows_of_join (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_join_row row;
  for (uint64_t cursor = 0; cab_join_next (arena, &cursor, &row);)
    add_join (rows, &row);
}

static void
rows_of_levels (struct rows *rows, const struct cab_arena *arena)
{
  for (unsigned level = 0; level <= CAB_CACHESIM_LEVELS_MAX; level++)
    for (int write = 0; write < 2; write++)
      add (rows, mix (level, write, 96), cab_levels_count (arena, level, write));
}

static void
rows_of_contexts (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_contexts_row row;
  for (uint64_t cursor = 0; cab_contexts_next (arena, &cursor, &row);)
    add_context (rows, (uint64_t) row.number << 8 | row.form, row.node, row.n, row.sum);
}

static void
rows_of_samples (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_contexts_row row;
  for (uint64_t cursor = 0; cab_contexts_next (arena, &cursor, &row);)
    add_context (rows, row.part, row.node, row.n, row.sum);
}

static void
rows_of_blocks (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_blocks_row row;
  for (uint64_t cursor = 0; cab_blocks_next (arena, &cursor, &row);)
    add_blocks (rows, cab_blocks_number (&row), cab_blocks_node (&row), &row.sums);
}

static void
rows_of_tree (struct rows *rows, const struct cab_arena *arena)
{
  uint64_t *key = XCNEWVEC (uint64_t, cab_tree_n (arena) + 1);
  for (uint32_t i = 1; i < cab_tree_n (arena); i++)
    {
      const struct cab_tree_node *node = cab_tree_at (arena, i);
      key[i] = mix (key[node->parent], node->callee, node->site);
      add (rows, key[i], node->count);
    }
  free (key);
}

static void
rows_of_timeline (struct rows *rows, const struct cab_arena *arena)
{
  struct cab_timeline_cursor cursor;
  struct cab_timeline_event event;
  for (uint64_t i = 0; i < cab_timeline_n_blocks (arena); i++)
    {
      const struct cab_timeline_block *block = cab_timeline_block (arena, i);
      if (!block)
	continue;
      cab_timeline_begin (&cursor, block);
      while (cab_timeline_next (&cursor, &event))
	add (rows, mix (event.word, event.clock, 93), 1);
    }
}

/* The analyses whose rows are read from their states.  Those of the others are those of their
   reports. */
static const struct
{
  const struct cab_analysis *analysis;
  void (*list) (struct rows *rows, const struct cab_arena *arena);
} lists[] = { { &cab_methods, rows_of_methods },   { &cab_paths, rows_of_paths },
	      { &cab_calls, rows_of_calls },	   { &cab_loops, rows_of_loops },
	      { &cab_accesses, rows_of_accesses }, { &cab_values, rows_of_values },
	      { &cab_sharing, rows_of_sharing },   { &cab_reuse, rows_of_reuse },
	      { &cab_cache, rows_of_cache },	   { &cab_offenders, rows_of_offenders },
	      { &cab_contexts, rows_of_contexts }, { &cab_samples, rows_of_samples },
	      { &cab_blocks, rows_of_blocks },	   { &cab_tree, rows_of_tree },
	      { &cab_deps, rows_of_deps },	   { &cab_timeline, rows_of_timeline },
	      { &cab_estimates, rows_of_estimates },
	      { &cab_join, rows_of_join },	   { &cab_levels, rows_of_levels } };

bool
only_reported (const struct cab_analysis *analysis)
{
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (lists[i].analysis == analysis)
      return false;
  return true;
}

/* Add the lines of the report of ANALYSIS on ARENA, with numbers in place of names. */
static void
rows_of_report (struct rows *rows, const struct cab_analysis *analysis,
		const struct cab_arena *arena)
{
  char *text = cab_law_report (analysis, arena);
  for (char *line = text, *end; line && (end = strchr (line, '\n')); line = end + 1)
    {
      uint64_t key = 0;
      for (const char *c = line; c < end; c++)
	key = mix (key, (unsigned char) *c, 98);
      add (rows, key, 1);
    }
  free (text);
}

struct rows
rows_of (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct rows rows = { 0 };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (lists[i].analysis == analysis)
      lists[i].list (&rows, arena);
  if (only_reported (analysis))
    rows_of_report (&rows, analysis, arena);
  tidy (&rows);
  return rows;
}

struct rows
rows_without_peaks (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  struct rows rows = { 0 };
  struct cab_blocks_row row;
  if (analysis != &cab_blocks)
    return rows_of (analysis, arena);
  for (uint64_t cursor = 0; cab_blocks_next (arena, &cursor, &row);)
    {
      row.sums.peak = row.sums.all_peak = 0;
      add_blocks (&rows, cab_blocks_number (&row), cab_blocks_node (&row), &row.sums);
    }
  tidy (&rows);
  return rows;
}
