/* ring_chunk.c - the chunk-published ring: see ring.h.
 *
 * The producer writes a chunk's slots without reading the consumer's state, ends the chunk by
 * `used` and `head`, and enters the next one once that was consumed.  Nothing is cleared, so cache
 * lines travel one way.  Chunk number n (from 0, ever) is at place n % n_chunks.  A chunk ends
 * where it is full, or earlier: it should take the producer some 50 us.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring.h"

#include <string.h>

#include "analyses/live/cache/sectioned.h"
#include "rt/base/control_page.h"
#include "rt/engine/ring/consumer.h"
#include "analyses/wire/decode.h"
#include "rt/filters/filters.h"
#include "rt/engine/ring/rest.h"
#include "rt/engine/ring/ring_fill.h"
#include "rt/engine/feed/sections.h"
#include "rt/engine/ring/trace.h"

#define SOME 512u            /* words that are examined */
#define CLEARED 64           /* words */
#define FETCHED 4096u        /* least words of a chunk whose pages are fetched before they are
				used */
#define MANY_ACCESSES 16u    /* per word */

static size_t
slots (uint32_t n_chunks, uint32_t chunk_slots)
{
  return (size_t) n_chunks * (chunk_slots + CAB_RING_RED_SLOTS);
}

static uint64_t *
chunk_at (const struct cab_ring *r, uint64_t chunk)
{
  return r->slots + chunk % r->n_chunks * CAB_CHUNK_STRIDE (r);
}

/* Return nonzero if the producer may write chunk `head`. */
static int
has_room (const struct cab_ring *r)
{
  return r->header->head - __atomic_load_n (&r->header->tail, __ATOMIC_ACQUIRE) < r->n_chunks;
}

/* Return the offset of slot SLOT of the chunk at PLACE, in bytes of the ring's area. */
static uint64_t
offset_of (const struct cab_ring *r, uint32_t place, uint32_t slot)
{
  return CAB_RING_HEADER_BYTES + ((uint64_t) place * CAB_CHUNK_STRIDE (r) + slot) * 8;
}

/* Back FILL words of chunk number CHUNK with blocks, where the ring has few yet.  Return 0 or
   -errno.  Under the lock. */
static int
back (struct cab_ring *r, uint64_t chunk, uint64_t fill)
{
  uint64_t end = cab_round_up (offset_of (r, chunk % r->n_chunks, fill + CAB_RING_RED_SLOTS), CAB_PAGE_BYTES);
  end = end < r->area.bytes ? end : r->area.bytes;
  int error = end > r->backed ? cab_part_back (&cab_rt.part, CAB_EXT_RING, r->number, r->backed, end - r->backed) : 0;
  if (error == 0 && end > r->backed)
    r->backed = end;
  return error;
}

static int
prepare (struct cab_ring *r)
{
  return back (r, r->header->head, r->fill ? r->fill : cab_fill_first (r->chunk_slots));
}

/* Back the chunk after the one that is being written, however far it will be filled.  Return 0 or
   -errno. */
static int
back_next (struct cab_ring *r)
{
  uint64_t fill = 2 * (uint64_t) r->fill < r->chunk_slots ? 2 * (uint64_t) r->fill : r->chunk_slots;
  if (r->backed == r->area.bytes)
    return 0;
  cab_lock (&cab_rt.lock);
  int error = back (r, r->header->head + 1, fill);
  if (error < 0)
    cab_rt_no_room (error);
  cab_unlock (&cab_rt.lock);
  return error;
}

/* Fetch the pages of chunk `head', which is to be filled further than ever before; they become
   zero.  Pages that it shares with its neighbours may hold words of theirs; where the next chunk
   has been entered, the shared page is in memory.  Otherwise pages would be read from the disk one
   by one, with read-ahead. */
