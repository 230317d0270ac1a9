/* finish.c - the states of a process' analyses, with what its rings still held applied to them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "finish.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/heap.h"
#include "analyses/states.h"
#include "rt/context.h"
#include "analyses/own.h"
#include "analyses/finish_records.h"


/* One ring that is being finished. */
struct rest
{
  struct cab_finish *finish;
  const struct cab_part *part;
  uint32_t number;
  const struct cab_ring_header *header;
  const uint64_t *slots;
  uint64_t n_slots;
  uint64_t seen[8];                      /* events of each batch kind that analyses had been fed up to `tail` */
  uint64_t found[8];                     /* ... and those found behind it so far */
  struct cab_decode *decode;
  struct cab_context *context;           /* null: no analysis wants nodes */
  uint64_t placed[8];                    /* as `found', of events that came with their nodes, or to the tree that knows these */
};

static void
problem (struct cab_finish *finish, const struct cab_diag *diag)
{
  finish->problems = XRESIZEVEC (struct cab_diag, finish->problems, finish->n_problems + 1);
  finish->problems[finish->n_problems++] = *diag;
}

/* A copy of arena I, checked. */
static int
load_arena (const struct cab_part *part, uint32_t i, struct cab_finish_arena *one, struct cab_diag *diag)
{
  const struct cab_part_arena *from = &part->header->arenas[i];
  const char *name = cab_part_string (part, from->analysis);
  struct cab_diag inner;
  uint64_t bytes;
  *one = (struct cab_finish_arena) { .analysis = cab_own_find (name, &inner), .thread = from->thread, .ring = from->ring };
  if (!one->analysis && inner.text[0])
    return cab_part_refuse (part->path, diag, "holds results of an analysis \"%.40s\", which are left out: %.300s", name, inner.text);
  if (!one->analysis)
    return cab_part_refuse (part->path, diag, "holds results of an analysis \"%.40s\" that this cabprof does not have: they are left out; if it is your "
			    "own, report it as PATH/%.40s.so, or name its directory in CABPROF_ANALYSES", name, name);
  void *base = cab_part_area (part, CAB_EXT_ARENA, i, &bytes, diag);
  if (!base && bytes)
    return -1;
  if (from->used_bytes > bytes)
    {
      free (base);
      return cab_part_refuse (part->path, diag, "the state of \"%s\" is said to have %ju of %ju bytes: the file is damaged", name,
			      (uintmax_t) from->used_bytes, (uintmax_t) bytes);
    }
  cab_heap_adopt (&one->arena, base, bytes, from->used_bytes);
  if (one->analysis->check (&one->arena, &inner) == 0)
    return 0;
  cab_heap_fini (&one->arena);
  return inner.text[0] ? cab_part_refuse (part->path, diag, "%s: it is left out", inner.text)
	 : cab_part_refuse (part->path, diag, "the state of \"%s\" does not pass its check: it is left out", name);
}

static int
counters (void *host, uint32_t fn, uint64_t *first, uint32_t *n)
{
  const struct cab_part *part = host;
  if (!fn || fn > part->header->n_functions)
    return 0;
  *first = part->functions[fn - 1].count_offset / 8;
  *n = part->functions[fn - 1].n_counters;
  return 1;
}

/* What ITEM of a list of analyses is; null: it is not known.  What it names in the profile is loaded by its name alone. */
static const struct cab_analysis *
analysis_of (const char *item)
{
  char name[CAB_OWN_NAME_BYTES];
  struct cab_diag diag;
  cab_own_name (item, name);
  return cab_own_find (name, &diag);
}

/* An empty state of ANALYSIS, with the arguments that the process gave it. */
static void
open_arena (const struct cab_finish *finish, const struct cab_analysis *analysis, struct cab_arena *arena)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    if (analysis_of (choice.name) == analysis && cab_heap_open_with (arena, analysis, choice.arguments, NULL) == 0)
      return;
  cab_heap_open (arena, analysis);
}

/* Had the process made ARENA, and not yet opened the state in it?  States begin with a mark; one that does not is no loss if it is empty. */
static bool
unopened (const struct cab_analysis *analysis, const struct cab_arena *arena)
{
  bool zero = arena->used < sizeof (uint32_t) || !*(const uint32_t *) arena->base;
  return zero && !analysis->applied (arena) && !analysis->lost (arena);
}

