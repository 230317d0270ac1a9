/* feed.c - see feed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/feed.h"

#include <string.h>

#include "analyses/live/cache/cache_cut.h"
#include "analyses/live/selection.h"
#include "analyses/live/user_analysis.h"
#include "rt/base/hide.h"
#include "analyses/live/context.h"
#include "analyses/wire/decode.h"
#include "rt/engine/feed/access.h"
#include "rt/engine/feed/delegates.h"
#include "rt/engine/feed/feed_arenas.h"
#include "rt/engine/feed/feed_keyed.h"
#include "rt/engine/feed/feed_levels.h"
#include "rt/engine/feed/feed_make.h"
#include "rt/engine/feed/feed_serial.h"
#include "rt/engine/feed/feed_sets.h"
#include "rt/base/rt.h"
#include "rt/engine/feed/sections.h"

#define PREPARED_BYTES (1u << 20)   /* of an arena that may be unable to grow later */
#define SEEN_MOST 65536u   /* accesses */
/* Find the counters of function FN, for struct cab_functions.  Any time, any thread. */
static int
counters_of (void *host, uint32_t fn, uint64_t *first, uint32_t *n)
{
  (void) host;
  if (fn == 0 || fn > __atomic_load_n (&cab_rt.part.header->n_functions, __ATOMIC_ACQUIRE))
    return 0;
  const struct cab_part_function *f = (void *) cab_rt.functions.base;
  f += fn - 1;
  *first = f->count_offset / 8;
  *n = f->n_counters;
  return f->n_counters > 0;
}

static const char *
name_of (void *host, uint32_t fn, size_t *n)
{
  (void) host;
  return cab_access_name (fn, n);
}

static int
traces_paths (void *host)
{
  (void) host;
  return (__atomic_load_n (&cab_rt.row_flags, __ATOMIC_RELAXED) & CAB_ROW_PATHS_TRACE) != 0;
}

static const struct cab_functions functions = { NULL, counters_of, name_of, traces_paths };

static int
feed_wanted (struct cab_feed_state *s, uint32_t ring, const struct cab_batch *batch)
{
  if (s->keyed)
    return cab_feed_keyed_rows (s, ring, batch);
  if (!cab_feed_ready (s, ring, batch->thread))
    return -1;
  if (s->cutter)
    {
      cab_section_cut (s->cutter, batch);
      return 1;
    }
  s->analysis->feed (&s->arena, batch, &functions);
  s->fed += s->n_parts ? cab_batch_events (batch) : 0;
  if (s->arena.used != cab_feed_row (s)->used_bytes)
    cab_feed_publish (s);
  return 1;
}

/* A user's analysis may call code of the program's, with probes: they count nowhere. */
int
cab_feed_batch (struct cab_feed_state *s, uint32_t ring, const struct cab_batch *batch)
{
  struct cab_hidden hidden;
  if ((batch->n == 0 && !cab_context_stack_wanted (s->analysis))
      || !(s->analysis->kinds >> batch->kind & 1))
    return 0;
  if (!cab_user_is (s->analysis))
    return feed_wanted (s, ring, batch);
  cab_hide (&hidden);
  int result = feed_wanted (s, ring, batch);
  cab_hide_end (&hidden);
  return result;
}

/* Return nonzero if S is fed in program order, with the tree. */
static int
in_context (const struct cab_feed *feed, const struct cab_feed_state *s)
{
  return feed->context
      && (s == feed->tree || s == feed->levels || cab_context_wanted (s->analysis));
}

/* Return true if S takes what the decoder produces in its present form of accesses.  If not, it is
   fed later. */
static bool
takes_now (const struct cab_feed *feed, const struct cab_feed_state *s, unsigned kind)
{
  bool by_shape = s->analysis->wants & CAB_WANTS_SHAPES,
       by_region = s->analysis->wants & CAB_WANTS_REGIONS;
  return !s->serial && !cab_feed_takes_runs (s->analysis) && !in_context (feed, s)
      && ((kind != CAB_EV_ACCESS && kind != CAB_EV_VALUE)
	  || (by_shape == feed->decode->by_shape && by_region == feed->decode->by_region));
}