static void
fetch (struct cab_ring *r)
{
  uint64_t head = r->header->head;
  uint32_t place = head % r->n_chunks, from = r->fetched[place], to = r->fill + CAB_RING_RED_SLOTS;
  uint64_t first = offset_of (r, place, from), behind = cab_round_up (offset_of (r, place, to), CAB_PAGE_BYTES), end = offset_of (r, place + 1, 0);
  uint64_t before = from ? first : place ? offset_of (r, place - 1, r->fetched[place - 1]) : CAB_RING_HEADER_BYTES;
  first = first / CAB_PAGE_BYTES * CAB_PAGE_BYTES;
  before = cab_round_up (before, CAB_PAGE_BYTES);
  first = first > before ? first : before;
  if (behind > end && head >= r->n_chunks)
    behind = end / CAB_PAGE_BYTES * CAB_PAGE_BYTES;
  behind = behind < r->area.bytes ? behind : r->area.bytes;
  r->fetched[place] = to;
  if (!head || r->fill < FETCHED || first >= behind)
    return;
  cab_part_fetch (&cab_rt.part, CAB_EXT_RING, r->number, first, behind - first);
  r->since = cab_monotonic_ns ();
}

/* Direct the next event to P.  While the runtime is at work on the ring, events of instrumented
   code that it calls are stashed like those of a handler. */
static void
set_cursor (struct cab_ring *r, struct cab_ctx *ctx, const uint64_t *p)
{
  struct cab_cursor *c = &r->header->cursor;
  __atomic_store_n (&c->limit, (uintptr_t) (r->chunk + r->fill), __ATOMIC_RELAXED);
  __atomic_store_n (&c->next, (uintptr_t) p | (ctx->busy ? CAB_CURSOR_BUSY : 0), __ATOMIC_RELEASE);
  cab_rest_look (r, c);
}

/* Enter chunk `head', which was consumed.  `entered' is stored last: a reader of a dead process
   looks into the chunk only once it is entered, and so empty. */
static void
enter (struct cab_ring *r, struct cab_ctx *ctx)
{
  struct cab_ring_header *h = r->header;
  if (r->fill + CAB_RING_RED_SLOTS > r->fetched[h->head % r->n_chunks])
    fetch (r);
  r->chunk = chunk_at (r, h->head);
  r->chunk[r->fill + CAB_RING_RED_SLOTS - 1] = CAB_EV_MAGIC;
  set_cursor (r, ctx, r->chunk);
  __atomic_store_n (&h->entered, h->head + 1, __ATOMIC_RELEASE);
}

/* Choose how far the next chunk is filled, from the time that the chunk just published took. */
static void
fit_fill (struct cab_ring *r)
{
  uint64_t now = r->header->stamp[(r->header->head - 1) % r->n_chunks];
  r->fill = cab_fill_next (r->fill, r->chunk_slots, now - r->since);
  r->since = now;
}

/* Return true if the producer waits for a chunk, or soon will, or sends no more, so that the
   analysis is the bottleneck. */
static bool
is_behind (const struct cab_ring *r)
{
  return 2 * (__atomic_load_n (&r->header->head, __ATOMIC_RELAXED) - __atomic_load_n (&r->header->tail, __ATOMIC_RELAXED)) > r->n_chunks || __atomic_load_n (&r->ending, __ATOMIC_RELAXED);
}

/* Publish the chunk, which ends at P. */
static void
publish (struct cab_ring *r, const uint64_t *p)
{
  struct cab_ring_header *h = r->header;
  uint32_t place = h->head % r->n_chunks;
  h->used[place] = p - r->chunk;
  h->stamp[place] = cab_monotonic_ns ();
  cab_ledger_add (&cab_ledger ()->enqueued, p - r->chunk);
  __atomic_store_n (&h->head, h->head + 1, __ATOMIC_RELEASE);
  cab_consumer_wake (r->number, !is_behind (r));
}

/* Return where the next event goes.  A position outside the chunk is that of an enqueue whose ring
   was overtaken (ring_seize.h) but could not move, and which resumed: what it did to the chunk is
   unknown. */
