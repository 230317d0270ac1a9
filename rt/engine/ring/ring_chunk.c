/* ring_chunk.c - the chunk-published ring: see ring.h.
 *
 * The producer writes a chunk's slots without reading the consumer's state, ends the chunk by
 * `used` and `head`, and enters the next one once that was consumed.  Nothing is cleared, so cache
 * lines travel one way.  Chunk number n (from 0, ever) is at place n % n_chunks.  A chunk ends
 * where it is full, or earlier: it should take the producer some 50 us.  With ring=auto n_chunks
 * grows while the ring is empty.
 *
 * N-way buffering is this ring with chunks that are filled up and keep their number, whose consumer
 * takes whole chunks only.  Its probe has no mark, so an enqueue that a handler has interrupted
 * drops the handler's events and goes on where it was, in a chunk that may have been published: at
 * most a chunk of events is lost or analysed twice.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring_chunk.h"

#include <string.h>

#include "rt/base/clock.h"
#include "rt/base/control_page.h"
#include "rt/engine/ring/consumer.h"
#include "rt/engine/ring/judge.h"
#include "rt/filters/filters.h"
#include "rt/engine/ring/rest.h"
#include "rt/engine/ring/ring_chunk_feed.h"
#include "rt/engine/ring/ring_fill.h"
#include "rt/engine/ring/ring_wait.h"

#define CLEARED 64           /* words */
#define FETCHED 4096u        /* least words of a chunk whose pages are fetched before they are
				used */