/* Open the state of S if need be, before its turn to get BATCH.  Return 1, or -1 if it has no
   room. */
static int
prepare (struct cab_feed_state *s, uint32_t ring, const struct cab_batch *batch)
{
  struct cab_hidden hidden;
  s = s->serial ? s->serial : s;
  if (s->keyed)
    return 1;
  if (!cab_user_is (s->analysis))
    return cab_feed_ready (s, ring, batch->thread) ? 1 : -1;
  cab_hide (&hidden);
  int result = cab_feed_ready (s, ring, batch->thread) ? 1 : -1;
  cab_hide_end (&hidden);
  return result;
}

/* Return the kinds of batches that are made from events that come in batches of KIND. */
static uint32_t
made_from (unsigned kind)
{
  return kind == CAB_EV_ACCESS ? 1u << CAB_EV_VALUE
       : kind == CAB_EV_CALL ? 1u << CAB_EV_TIMED
       : 0;
}

/* Feed BATCH to S, or make sure that it can be fed later.  Return 0 if S takes nothing of it, else
   1, or -1 if S has no room. */
static int
hand_on (struct cab_feed *feed, struct cab_feed_state *s, uint32_t ring,
	 const struct cab_batch *batch)
{
  uint32_t kinds = s->analysis->kinds;
  if (!(kinds >> batch->kind & 1))
    return !(kinds & made_from (batch->kind)) ? 0 : s->failed ? -1 : 1;
  if (batch->n == 0 || feed->is_dry)
    return (s->serial ? s->serial : s)->failed ? -1 : 1;   /* a region without accesses */
  return batch->burst || takes_now (feed, s, batch->kind) ? cab_feed_batch (s, ring, batch)
							   : prepare (s, ring, batch);
}

void
cab_feed_gathered (struct cab_feed *feed, uint32_t ring, const struct cab_batch *batch,
		   uint64_t events)
{
  int fed = 0, failed = 0;
  if (!batch->n && !events)
    return;
  for (uint32_t i = 0; i < feed->n; i++)
    {
      int result = hand_on (feed, &feed->states[i], ring, batch);
      fed |= result > 0;
      failed |= result < 0;
    }
  feed->account.total[batch->kind] += cab_batch_events (batch);
  *(fed && !failed ? &feed->account.tally.analysed
		   : &feed->account.tally.dropped[failed ? CAB_DROP_NO_MEMORY : CAB_DROP_UNWANTED])
    += events;
}

/* Feed accesses to S, and count those that come with rows of loops, of which there are more. */
static void
feed_loop_rows (struct cab_feed *feed, struct cab_feed_state *s, uint32_t ring)
{
  cab_feed_batch (s, ring, &feed->decode->access);
  if (feed->decode->loops)
    feed->account.total[CAB_SEEN_LOOP_ROWS] += cab_batch_events (&feed->decode->access);
}

static void
feed_runs (struct cab_feed *feed, struct cab_feed_state *s, uint32_t ring, uint32_t thread,
	   const uint64_t *words, size_t n)
{
  feed->decode->by_shape = feed->decode->by_region = false;
  feed->decode->loops = s->analysis->wants & CAB_WANTS_LOOPS;
  feed->decode->stretches = s->analysis->wants & CAB_WANTS_STRETCHES;
  while (n > 0)
    {
      size_t taken = cab_decode (feed->decode, words, cab_decode_run (words, n), thread);
      cab_feed_batch (s, ring, &feed->decode->call);
      cab_feed_batch (s, ring, &feed->decode->path);
      feed_loop_rows (feed, s, ring);
      cab_feed_batch (s, ring, &feed->decode->loop);
      cab_feed_batch (s, ring, &feed->decode->sample);
      while (cab_decode_pending (feed->decode))
	{
	  cab_decode (feed->decode, words, 0, thread);
	  feed_loop_rows (feed, s, ring);
	}
      words += taken;
      n -= taken;
    }
  feed->decode->loops = false;
}