static uint64_t *
position (const struct cab_ring *r)
{
  uint64_t *p = (uint64_t *) (__atomic_load_n (&r->header->cursor.next, __ATOMIC_RELAXED) & ~CAB_CURSOR_BUSY);
  return p >= r->chunk && p < r->chunk + CAB_CHUNK_STRIDE (r) ? p : r->chunk;
}

/* Return nonzero if the chunk after the one that is being written is free. */
static int
next_is_free (const struct cab_ring *r)
{
  return r->header->head + 1 - __atomic_load_n (&r->header->tail, __ATOMIC_ACQUIRE) < r->n_chunks;
}

/* Return true if the producer may enter the next chunk, for which it may then have to wait. */
static bool
may_go_on (struct cab_ring *r, struct cab_ctx *ctx)
{
  return cab_is_blind (ctx) ? r->backed == r->area.bytes && cab_ring_wait (r, next_is_free) : back_next (r) == 0;
}

/* Wait for a free chunk, or analyse one; that time does not count for the next chunk. */
static void
wait_for_room (struct cab_ring *r)
{
  if (has_room (r) && cab_consumer_serves (r->number))
    return;
  cab_ring_wait (r, has_room);
  r->since = cab_monotonic_ns ();
}

/* Clear slots from P on for the next events of a module that speaks CAB, whose event came by its
   gate. */
static void
clear_ahead (const struct cab_ring *r, uint64_t *p)
{
  uint64_t *end = r->chunk + r->fill;
  if (p < end)
    memset (p, 0, (end - p < CLEARED ? end - p : CLEARED) * sizeof *p);
}

/* Return true if a request to publish what the ring holds is new, and record it as fulfilled. */
static bool
has_to_publish (struct cab_ring *r)
{
  uint64_t asked = __atomic_load_n (&cab_control_page ()->flush, __ATOMIC_ACQUIRE);
  bool has_to = asked != r->header->flushed;
  __atomic_store_n (&r->header->flushed, asked, __ATOMIC_RELAXED);
  return has_to;
}

/* Store EVENT, then the cursor: a reader of the unpublished chunk sees the event whole or not at
   all. */
static int
put (struct cab_ring *r, struct cab_ctx *ctx, const uint64_t *event)
{
  uint64_t *p = position (r);
  uint32_t n = cab_ring_words (*event);
  bool is_full = p >= r->chunk + r->fill, ends = has_to_publish (r) && p > r->chunk;
  if ((is_full || ends) && !may_go_on (r, ctx))
    {
      if (is_full)
	return -1;
      ends = false;
    }
  if (is_full || ends)
    {
      publish (r, p);
      if (is_full)
	fit_fill (r);
      if (!cab_is_blind (ctx))
	wait_for_room (r);
      enter (r, ctx);
      p = r->chunk;
    }
  memcpy (p, event, n * sizeof *p);
  if (!ctx->busy)
    clear_ahead (r, p + n);
  set_cursor (r, ctx, p + n);
  return 0;
}

static void
end (struct cab_ring *r)
{
  const uint64_t *p = position (r);
  if (p == r->chunk)
    return;
  publish (r, p);
}

/* The last producer may have ended with all chunks full; they have been drained since. */
static void
begin (struct cab_ring *r, struct cab_ctx *ctx)
{
  cab_lock (&r->lock);
  r->open_words = 0;
  r->is_hidden = false;
  cab_rounds_clear (&r->rounds);
  r->fill = r->fill ? r->fill : cab_fill_first (r->chunk_slots);
  r->since = cab_monotonic_ns ();
  enter (r, ctx);
  cab_unlock (&r->lock);
}

static void
hide (struct cab_ring *r)
{
  cab_lock (&r->lock);
  r->is_hidden = true;
  cab_unlock (&r->lock);
}

