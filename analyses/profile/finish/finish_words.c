/* finish_words.c - feed words that a ring still held to the analyses that have not had them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/finish_words.h"
#include "analyses/live/cache/cache_rounds.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/cache/sectioned.h"
#include "analyses/profile/finish/finish_keyed.h"
#include "analyses/profile/finish/finish_levels.h"
#include "analyses/wire/batch_rows.h"

static int
counters (void *host, uint32_t fn, uint64_t *first, uint32_t *n)
{
  const struct cab_part *part = ((struct cab_finish_rest *) host)->part;
  if (!fn || fn > part->header->n_functions)
    return 0;
  *first = part->functions[fn - 1].count_offset / 8;
  *n = part->functions[fn - 1].n_counters;
  return 1;
}

static int
traces_paths (void *host)
{
  struct cab_finish_rest *rest = host;
  for (; rest->n_functions < rest->part->header->n_functions; rest->n_functions++)
    rest->row_flags |= rest->part->functions[rest->n_functions].flags;
  return (rest->row_flags & CAB_ROW_PATHS_TRACE) != 0;
}

/* Return how many rows ONE has already had of BATCH, which follows BEFORE events that ONE's
   analysis takes.  Asking the analysis what it has applied scans its whole state, so it is not
   asked again once it is in step. */
static uint32_t
rows_had (struct cab_finish_arena *one, const struct cab_batch *batch, uint64_t before)
{
  uint64_t had = one->in_step ? before
			      : one->elsewhere + one->analysis->applied (&one->arena)
				  + one->analysis->lost (&one->arena);
  one->in_step = had <= before;
  return one->in_step ? 0 : cab_batch_rows_of (batch, had - before);
}

uint32_t
cab_finish_feed (struct cab_finish_rest *rest, struct cab_finish_arena *one,
		 struct cab_batch batch, uint64_t before)
{
  const struct cab_functions functions = { rest, counters, NULL, traces_paths };
  if (!one->arena.base)
    return batch.n;
  uint32_t skip = rows_had (one, &batch, before);
  if (batch.n ? skip == batch.n : !one->in_step)
    return skip;
  cab_batch_skip (&batch, skip);
  one->analysis->feed (&one->arena, &batch, &functions);
  return skip;
}

/* Feed the state of ANALYSIS the rows that it has not had of BATCH, which follows BEFORE events
   that the analysis takes.  Return how many rows it had already. */
static uint32_t
feed_rest (struct cab_finish_rest *rest, const struct cab_analysis *analysis,
	   struct cab_batch batch, uint64_t before)
{
  if (cab_finish_keyed (rest, analysis, &batch))
    return 0;
  return cab_finish_feed (rest, cab_finish_arena_of (rest, analysis), batch, before);
}

/* Return the tree's state, or null if the process had not created it. */
static struct cab_arena *
context_tree (void *host)
{
  struct cab_finish_arena *tree = cab_finish_find (host, &cab_tree);
  return tree ? &tree->arena : NULL;
}

/* Feed the tree, and replay the calls that it has had already, which move its stack again. */
static void
context_calls (void *host, const struct cab_batch *batch)
{
  struct cab_finish_rest *rest = host;
  struct cab_finish_arena *tree = cab_finish_arena_of (rest, &cab_tree);
  uint64_t before = rest->seen[CAB_EV_CALL] + rest->placed[CAB_EV_CALL];
  cab_tree_replay (&tree->arena, batch->events, rows_had (tree, batch, before));
  feed_rest (rest, &cab_tree, *batch, before);
  rest->placed[CAB_EV_CALL] += batch->n;
}

static void
context_rest (void *host, const struct cab_batch *batch)
{
  struct cab_finish_rest *rest = host;
  const char *names = rest->finish->analyses;
  bool levels = false;
  struct cab_choice choice;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = cab_finish_analysis (choice.name);
      if (!analysis || !cab_context_wanted (analysis) || !(analysis->kinds >> batch->kind & 1)
	  || (!batch->n && !cab_context_stack_wanted (analysis)))
	continue;
      if (batch->kind == CAB_EV_ACCESS && cab_context_level_wanted (analysis))
	levels = true;
      else
	feed_rest (rest, analysis, *batch, cab_finish_placed (rest, analysis));
    }
  if (levels)
    cab_finish_levels (rest, batch);
  rest->placed[batch->kind] += cab_batch_events (batch);
}

uint32_t
cab_finish_kinds_with_nodes (const struct cab_finish *finish)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  uint32_t wanted = 0;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = cab_finish_analysis (choice.name);
      wanted |= analysis && cab_context_wanted (analysis) ? analysis->kinds : 0;
    }
  return wanted;
}