static void
context_calls (void *host, const struct cab_batch *batch)
{
  struct cab_feed *feed = host;
  cab_feed_batch (feed->tree, feed->ring, batch);
}

static void
context_rest (void *host, const struct cab_batch *batch)
{
  struct cab_feed *feed = host;
  bool cut = feed->levels && batch->kind == CAB_EV_ACCESS;
  for (uint32_t i = 0; i < feed->n; i++)
    if (cab_context_wanted (feed->states[i].analysis)
	&& !(cut && cab_context_level_wanted (feed->states[i].analysis)))
      cab_feed_batch (&feed->states[i], feed->ring, batch);
  if (cut)
    cab_feed_levels (feed, batch);
}

static struct cab_arena *
context_tree (void *host)
{
  struct cab_feed *feed = host;
  return feed->tree->arena.base && !feed->tree->failed ? &feed->tree->arena : NULL;
}

/* Begin with the context, for analyses that want nodes.  Without memory for it those get no
   events. */
static void
begin_context (struct cab_feed *feed, uint32_t kinds)
{
  feed->context = cab_feed_memory (sizeof *feed->context);
  if (!feed->context)
    return;
  feed->context->host = feed;
  feed->context->kinds = kinds;
  for (uint32_t i = 0; i < feed->n; i++)
    feed->context->is_ordered |= cab_context_stack_wanted (feed->states[i].analysis);
  feed->context->calls = context_calls;
  feed->context->rest = context_rest;
  feed->context->tree = context_tree;
}

int
cab_feed_begin (struct cab_feed *feed)
{
  uint32_t wanted;
  if (feed->decode)
    return 1;
  if (!cab_feed_make (feed, &functions, &wanted))
    return 0;
  if (wanted)
    begin_context (feed, wanted);
  cab_feed_sets_begin (feed);
  return 1;
}

/* Decode N words from WORDS on (N may be 0) of pending accesses.  Where they are cut into sections,
   events of regions go directly there. */
static size_t
decode (struct cab_feed *feed, const uint64_t *words, size_t n, uint32_t thread)
{
  struct cab_decode *d = feed->decode;
  struct cab_decode_place place = { .each = CAB_SECTION_PIECE };
  if (d->by_region && feed->cut && feed->cut->cutter)
    {
      place.at = cab_section_place (feed->cut->cutter, &place.n, &place.accesses);
      d->into = &place;
    }
  return cab_decode (d, words, n, thread);
}

/* Feed the batches of accesses, and those that follow without further words. */
static void
feed_accesses (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words)
{
  struct cab_decode *d = feed->decode;
  uint64_t events = d->n_accesses;
  feed->nest = (struct cab_feed_nest) { .began = feed->account.tally.accesses };
  if (d->shapes.n)
    {
      feed->account.tally.accesses += d->shapes.accesses;
      cab_feed_gathered (feed, ring, &d->shapes, events);
      events = 0;
    }
  feed->account.tally.accesses += d->access.n;
  cab_feed_gathered (feed, ring, &d->access, events);
  cab_feed_gathered (feed, ring, &d->value, 0);
  while (cab_decode_pending (d))
    {
      if (d->expand.paused && d->pauses)
	cab_feed_nest_pause (feed);
      decode (feed, words, 0, thread);
      feed->account.tally.accesses += d->shapes.accesses + d->access.n;
      cab_feed_gathered (feed, ring, &d->shapes, 0);
      cab_feed_gathered (feed, ring, &d->access, 0);
      cab_feed_gathered (feed, ring, &d->value, 0);
    }
}