static int
ready (const struct cab_ring *r)
{
  return __atomic_load_n (&r->header->head, __ATOMIC_ACQUIRE) != __atomic_load_n (&r->header->tail, __ATOMIC_RELAXED);
}

static uint32_t
used_of (const struct cab_ring *r, uint64_t chunk)
{
  uint32_t used = r->header->used[chunk % r->n_chunks];
  return used < CAB_CHUNK_STRIDE (r) ? used : 0;
}

/* Record that WORDS more words stood for ACCESSES.  Older words weigh less. */
static void
note_seen (struct cab_ring *r, uint64_t words, uint64_t accesses)
{
  bool many = r->words_seen >= r->chunk_slots;
  r->words_seen = (r->words_seen >> many) + words;
  r->accesses_seen = (r->accesses_seen >> many) + accesses;
}

/* Analyse chunk number CHUNK by WORDS, which is passed the chunk's words. */
static void
feed_by (struct cab_ring *r, uint64_t chunk, void (*words) (struct cab_ring *r, const uint64_t *words, size_t n))
{
  const struct cab_ring_header *h = r->header;
  uint32_t used = used_of (r, chunk);
  uint64_t accesses = r->feed.account.tally.accesses;
  if (cab_trace_on ())
    cab_trace_chunk (r->number, h->thread, chunk, h->stamp[chunk % r->n_chunks], chunk_at (r, chunk), used);
  uint32_t open = r->open_words < used ? r->open_words : used;   /* fed before it was published */
  words (r, chunk_at (r, chunk) + open, used - open);
  r->open_words = 0;
  note_seen (r, used - open, r->feed.account.tally.accesses - accesses);
}

static void
feed_words (struct cab_ring *r, const uint64_t *words, size_t n)
{
  cab_feed_words (&r->feed, r->number, r->header->thread, words, n);
}

static void
feed (struct cab_ring *r, uint64_t chunk)
{
  feed_by (r, chunk, feed_words);
}

/* Estimate how many accesses N words like those at WORDS stand for. */
static void
look (struct cab_ring *r, const uint64_t *words, size_t n)
{
  r->words_seen = n < SOME ? n : SOME;
  r->accesses_seen = cab_feed_look (&r->feed, r->header->thread, words, &r->words_seen);
}

/* Move tail after chunk `tail' has been analysed; ACCOUNT is the chunk's.  A producer that waits is
   woken where half of the chunks are free: to sleep and wake for each chunk takes longer than to
   fill it, and to wait for all of them would leave the analysis idle in turn. */
static void
move_tail (struct cab_ring *r, const struct cab_feed_account *account)
{
  struct cab_ring_header *h = r->header;
  uint64_t next = h->tail + 1;
  cab_feed_put_account (account, h, next & 1);
  __atomic_store_n (&h->tail, next, __ATOMIC_RELEASE);
  if (2 * (__atomic_load_n (&h->head, __ATOMIC_RELAXED) - next) <= r->n_chunks)
    cab_ring_moved (r);
}

/* Return true if sections pay.  They do if recent words stood for many accesses each, which is less
   work by sections, while the producer seldom needs a processor; or if a second thread helps, and
   the analysis is the bottleneck. */
static bool
sections_pay (const struct cab_ring *r)
{
  return r->accesses_seen && (r->accesses_seen >= MANY_ACCESSES * r->words_seen || (cab_feed_is_helped () && is_behind (r)));
}

/* Feed the rest of the left-out words, which the state has as words: whole rounds have been
   counted, and what there was of one more is fed. */
static void
feed_left_out (struct cab_ring *r)
{
  struct cab_rounds *rounds = &r->rounds;
  cab_feed_skipped_words (&r->feed, r->number, r->header->thread, rounds->round, rounds->at);
  cab_sections_caught_up (r->feed.sections);
  cab_rounds_leave (rounds);
}