/* The arena of ANALYSIS for this ring; made if the process had not come to it. */
static struct cab_arena *
arena_of (struct rest *rest, const struct cab_analysis *analysis)
{
  struct cab_finish *finish = rest->finish;
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    if (finish->arenas[i].analysis == analysis && finish->arenas[i].ring == rest->number)
      {
	struct cab_arena *arena = &finish->arenas[i].arena;
	if (finish->arenas[i].thread != rest->header->thread)
	  finish->arenas[i].thread = UINT32_MAX;
	if (unopened (analysis, arena))
	  {
	    cab_heap_fini (arena);
	    open_arena (finish, analysis, arena);
	  }
	return arena;
      }
  finish->arenas = XRESIZEVEC (struct cab_finish_arena, finish->arenas, finish->n_arenas + 1);
  struct cab_finish_arena *one = &finish->arenas[finish->n_arenas++];
  *one = (struct cab_finish_arena) { .analysis = analysis, .thread = rest->header->thread, .ring = rest->number };
  open_arena (finish, analysis, &one->arena);
  return &one->arena;
}

/* How many rows of BATCH stand for its first EVENTS events. */
static uint32_t
rows_of (const struct cab_batch *batch, uint64_t events)
{
  uint32_t i = 0;
  if (batch->shape)
    {
      for (uint64_t row; i < batch->n && events >= (row = batch->shape[i]->n * (batch->passes ? batch->passes[i] : 1)); i++)
	events -= row;
      return i;
    }
  if (!batch->has_runs)
    return events < batch->n ? events : batch->n;
  for (; i < batch->n && events >= cab_ev_times (batch->events[i]); i++)
    events -= cab_ev_times (batch->events[i]);
  return i;
}

/* Feed what ANALYSIS has not had of BATCH, which begins behind BEFORE events that it takes; how many rows it has had. */
static uint32_t
feed_rest (struct rest *rest, const struct cab_analysis *analysis, struct cab_batch batch, uint64_t before)
{
  const struct cab_functions functions = { (void *) rest->part, counters };
  struct cab_arena *arena = arena_of (rest, analysis);
  uint64_t had = analysis->applied (arena) + analysis->lost (arena);
  uint32_t skip = rows_of (&batch, had > before ? had - before : 0);
  if (skip == batch.n)
    return skip;
  batch.n -= skip;
  if (batch.fn)
    batch.fn += skip;
  if (batch.form)
    batch.form += skip;
  if (batch.site)
    batch.site += skip;
  if (batch.events)
    batch.events += skip;
  if (batch.loop)
    batch.loop += skip;
  if (batch.count)
    batch.count += skip;
  if (batch.address)
    batch.address += skip;
  if (batch.other)
    batch.other += skip;
  if (batch.bytes)
    batch.bytes += skip;
  if (batch.value)
    batch.value += skip;
  if (batch.value_type)
    batch.value_type += skip;
  if (batch.shape)
    batch.shape += skip;
  if (batch.passes)
    batch.passes += skip;
  if (batch.node)
    batch.node += skip;
  analysis->feed (arena, &batch, &functions, NULL);
  return skip;
}

/* The tree's state, if the process had come to it. */
static struct cab_arena *
context_tree (void *host)
{
  struct rest *rest = host;
  for (uint32_t i = 0; i < rest->finish->n_arenas; i++)
    if (rest->finish->arenas[i].analysis == &cab_tree && rest->finish->arenas[i].ring == rest->number)
      return &rest->finish->arenas[i].arena;
  return NULL;
}

/* What the tree has had moves its stack once more. */
static void
context_calls (void *host, const struct cab_batch *batch)
{
  struct rest *rest = host;
  struct cab_arena *tree = arena_of (rest, &cab_tree);
  uint64_t had = cab_tree.applied (tree) + cab_tree.lost (tree), before = rest->seen[CAB_EV_CALL] + rest->placed[CAB_EV_CALL];
  cab_tree_replay (tree, batch->events, rows_of (batch, had > before ? had - before : 0));
  feed_rest (rest, &cab_tree, *batch, before);
  rest->placed[CAB_EV_CALL] += batch->n;
}

static void
context_rest (void *host, const struct cab_batch *batch)
{
  struct rest *rest = host;
  const char *names = rest->finish->analyses;
  struct cab_choice choice;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = analysis_of (choice.name);
      uint64_t before = 0;
      if (!analysis || !cab_context_wanted (analysis) || !(analysis->kinds >> batch->kind & 1))
	continue;
      for (int kind = 1; kind < 8; kind++)
	before += analysis->kinds >> kind & 1 ? rest->seen[kind] + rest->placed[kind] : 0;
      feed_rest (rest, analysis, *batch, before);
    }
  rest->placed[batch->kind] += cab_batch_events (batch);
}