/* Return true if an analysis of FINISH wants to know where the stack stands. */
static bool
is_stack_wanted (const struct cab_finish *finish)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  bool wanted = false;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = cab_finish_analysis (choice.name);
      wanted |= analysis && cab_context_stack_wanted (analysis);
    }
  return wanted;
}

void
cab_finish_begin_context (struct cab_finish_rest *rest)
{
  uint32_t kinds = cab_finish_kinds_with_nodes (rest->finish);
  if (!kinds)
    return;
  rest->context = XCNEW (struct cab_context);
  *rest->context = (struct cab_context) {
    .host = rest,
    .kinds = kinds,
    .is_ordered = is_stack_wanted (rest->finish),
    .calls = context_calls,
    .rest = context_rest,
    .tree = context_tree
  };
  struct cab_arena *tree = context_tree (rest);
  if (tree)
    cab_tree_rewind (tree, rest->header->thread, rest->seen[0]);
}

/* Return true if ANALYSIS gets what the decoder finds in its present mode, which is accesses by
   shape or one by one. */
static bool
takes_now (const struct cab_finish_rest *rest, const struct cab_analysis *analysis, unsigned kind)
{
  bool by_shape = analysis->wants & CAB_WANTS_SHAPES;
  return (kind != CAB_EV_ACCESS && kind != CAB_EV_VALUE) || by_shape == rest->decode->by_shape;
}

/* Return true if ANALYSIS takes events of several kinds, in program order, without their nodes, or
   is serial, or takes rows of loops. */
static bool
takes_runs (const struct cab_analysis *analysis)
{
  return ((analysis->kinds & (analysis->kinds - 1) || analysis->shard == CAB_SHARD_SERIAL)
	  && !cab_context_wanted (analysis))
      || analysis->wants & CAB_WANTS_LOOPS;
}

/* Feed the N words at WORDS run by run to ANALYSIS, which takes several kinds, or rows of loops.
   BEFORE: events that it takes before them.  Return how many it takes before what follows them. */
static uint64_t
finish_runs (struct cab_finish_rest *rest, const struct cab_analysis *analysis, uint64_t before,
	     const uint64_t *words, uint64_t n)
{
  struct cab_decode *d = rest->decode;
  d->loops = analysis->wants & CAB_WANTS_LOOPS;
  d->stretches = analysis->wants & CAB_WANTS_STRETCHES;
  while (n > 0 || cab_decode_pending (d))
    {
      size_t run = cab_decode_pending (d) ? 0 : cab_decode_run (words, n);
      size_t taken = cab_decode (d, words, run, rest->header->thread);
      const struct cab_batch *batches[] = { &d->call, &d->path, &d->access, &d->loop, &d->sample };
      for (size_t i = 0; i < sizeof batches / sizeof *batches; i++)
	if (batches[i]->n && analysis->kinds >> batches[i]->kind & 1)
	  {
	    feed_rest (rest, analysis, *batches[i], before);
	    before += cab_batch_events (batches[i]);
	  }
      words += taken;
      n -= taken;
    }
  d->loops = false;
  return before;
}

/* Feed the N words at WORDS, which FOUND events of each kind precede, to all analyses that take
   several kinds. */
static void
finish_all_runs (struct cab_finish_rest *rest, const uint64_t found[CAB_FINISH_KINDS],
		 const uint64_t *words, uint64_t n)
{
  const char *names = rest->finish->analyses;
  struct cab_choice choice;
  rest->decode->by_shape = false;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = cab_finish_analysis (choice.name);
      uint64_t before = 0;
      if (!analysis || !takes_runs (analysis))
	continue;
      if (analysis->wants & CAB_WANTS_LOOPS)
	{
	  before = rest->seen[CAB_SEEN_LOOP_ROWS] + found[CAB_SEEN_LOOP_ROWS];
	  rest->found[CAB_SEEN_LOOP_ROWS] = finish_runs (rest, analysis, before, words, n)
					  - rest->seen[CAB_SEEN_LOOP_ROWS];
	  continue;
	}
      for (int kind = 1; kind < CAB_FINISH_KINDS; kind++)
	before += analysis->kinds >> kind & 1 ? rest->seen[kind] + found[kind] : 0;
      finish_runs (rest, analysis, before, words, n);
    }
}