/* Tell the state what was left out: whole rounds, and words of one more. */
static void
tell_left_out (struct cab_ring *r)
{
  struct cab_rounds *rounds = &r->rounds;
  cab_sections_repeat (r->feed.sections, CAB_ROUND_OF_WORDS, cab_rounds_tell (rounds), rounds->at, r->feed.account.total[CAB_EV_ACCESS] - r->round_accesses);
}

/* Do what WHAT asks for before more words are taken. */
static void
go_on (struct cab_ring *r, enum cab_rounds_what what)
{
  struct cab_rounds *rounds = &r->rounds;
  struct cab_sections *sections = r->feed.sections;
  uint64_t *room = NULL;
  enum cab_sections_rounds enough = CAB_ROUNDS_NEVER;
  switch (what)
    {
    case CAB_ROUNDS_ROOM:
      room = cab_sections_room (sections, rounds->length);
      enough = room ? CAB_ROUNDS_ENOUGH : CAB_ROUNDS_NEVER;
      break;
    case CAB_ROUNDS_BEGIN:
      enough = cab_sections_begin_round (sections, CAB_ROUND_OF_WORDS) ? CAB_ROUNDS_ENOUGH : CAB_ROUNDS_NEVER;
      break;
    case CAB_ROUNDS_END:
      enough = cab_sections_end_round (sections, CAB_ROUND_OF_WORDS, rounds->times);
      cab_round_accounts_clear (&r->round_accounts);
      r->round_accesses = r->feed.account.total[CAB_EV_ACCESS];
      break;
    default:
      tell_left_out (r);
      feed_left_out (r);
      return;
    }
  if (enough == CAB_ROUNDS_ENOUGH)
    cab_rounds_go_on (rounds, room);
  else if (enough == CAB_ROUNDS_MORE)
    cab_rounds_more (rounds);
  else
    cab_rounds_refuse (rounds);
}

/* Feed words, except repeated rounds among them. */
static void
feed_rounds (struct cab_ring *r, const uint64_t *words, size_t n)
{
  if (!cab_feed_may_skip (&r->feed) || !cab_sections_rounds_fed (r->feed.sections))
    {
      feed_words (r, words, n);
      return;
    }
  if (!r->rounds.kept)
    r->rounds.kept = cab_sys_map (CAB_ROUNDS_MOST * sizeof *r->rounds.kept);
  for (size_t taken; n > 0; words += taken, n -= taken)
    {
      enum cab_rounds_what what = cab_rounds_next (&r->rounds, words, n, r->feed.account.total[CAB_EV_ACCESS], &taken);
      if (what == CAB_ROUNDS_FEED)
	feed_words (r, words, taken);
      else if (what != CAB_ROUNDS_SKIP)
	go_on (r, what);
      else
	{
	  cab_round_accounts_skip (&r->round_accounts, &r->feed, r->number, r->header->thread, words, (r->rounds.at ? r->rounds.at : r->rounds.length) - taken, taken);
	  r->round_accesses = r->rounds.at ? r->round_accesses : r->feed.account.total[CAB_EV_ACCESS];
	}
    }
}

static inline bool
is_left_out (const struct cab_ring *r)
{
  return r->rounds.state == CAB_ROUNDS_SAME;
}

/* Feed all published chunks, and those that are published while there is work. */
static void
feed_all (void *argument)
{
  struct cab_ring *r = argument;
  uint64_t chunk = r->header->tail;
  do
    for (; chunk != __atomic_load_n (&r->header->head, __ATOMIC_ACQUIRE); chunk++)
      {
	feed_by (r, chunk, feed_rounds);
	if (is_left_out (r))
	  tell_left_out (r);
	r->accounts[chunk % r->n_chunks] = cab_feed_account (&r->feed);
	cab_sections_mark (r->feed.sections);
      }
  while (cab_sections_get_on (r->feed.sections));
}

static void
fed (void *argument)
{
  struct cab_ring *r = argument;
  move_tail (r, &r->accounts[r->header->tail % r->n_chunks]);
}