/* Kinds of events that analyses of the process want with nodes. */
static uint32_t
kinds_with_nodes (const struct cab_finish *finish)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  uint32_t wanted = 0;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = analysis_of (choice.name);
      wanted |= analysis && cab_context_wanted (analysis) ? analysis->kinds : 0;
    }
  return wanted;
}

/* If an analysis of the process wants nodes: back to where the tree stood when the consumer came to the ring's tail. */
static void
begin_context (struct rest *rest)
{
  uint32_t kinds = kinds_with_nodes (rest->finish);
  if (!kinds)
    return;
  rest->context = XCNEW (struct cab_context);
  *rest->context = (struct cab_context) { .host = rest, .kinds = kinds, .calls = context_calls, .rest = context_rest, .tree = context_tree };
  struct cab_arena *tree = context_tree (rest);
  if (tree)
    cab_tree_rewind (tree, rest->header->thread, rest->seen[0]);
}

/* Does ANALYSIS get what the decoder finds, when that tells accesses as it does now? */
static bool
takes_now (const struct rest *rest, const struct cab_analysis *analysis, unsigned kind)
{
  bool by_shape = analysis->wants & CAB_WANTS_SHAPES;
  return kind != CAB_EV_ACCESS || by_shape == rest->decode->by_shape;
}

/* BATCH, of EVENTS events, to those that take it. */
static void
finish_batch (struct rest *rest, const struct cab_batch *batch, uint64_t events)
{
  const char *names = rest->finish->analyses;
  bool wanted = false;
  struct cab_choice choice;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = analysis_of (choice.name);
      if (!analysis || !(analysis->kinds >> batch->kind & 1))
	continue;
      wanted = true;
      bool in_context = rest->context && (analysis == &cab_tree || cab_context_wanted (analysis));
      if (batch->n && !in_context && takes_now (rest, analysis, batch->kind))
	feed_rest (rest, analysis, *batch, rest->seen[batch->kind] + rest->found[batch->kind]);
    }
  rest->found[batch->kind] += cab_batch_events (batch);
  *(wanted ? &rest->finish->n_finished : &rest->finish->n_unwanted) += events;
}

static void
finish_accesses (struct rest *rest, const uint64_t *words)
{
  struct cab_decode *d = rest->decode;
  rest->finish->n_accesses += d->shapes.accesses + d->access.n;
  finish_batch (rest, &d->shapes, d->n_accesses);
  finish_batch (rest, &d->access, 0);
  while (cab_decode_pending (d))
    {
      cab_decode (d, words, 0, rest->header->thread);
      rest->finish->n_accesses += d->access.n;
      finish_batch (rest, &d->access, 0);
    }
}

/* The same words once more, for those that take their accesses one by one; others have had the accesses behind the first FOUND. */
static void
finish_rows (struct rest *rest, const uint64_t *words, uint64_t n, uint64_t found)
{
  struct cab_decode *d = rest->decode;
  d->by_shape = false;
  rest->found[CAB_EV_ACCESS] = found;
  while (n > 0 || cab_decode_pending (d))
    {
      size_t taken = cab_decode (d, words, cab_decode_pending (d) ? 0 : n, rest->header->thread);
      finish_batch (rest, &d->access, 0);
      words += taken;
      n -= taken;
    }
}

static void
finish_words (struct rest *rest, const uint64_t *words, uint64_t n, bool published)
{
  struct cab_decode *d = rest->decode;
  rest->finish->n_unpublished += published ? 0 : n;
  while (n > 0)
    {
      uint64_t found = rest->found[CAB_EV_ACCESS];
      d->n_raw = d->n_unregistered = d->n_unknown = d->n_accesses = d->n_resumes = 0;
      d->by_shape = rest->finish->shapes;
      size_t taken = cab_decode (d, words, n, rest->header->thread);
      finish_batch (rest, &d->call, d->call.n);
      finish_batch (rest, &d->path, d->path.n - d->n_extra);
      finish_batch (rest, &d->loop, d->loop.n);
      finish_batch (rest, &d->sample, d->sample.n);
      finish_accesses (rest, words);
      rest->finish->n_unregistered += d->n_unregistered + d->n_unknown;
      rest->finish->n_raw += d->n_raw;
      *(cab_finish_chose (rest->finish, "tree") ? &rest->finish->n_finished : &rest->finish->n_unwanted) += d->n_resumes;
      if (rest->finish->shapes && rest->finish->rows)
	finish_rows (rest, words, taken, found);
      d->by_shape = false;
      if (rest->context)
	cab_context_words (rest->context, d, words, taken, rest->header->thread);
      words += taken;
      n -= taken;
    }
}