/* Feed the same words to the analyses that take accesses by region, or one by one. */
static void
feed_again (struct cab_feed *feed, bool by_region, uint32_t ring, uint32_t thread,
	    const uint64_t *words, size_t n)
{
  struct cab_decode *d = feed->decode;
  d->by_shape = false;
  d->by_region = by_region;
  while (n > 0 || cab_decode_pending (d))
    {
      size_t taken = decode (feed, words, cab_decode_pending (d) ? 0 : n, thread);
      for (uint32_t i = 0; i < feed->n; i++)
	if (takes_now (feed, &feed->states[i], CAB_EV_ACCESS))
	  {
	    cab_feed_batch (&feed->states[i], ring, &d->shapes);
	    cab_feed_batch (&feed->states[i], ring, &d->access);
	    cab_feed_batch (&feed->states[i], ring, &d->value);
	  }
      feed->account.total[CAB_EV_VALUE] += d->value.n;
      words += taken;
      n -= taken;
    }
}

/* Feed one window of words; analyses that take runs are fed last, since they decode it for
   themselves.  SKIPPED: accesses are decoded by shape, which nobody takes. */
static size_t
feed_window (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words, size_t n,
	     bool skipped)
{
  struct cab_decode *d = feed->decode;
  d->n_unknown = d->n_unregistered = d->n_raw = d->n_accesses = d->n_resumes = 0;
  bool nobody = !feed->regions && !feed->rows;   /* takes accesses of this pass */
  d->by_shape = feed->shapes || skipped || nobody;
  d->by_region = feed->regions && !d->by_shape;
  d->pauses = d->by_region && cab_feed_may_skip (feed) && feed->cut->cutter;
  size_t taken = decode (feed, words, n, thread);
  cab_feed_gathered (feed, ring, &d->call, d->call.n);
  cab_feed_gathered (feed, ring, &d->path, d->path.n - d->n_extra);
  cab_feed_gathered (feed, ring, &d->loop, d->loop.n);
  cab_feed_gathered (feed, ring, &d->sample, d->sample.n);
  cab_feed_gathered (feed, ring, &d->timed, 0);
  feed_accesses (feed, ring, thread, words);
  feed->account.tally.dropped[CAB_DROP_UNREGISTERED] += d->n_unregistered + d->n_unknown;
  feed->account.tally.raw_words += d->n_raw;
  *(feed->tree || feed->kinds >> CAB_EV_TIMED & 1
    ? &feed->account.tally.analysed
    : &feed->account.tally.dropped[CAB_DROP_UNWANTED])
    += d->n_resumes;
  if (feed->shapes && feed->regions)
    feed_again (feed, true, ring, thread, words, taken);
  if ((feed->shapes || feed->regions) && feed->rows)
    feed_again (feed, false, ring, thread, words, taken);
  for (uint32_t i = 0; i < feed->n; i++)
    if (cab_feed_takes_runs (feed->states[i].analysis) && !in_context (feed, &feed->states[i])
	&& !feed->states[i].serial)
      feed_runs (feed, &feed->states[i], ring, thread, words, taken);
  feed->ring = ring;
  d->by_shape = d->by_region = d->pauses = false;
  if (feed->context)
    cab_context_words (feed->context, d, words, taken, thread);
  return taken;
}

void
cab_feed_words (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words,
		size_t n)
{
  if (!cab_feed_begin (feed))
    for (; n > 0; words++, n--)
      {
	size_t raw = cab_decode_raw (*words);
	raw = raw < n ? raw : n - 1;
	feed->account.tally.dropped[CAB_DROP_NO_MEMORY]++;
	feed->account.tally.raw_words += raw;
	words += raw;
	n -= raw;
      }
  while (n > 0)
    {
      size_t taken = feed_window (feed, ring, thread, words, n, false);
      words += taken;
      n -= taken;
    }
  if (feed->delegates)
    cab_delegates_flush (feed->delegates);
}

void
cab_feed_serial_words (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words,
		       size_t n)
{
  for (uint32_t i = 0; cab_feed_serial_any () && cab_feed_begin (feed) && i < feed->n; i++)
    if (feed->states[i].serial)
      feed_runs (feed, feed->states[i].serial, ring, thread, words, n);
}

bool
cab_feed_peeks (void)
{
  const struct cab_selection *chosen = cab_feed_chosen ();
  return chosen->n == 1 && chosen->v[0].analysis->sectioned;
}