static bool
drain_cut (struct cab_ring *r)
{
  if (!cab_feed_may_cut (&r->feed))
    return false;
  /* The reader of a dead process assumes that accesses by shape were decoded from chunks'
     beginnings: so a first chunk is not cut. */
  if (!r->words_seen && r->feed.shapes)
    return false;
  if (!r->words_seen)
    look (r, chunk_at (r, r->header->tail), used_of (r, r->header->tail));
  if (!is_left_out (r) && !sections_pay (r))
    return false;
  if (!r->accounts)
    r->accounts = cab_sys_map (r->n_chunks * sizeof *r->accounts);
  return r->accounts && cab_feed_cut (&r->feed, r->number, r->header->thread, feed_all, fed, r);
}

/* Return the words of whole events in the chunk that the producer is writing, which is the next
   one, without those already fed; their number in *N. */
static const uint64_t *
written (const struct cab_ring *r, size_t *n)
{
  const struct cab_ring_header *h = r->header;
  size_t from = r->open_words, all = cab_ring_open_words (h, h->tail);
  *n = all > from ? all - from : 0;
  return chunk_at (r, h->tail) + from;
}

/* Feed these words.  They stay where they are: the chunk is consumed before it is written again. */
static void
feed_open (void *argument)
{
  struct cab_ring *r = argument;
  size_t n;
  const uint64_t *words = written (r, &n);
  uint64_t accesses = r->feed.account.tally.accesses;
  feed_rounds (r, words, n);
  note_seen (r, n, r->feed.account.tally.accesses - accesses);
  if (is_left_out (r))
    tell_left_out (r);
  r->open_words += n;
}

static int
peek (struct cab_ring *r)
{
  const struct cab_ring_header *h = r->header;
  size_t n;
  if (r->is_hidden || ready (r) || !cab_feed_may_cut (&r->feed) || !cab_feed_may_skip (&r->feed) || cab_trace_on ())
    return 0;
  const uint64_t *words = written (r, &n);
  if (!n)
    return 0;
  if (!r->words_seen)
    look (r, words, n);
  return sections_pay (r) && cab_feed_cut (&r->feed, r->number, h->thread, feed_open, NULL, r);
}

/* Feed what was left out, and is in the state as words. */
static void
feed_rest (void *argument)
{
  feed_left_out (argument);
}

/* Bring the state up to date, since no more repeated words follow for now. */
static void
catch_up (struct cab_ring *r)
{
  struct cab_feed_state *s = r->feed.cut;
  if (!is_left_out (r) || cab_feed_cut (&r->feed, r->number, r->header->thread, feed_rest, NULL, r))
    return;
  cab_feed_skipped_words (&r->feed, r->number, r->header->thread, r->rounds.round, r->rounds.at);
  s->analysis->sectioned->ahead_end (&s->arena);
  cab_rounds_leave (&r->rounds);
}

/* Feed what the producer has written so far, to all analyses. */
static void
analyse_written (struct cab_ring *r)
{
  size_t n;
  const uint64_t *words = written (r, &n);
  catch_up (r);
  if (r->is_hidden || ready (r) || !n)
    return;
  cab_rounds_miss (&r->rounds, n);
  feed_words (r, words, n);
  r->open_words += n;
}

static int
drain (struct cab_ring *r)
{
  int worked = 0;
  for (; ready (r); worked = 1)
    if (!drain_cut (r))
      {
	catch_up (r);
	cab_rounds_miss (&r->rounds, used_of (r, r->header->tail));
	feed (r, r->header->tail);
	struct cab_feed_account account = cab_feed_account (&r->feed);
	move_tail (r, &account);
      }
  if (__atomic_load_n (&r->ending, __ATOMIC_RELAXED))
    catch_up (r);
  return worked;
}

const struct cab_ring_design cab_ring_chunk_design = { CAB_RING_CHUNK, slots, prepare, begin, put, end, drain, ready, hide, peek, analyse_written };