/* Words of whole events from WORDS on up to the first CLEAR, at most N.  A raw word may be CLEAR, too. */
uint64_t
cab_finish_written (const uint64_t *words, uint64_t n)
{
  uint64_t i = 0;
  while (i < n && words[i] != CAB_EV_CLEAR && cab_decode_raw (words[i]) < n - i)
    i += 1 + cab_decode_raw (words[i]);
  return i;
}

static void
finish_chunks (struct rest *rest)
{
  const struct cab_ring_header *h = rest->header;
  uint64_t stride = h->chunk_slots + CAB_RING_RED_SLOTS;
  for (uint64_t c = h->tail; c < h->head; c++)
    {
      uint32_t used = h->used[c % h->n_chunks];
      finish_words (rest, rest->slots + c % h->n_chunks * stride, used < stride ? used : 0, true);
    }
  const uint64_t *open = rest->slots + h->head % h->n_chunks * stride;
  if (h->entered == h->head + 1)
    finish_words (rest, open, cab_finish_written (open, stride - 1), false);
}

/* CAB: from the tail around the end, up to the first CLEAR. */
static void
finish_cab (struct rest *rest)
{
  uint64_t from = rest->header->tail % rest->n_slots;
  uint64_t n = cab_finish_written (rest->slots + from, rest->n_slots - from);
  finish_words (rest, rest->slots + from, n, false);
  if (from + n == rest->n_slots)
    finish_words (rest, rest->slots, cab_finish_written (rest->slots, from), false);
}

/* Is the header what a ring of BYTES bytes can have? */
bool
cab_finish_sound (const struct cab_ring_header *h, uint64_t bytes)
{
  if (bytes < CAB_RING_HEADER_BYTES || h->n_chunks < 1 || h->n_chunks > 256 || !h->chunk_slots || h->chunk_slots > 1u << 28)
    return false;
  bool chunks = h->type == CAB_RING_CHUNK;
  uint64_t slots = (uint64_t) h->n_chunks * (h->chunk_slots + (chunks ? CAB_RING_RED_SLOTS : 0)) + !chunks;
  return (chunks || h->type == CAB_RING_CAB) && slots <= (bytes - CAB_RING_HEADER_BYTES) / 8
	 && (!chunks || (h->head >= h->tail && h->head - h->tail <= h->n_chunks));
}

/* Do analyses of the process take accesses, and how? */
static void
note_accesses (struct cab_finish *finish)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *analysis = analysis_of (choice.name);
      if (analysis && analysis->kinds >> CAB_EV_ACCESS & 1)
	*(analysis->wants & CAB_WANTS_SHAPES ? &finish->shapes : &finish->rows) = true;
    }
}

static void
finish_ring (struct cab_finish *finish, const struct cab_part *part, uint32_t number, const struct cab_decode_records *records)
{
  struct cab_diag diag;
  uint64_t bytes;
  void *copy = cab_part_area (part, CAB_EXT_RING, number, &bytes, &diag);
  const struct cab_ring_header *h = copy;
  if (!copy)
    {
      if (bytes)
	problem (finish, &diag);
      return;
    }
  if (!cab_finish_sound (h, bytes))
    {
      cab_part_refuse (part->path, &diag, "ring %u is damaged: what it still held is lost", number);
      problem (finish, &diag);
      free (copy);
      return;
    }
  struct rest rest = { .finish = finish, .part = part, .number = number, .header = h, .n_slots = (uint64_t) h->n_chunks * h->chunk_slots };
  rest.slots = (const uint64_t *) ((const char *) copy + CAB_RING_HEADER_BYTES);
  rest.decode = XCNEW (struct cab_decode);
  rest.decode->records = records;
  memcpy (rest.seen, h->seen[(h->type == CAB_RING_CHUNK ? h->tail : h->tail / h->chunk_slots) & 1], sizeof rest.seen);
  begin_context (&rest);
  if (h->type == CAB_RING_CHUNK)
    finish_chunks (&rest);
  else
    finish_cab (&rest);
  free (rest.context);
  free (rest.decode);
  free (copy);
}