bool
cab_feed_may_skip (const struct cab_feed *feed)
{
  return feed->cut && feed->n == 1;
}

void
cab_feed_skip_words (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words,
		     size_t n)
{
  for (size_t taken; n > 0; words += taken, n -= taken)
    taken = feed_window (feed, ring, thread, words, n, true);
}

void
cab_feed_skipped_words (struct cab_feed *feed, uint32_t ring, uint32_t thread,
			const uint64_t *words, size_t n)
{
  feed_again (feed, true, ring, thread, words, n);
  feed->decode->by_region = false;
}

bool
cab_feed_may_cut (struct cab_feed *feed)
{
  return cab_feed_begin (feed) && feed->cut;
}

uint64_t
cab_feed_look (struct cab_feed *feed, uint32_t thread, const uint64_t *words, uint64_t *n)
{
  struct cab_decode *d = feed->decode;
  uint64_t accesses = 0, at = 0;
  d->by_shape = false;
  d->by_region = true;
  while ((at < *n || cab_decode_pending (d)) && accesses < SEEN_MOST)
    {
      at += cab_decode (d, words + at, cab_decode_pending (d) ? 0 : *n - at, thread);
      accesses += d->shapes.accesses + d->access.n;
    }
  d->by_region = false;
  d->expand.n_accesses = 0;   /* an event that is under way is decoded again, from its beginning */
  *n = at;
  return accesses;
}

bool
cab_feed_cut (struct cab_feed *feed, uint32_t ring, uint32_t thread, void (*front) (void *argument),
	      void (*mark) (void *argument), void *argument)
{
  struct cab_feed_state *s = feed->cut;
  const uint64_t *made = feed->decode->made;
  return cab_feed_ready (s, ring, thread)
      && cab_sections_run (feed->sections, s, made, made + sizeof feed->decode->made / sizeof *made,
			   front, mark, argument, cab_feed_is_helped ());
}

struct cab_feed_account
cab_feed_account (struct cab_feed *feed)
{
  struct cab_feed_account account = feed->account;
  if (feed->context)
    account.total[0] = cab_context_mark (feed->context);
  memset (&feed->account.tally, 0, sizeof feed->account.tally);
  return account;
}

void
cab_feed_put_account (struct cab_feed *feed, const struct cab_feed_account *account,
		      struct cab_ring_header *header, unsigned bank)
{
  const uint64_t *from = (const uint64_t *) &account->tally;
  uint64_t *to = (uint64_t *) cab_ledger ();
  for (uint32_t i = 0; i < feed->n; i++)
    if (feed->states[i].keyed)
      cab_feed_keyed_note (&feed->states[i], bank);
  cab_feed_serial_note (bank);
  memcpy (header->seen[bank & 1], account->total, sizeof header->seen[0]);
  header->timed[bank & 1] = account->total[CAB_EV_TIMED];
  header->levelled[bank & 1] = account->levelled;
  for (size_t i = 0; i < sizeof account->tally / sizeof *from; i++)
    if (from[i])
      cab_ledger_add (&to[i], from[i]);
}

static void
grow_prepared (struct cab_feed_state *s)
{
  if (s->arena.cap < PREPARED_BYTES)
    (void) s->arena.grow (&s->arena, PREPARED_BYTES);
}

void
cab_feed_prepare (struct cab_feed *feed, uint32_t ring, uint32_t thread, uint32_t kinds)
{
  cab_feed_serial_lock ();
  for (uint32_t i = 0; cab_feed_begin (feed) && i < feed->n; i++)
    {
      struct cab_feed_state *s = feed->states[i].serial ? feed->states[i].serial : &feed->states[i];
      if (!(s->analysis->kinds & kinds))
	continue;
      for (uint32_t k = 0; s->keyed && k < s->keyed->n; k++)
	if (cab_feed_keyed_ready (s, k, ring, thread))
	  grow_prepared (&s->keyed->part[k]);
      if (!s->keyed && cab_feed_ready (s, ring, thread))
	grow_prepared (s);
    }
  cab_feed_serial_end ();
}