static size_t
slots (uint32_t n_chunks, uint32_t chunk_slots)
{
  return (size_t) n_chunks * (chunk_slots + CAB_RING_RED_SLOTS);
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

/* Return nonzero if all published chunks were consumed. */
static int
is_empty (const struct cab_ring *r)
{
  return r->header->head == __atomic_load_n (&r->header->tail, __ATOMIC_ACQUIRE);
}

/* Return true if all places in use have blocks. */
static bool
is_backed (const struct cab_ring *r)
{
  uint64_t end = cab_round_up (offset_of (r, r->n_chunks, 0), CAB_PAGE_BYTES);
  return r->backed >= (end < r->area.bytes ? end : r->area.bytes);
}

/* Back FILL words of the chunk at PLACE with blocks, where the ring has few yet.  Return 0 or
   -errno.  Under the lock. */
static int
back (struct cab_ring *r, uint32_t place, uint64_t fill)
{
  uint64_t last = offset_of (r, place, fill + CAB_RING_RED_SLOTS);
  uint64_t end = cab_round_up (last, CAB_PAGE_BYTES);
  end = end < r->area.bytes ? end : r->area.bytes;
  if (end <= r->backed)
    return 0;
  int error = cab_part_back (&cab_rt.part, CAB_EXT_RING, r->number, r->backed, end - r->backed);
  if (error == 0)
    r->backed = end;
  return error;
}

/* Return how many places R has when its producer begins: the least for a new one, whatever the ring
   has grown to for the thread before. */
static uint32_t
first_chunks (const struct cab_ring *r)
{
  return r->is_new ? cab_rt.options.ring_bytes / cab_rt.options.chunk_bytes : r->n_chunks;
}

/* Return how far the first chunk of R's next producer is filled. */
static uint32_t
first_fill (const struct cab_ring *r)
{
  return r->fill ? r->fill : r->design->is_fixed ? r->chunk_slots : cab_fill_first (r->chunk_slots);
}

static int
prepare (struct cab_ring *r)
{
  return back (r, r->header->head % first_chunks (r), first_fill (r));
}

/* Back the chunk after the one that is being written, however far it will be filled.  Return 0 or
   -errno. */
static int
back_next (struct cab_ring *r)
{
  uint64_t fill = 2 * (uint64_t) r->fill < r->chunk_slots ? 2 * (uint64_t) r->fill : r->chunk_slots;
  if (is_backed (r))
    return 0;
  cab_lock (&cab_rt.lock);
  int error = back (r, (r->header->head + 1) % r->n_chunks, fill);
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
  uint64_t first = offset_of (r, place, from), end = offset_of (r, place + 1, 0);
  uint64_t behind = cab_round_up (offset_of (r, place, to), CAB_PAGE_BYTES);
  uint64_t before = from ? first
		    : place ? offset_of (r, place - 1, r->fetched[place - 1])
			    : CAB_RING_HEADER_BYTES;
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

/* Return true if each event takes its gate: with placement=direct, and where gates put times into
   events. */
static bool
takes_gates (void)
{
  return cab_direct_on ()
      || (cab_clock_by_call
	  && __atomic_load_n (&cab_rt.row_flags, __ATOMIC_SEQ_CST) & CAB_ROW_TIME);
}

/* Direct the next event to P, or to its gate.  While the runtime is at work on the ring, events of
   instrumented code that it calls are stashed like those of a handler. */
static void
set_cursor (struct cab_ring *r, struct cab_ctx *ctx, const uint64_t *p)
{
  struct cab_cursor *c = &r->header->cursor;
  /* Sequentially consistent, as in cab_ring_gate_all: one of both sees what the other has done. */
  __atomic_store_n (&c->limit, takes_gates () ? 0 : (uintptr_t) (r->chunk + r->fill),
		    cab_clock_by_call ? __ATOMIC_SEQ_CST : __ATOMIC_RELAXED);
  if (cab_clock_by_call && takes_gates ())
    __atomic_store_n (&c->limit, 0, __ATOMIC_RELAXED);
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
  r->chunk = cab_chunk_at (r, h->head);
  r->chunk[r->fill + CAB_RING_RED_SLOTS - 1] = CAB_EV_MAGIC;
  set_cursor (r, ctx, r->chunk);
  __atomic_store_n (&h->entered, h->head + 1, __ATOMIC_RELEASE);
}

/* Choose how far the next chunk is filled, from the time that the chunk just published took. */
static void
fit_fill (struct cab_ring *r)
{
  uint64_t now = r->header->stamp[(r->header->head - 1) % r->n_chunks];
  if (!r->design->is_fixed)
    r->fill = cab_fill_next (r->fill, r->chunk_slots, now - r->since);
  r->since = now;
}

/* Publish the chunk, which ends at P. */
static void
publish (struct cab_ring *r, const uint64_t *p)
{
  struct cab_ring_header *h = r->header;
  uint32_t place = h->head % r->n_chunks;
  r->kept_up |= is_empty (r) && h->head != r->grown_at;
  h->used[place] = p - r->chunk;
  h->stamp[place] = cab_monotonic_ns ();
  if (cab_clock_is_due (cab_ledger (), h->stamp[place]))
    cab_clock_note (cab_ledger ());
  cab_ledger_add (&cab_ledger ()->enqueued, p - r->chunk);
  __atomic_store_n (&h->head, h->head + 1, __ATOMIC_RELEASE);
  cab_consumer_wake (r->number, !cab_chunk_is_behind (r));
}

/* Return where the next event goes.  A position outside the chunk is that of an enqueue whose ring
   was overtaken (ring_seize.h) but could not move, and which resumed: what it did to the chunk is
   unknown. */
static uint64_t *
position (const struct cab_ring *r)
{
  uintptr_t next = __atomic_load_n (&r->header->cursor.next, __ATOMIC_RELAXED);
  uint64_t *p = (uint64_t *) (next & ~CAB_CURSOR_BUSY);
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
  if (cab_is_blind (ctx))
    return is_backed (r) && cab_ring_wait (r, next_is_free);
  return back_next (r) == 0;
}

/* Double the places of the empty ring R, unless the medium is full.  Chunk `head' then has another
   place.  No chunk is published, and none entered, so that readers find none anywhere. */
static void
grow (struct cab_ring *r)
{
  struct cab_ring_header *h = r->header;
  uint32_t n = 2 * r->n_chunks < r->most_chunks ? 2 * r->n_chunks : r->most_chunks;
  cab_lock (&cab_rt.lock);
  int error = back (r, h->head % n, r->fill);
  cab_unlock (&cab_rt.lock);
  r->grown_at = h->head;
  r->kept_up = false;
  if (error < 0)
    return;
  cab_lock (&r->lock);
  r->n_chunks = h->n_chunks = n;
  __atomic_store_n (&h->n_switches, h->n_switches + 1, __ATOMIC_RELEASE);
  cab_unlock (&r->lock);
}

/* Wait for a free chunk, or analyse one; that time does not count for the next chunk.  Where the
   ring is full although its consumer has emptied it before, a larger one can take more of such a
   burst: let the consumer empty it again, and let it grow.  A consumer that never catches up would
   fill a larger one, too. */
static void
wait_for_room (struct cab_ring *r)
{
  bool is_full = !has_room (r), grows = is_full && r->kept_up && r->n_chunks < r->most_chunks;
  bool is_served = cab_consumer_serves (r->number);
  uint32_t words = r->header->used[(r->header->head - 1) % r->n_chunks];
  if (!is_full && is_served)
    {
      cab_judge_served (r, words);
      return;
    }
  cab_ring_wait (r, grows ? is_empty : has_room);
  if (grows && is_empty (r))
    grow (r);
  if (is_served)
    cab_judge_served (r, words);
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
  r->n_chunks = r->header->n_chunks = first_chunks (r);
  r->is_new = false;
  r->grown_at = r->header->head;
  r->kept_up = false;
  cab_rounds_clear (&r->rounds);
  r->fill = first_fill (r);
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

const struct cab_ring_design cab_ring_chunk_design = {
  .type = CAB_RING_CHUNK, .slots = slots, .prepare = prepare, .begin = begin, .put = put,
  .end = end, .drain = cab_chunk_drain, .ready = cab_chunk_ready, .hide = hide,
  .peek = cab_chunk_peek, .written = cab_chunk_written
};

const struct cab_ring_design cab_ring_pipa_design = {
  .type = CAB_RING_CHUNK, .is_fixed = true, .slots = slots, .prepare = prepare, .begin = begin,
  .put = put, .end = end, .drain = cab_chunk_drain, .ready = cab_chunk_ready, .hide = hide,
  .written = cab_chunk_written
};