static void
finish_rings (struct cab_finish *finish, const struct cab_part *part)
{
  uint32_t cursor = 0;
  note_accesses (finish);
  struct cab_finish_records *records = finish->shapes || finish->rows ? cab_finish_records_open (part) : NULL;
  for (int64_t ring; (ring = cab_part_next_owner (part, CAB_EXT_RING, &cursor)) >= 0;)
    finish_ring (finish, part, ring, records ? cab_finish_records_source (records) : NULL);
  if (records)
    cab_finish_records_close (records);
}

/* In which order states came to be is a matter of which thread's events came first: reports number what they find as they find it, and the same
   run is to be told the same way each time.  A ring's states stay in their order. */
static void
sort_by_ring (struct cab_finish *finish)
{
  for (uint32_t i = 1; i < finish->n_arenas; i++)
    {
      struct cab_finish_arena one = finish->arenas[i];
      uint32_t at = i;
      for (; at > 0 && finish->arenas[at - 1].ring > one.ring; at--)
	finish->arenas[at] = finish->arenas[at - 1];
      finish->arenas[at] = one;
    }
}

void
cab_finish_part (struct cab_finish *finish, const struct cab_part *part)
{
  struct cab_diag diag;
  memset (finish, 0, sizeof *finish);
  finish->arenas = XCNEWVEC (struct cab_finish_arena, part->header->n_arenas + 1);
  cab_finish_chosen (cab_part_string (part, part->header->options), finish->analyses, sizeof finish->analyses);
  for (uint32_t i = 0; i < part->header->n_arenas; i++)
    if (load_arena (part, i, &finish->arenas[finish->n_arenas], &diag) == 0)
      finish->n_arenas++;
    else
      problem (finish, &diag);
  if (!part->alive)
    finish_rings (finish, part);
  sort_by_ring (finish);
}

void
cab_finish_fini (struct cab_finish *finish)
{
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    cab_heap_fini (&finish->arenas[i].arena);
  free (finish->arenas);
  free (finish->problems);
  memset (finish, 0, sizeof *finish);
}

/* Who wants nodes needs the tree: a running process sees to that by itself. */
static void
add_tree (struct cab_finish *finish)
{
  size_t at = strlen (finish->analyses);
  if (kinds_with_nodes (finish) && !cab_finish_chose (finish, "tree"))
    snprintf (finish->analyses + at, sizeof finish->analyses - at, "+tree");
}

struct cab_finish_stream
{
  struct cab_finish *finish;
  const struct cab_part *part;
  const struct cab_decode_records *records;
  uint32_t n_rings;
  struct rest **rings;
};

struct cab_finish_stream *
cab_finish_stream_new (struct cab_finish *finish, const struct cab_part *part, const char *analyses, const struct cab_decode_records *records)
{
  struct cab_finish_stream *s = XCNEW (struct cab_finish_stream);
  memset (finish, 0, sizeof *finish);
  snprintf (finish->analyses, sizeof finish->analyses, "%s", analyses);
  s->finish = finish;
  s->part = part;
  add_tree (finish);
  note_accesses (finish);
  s->records = finish->shapes || finish->rows ? records : NULL;
  return s;
}

static struct rest *
ring_of (struct cab_finish_stream *s, uint32_t number)
{
  for (uint32_t i = 0; i < s->n_rings; i++)
    if (s->rings[i]->number == number)
      return s->rings[i];
  struct rest *rest = XCNEW (struct rest);
  *rest = (struct rest) { .finish = s->finish, .part = s->part, .number = number, .header = XCNEW (struct cab_ring_header) };
  rest->decode = XCNEW (struct cab_decode);
  rest->decode->records = s->records;
  begin_context (rest);
  s->rings = XRESIZEVEC (struct rest *, s->rings, s->n_rings + 1);
  s->rings[s->n_rings++] = rest;
  return rest;
}

void
cab_finish_stream_words (struct cab_finish_stream *s, uint32_t ring, uint32_t thread, const uint64_t *words, size_t n)
{
  struct rest *rest = ring_of (s, ring);
  ((struct cab_ring_header *) rest->header)->thread = thread;
  finish_words (rest, words, n, true);
}

void
cab_finish_stream_free (struct cab_finish_stream *s)
{
  for (uint32_t i = 0; i < s->n_rings; i++)
    {
      free ((struct cab_ring_header *) s->rings[i]->header);
      free (s->rings[i]->context);
      free (s->rings[i]->decode);
      free (s->rings[i]);
    }
  free (s->rings);
  free (s);
}