/* Feed BATCH, of EVENTS events, to the analyses that take it and no other kind. */
static void
finish_batch (struct cab_finish_rest *rest, const struct cab_batch *batch, uint64_t events)
{
  const char *names = rest->finish->analyses;
  bool wanted = false;
  struct cab_choice choice;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = cab_finish_analysis (choice.name);
      /* Values are derived from the events of accesses, and times are those of calls. */
      wanted |= analysis && batch->kind == CAB_EV_ACCESS && analysis->kinds >> CAB_EV_VALUE & 1;
      wanted |= analysis && batch->kind == CAB_EV_CALL && analysis->kinds >> CAB_EV_TIMED & 1;
      if (!analysis || !(analysis->kinds >> batch->kind & 1))
	continue;
      wanted = true;
      bool in_context = rest->context
		     && (analysis == &cab_tree || cab_context_wanted (analysis)
			 || (analysis->wants & CAB_GIVES_LEVEL
			     && cab_finish_wants_levels (rest->finish)));
      if (batch->n && !in_context && !takes_runs (analysis)
	  && takes_now (rest, analysis, batch->kind))
	feed_rest (rest, analysis, *batch, rest->seen[batch->kind] + rest->found[batch->kind]);
    }
  rest->found[batch->kind] += cab_batch_events (batch);
  *(wanted ? &rest->finish->n_finished : &rest->finish->n_unwanted) += events;
}

static void
finish_accesses (struct cab_finish_rest *rest, const uint64_t *words)
{
  struct cab_decode *d = rest->decode;
  rest->finish->n_accesses += d->shapes.accesses + d->access.n;
  finish_batch (rest, &d->shapes, d->n_accesses);
  finish_batch (rest, &d->access, 0);
  finish_batch (rest, &d->value, 0);
  while (cab_decode_pending (d))
    {
      cab_decode (d, words, 0, rest->header->thread);
      rest->finish->n_accesses += d->access.n;
      finish_batch (rest, &d->access, 0);
      finish_batch (rest, &d->value, 0);
    }
}

/* Decode the same words again, for analyses that take accesses one by one.  The accesses after the
   first FOUND went to the other analyses in the first pass, so counting restarts at FOUND. */
static void
finish_rows (struct cab_finish_rest *rest, const uint64_t *words, uint64_t n, uint64_t found)
{
  struct cab_decode *d = rest->decode;
  d->by_shape = false;
  rest->found[CAB_EV_ACCESS] = found;
  while (n > 0 || cab_decode_pending (d))
    {
      size_t taken = cab_decode (d, words, cab_decode_pending (d) ? 0 : n, rest->header->thread);
      finish_batch (rest, &d->access, 0);
      finish_batch (rest, &d->value, 0);
      words += taken;
      n -= taken;
    }
}

void
cab_finish_words (struct cab_finish_rest *rest, const uint64_t *words, uint64_t n, bool published)
{
  struct cab_decode *d = rest->decode;
  rest->finish->n_unpublished += published ? 0 : n;
  while (n > 0)
    {
      uint64_t found[CAB_FINISH_KINDS];
      memcpy (found, rest->found, sizeof found);
      d->n_raw = d->n_unregistered = d->n_unknown = d->n_accesses = d->n_resumes = 0;
      d->by_shape = rest->finish->shapes;
      size_t taken = cab_decode (d, words, n, rest->header->thread);
      finish_batch (rest, &d->call, d->call.n);
      finish_batch (rest, &d->path, d->path.n - d->n_extra);
      finish_batch (rest, &d->loop, d->loop.n);
      finish_batch (rest, &d->sample, d->sample.n);
      finish_batch (rest, &d->timed, 0);
      finish_accesses (rest, words);
      rest->finish->n_unregistered += d->n_unregistered + d->n_unknown;
      rest->finish->n_raw += d->n_raw;
      *(cab_finish_chose (rest->finish, "tree") || cab_finish_chose (rest->finish, "timeline")
	? &rest->finish->n_finished
	: &rest->finish->n_unwanted)
	+= d->n_resumes;
      if (rest->finish->shapes && rest->finish->rows)
	finish_rows (rest, words, taken, found[CAB_EV_ACCESS]);
      finish_all_runs (rest, found, words, taken);
      d->by_shape = false;
      if (rest->context)
	cab_context_words (rest->context, d, words, taken, rest->header->thread);
      words += taken;
      n -= taken;
    }
}

void
cab_finish_ahead (struct cab_finish_arena *one, const struct cab_decode_records *records)
{
  const struct cab_sectioned *by = one->analysis->sectioned;
  const uint64_t *ahead;
  uint64_t had, found = 0,
		n = by ? by->ahead (&one->arena, &ahead, &had) : 0;
  if (!n)
    return;
  uint64_t *words = XDUPVEC (uint64_t, ahead, n);
  struct cab_decode *d = XCNEW (struct cab_decode);
  d->records = records;
  for (uint64_t at = 0; at < n || cab_decode_pending (d);)
    {
      at += cab_decode (d, words + at, cab_decode_pending (d) ? 0 : n - at, one->thread);
      struct cab_batch batch = d->access;
      uint32_t skip = had <= found ? 0 : had - found < batch.n ? had - found : batch.n;
      found += batch.n;
      cab_batch_skip (&batch, skip);
      if (batch.n)
	one->analysis->feed (&one->arena, &batch, NULL);
    }
  free (d);
  free (words);
  by->ahead_end (&one->arena);
}
