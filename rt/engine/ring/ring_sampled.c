/* ring_sampled.c - CAB, sampling mode: see ring.h.
 *
 * The producer's fast path (the probe) stores over whatever is there, up to MAGIC after the last
 * slot, which sends it here to wrap.  The consumer takes a chunk once the first slot of the second
 * one after it is no longer CLEAR, copies the chosen bursts, and then asks how far the producer is:
 * what this has not reached in its next lap was copied whole.  It clears the first slot of a chunk
 * only.
 *
 * A reader of the cursor must know the lap that it is in.  `head' is increased before the cursor
 * moves to the new lap, and `entered' after it, so where these differ the producer is at the lap's
 * beginning.
 *
 * An event of a signal handler that interrupts an enqueue may be overwritten by it, as in the
 * exhaustive mode.  If the handler's events wrapped the ring, the interrupted enqueue goes on in
 * the lap before, and up to a lap of events is counted twice as passed.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring.h"

#include "rt/base/control_page.h"
#include "rt/engine/feed/feed_bursts.h"
#include "rt/engine/feed/feed_make.h"
#include "rt/engine/ring/budget.h"
#include "rt/engine/ring/consumer.h"
#include "rt/engine/ring/ring_slots.h"
#include "rt/filters/filters.h"

static uint32_t
burst_slots (void)
{
  return cab_rt.options.burst_bytes / 8;
}

static uint64_t *
place (const struct cab_ring *r)
{
  return (uint64_t *) __atomic_load_n (&r->header->cursor.next, __ATOMIC_RELAXED);
}

/* Return how many slots were ever written, as of a moment during the call.  Every slot that the
   producer had begun to write again before the call lies before this position less a lap.  The
   loads pair with the stores of put, and with those of the probe, which on this processor reach
   others in order. */
static uint64_t
position (const struct cab_ring *r)
{
  const struct cab_ring_header *h = r->header;
  uint64_t begun = __atomic_load_n (&h->entered, __ATOMIC_ACQUIRE);
  uint64_t next = __atomic_load_n (&h->cursor.next, __ATOMIC_ACQUIRE);
  uint64_t head = __atomic_load_n (&h->head, __ATOMIC_ACQUIRE);
  uint64_t at = (next - (uintptr_t) r->slots) / 8;
  return head * cab_ring_n_slots (r) + (head == begun && at <= cab_ring_n_slots (r) ? at : 0);
}

static void
begin (struct cab_ring *r, struct cab_ctx *ctx)
{
  struct cab_ring_header *h = r->header;
  (void) ctx;
  r->slots[cab_ring_n_slots (r)] = CAB_EV_MAGIC;
  __atomic_store_n (&h->most, CAB_EV_MAGIC - 1, __ATOMIC_RELAXED);
  h->head = h->entered = h->tail / cab_ring_n_slots (r);
  if (!r->strata.random)
    cab_strata_begin (&r->strata, cab_rt.options.rate, r->number + 1);
  __atomic_store_n (&h->cursor.limit, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&h->cursor.next, (uintptr_t) (r->slots + h->tail % cab_ring_n_slots (r)),
		    __ATOMIC_RELEASE);
}

static int
put (struct cab_ring *r, struct cab_ctx *ctx, const uint64_t *event)
{
  struct cab_ring_header *h = r->header;
  uint64_t *p = place (r);
  if (cab_ring_words (*event) > 1)
    return -1;
  bool wraps = p >= r->slots + cab_ring_n_slots (r);
  if (wraps)
    {
      p = r->slots;
      __atomic_store_n (&h->head, h->head + 1, __ATOMIC_RELEASE);
    }
  __atomic_store_n (p, *event, __ATOMIC_RELEASE);
  __atomic_store_n (&h->cursor.next, (uintptr_t) (p + 1), __ATOMIC_RELEASE);
  if (!wraps)
    return 0;
  __atomic_store_n (&h->entered, h->head, __ATOMIC_RELEASE);
  if (!cab_is_blind (ctx))
    cab_consumer_wake (r->number, false);
  return 0;
}

static void
end (struct cab_ring *r)
{
  __atomic_store_n (&r->ended_at, position (r), __ATOMIC_RELEASE);
}

/* Return nonzero if chunk `tail' is the consumer's.  At a rate of 0 none is until the end. */
static int
ready (const struct cab_ring *r)
{
  uint64_t tail = __atomic_load_n (&r->header->tail, __ATOMIC_RELAXED);
  return tail < __atomic_load_n (&r->ended_at, __ATOMIC_ACQUIRE)
      || (cab_rt.options.rate
	  && __atomic_load_n (&r->slots[(tail + 2 * r->chunk_slots) % cab_ring_n_slots (r)],
			      __ATOMIC_ACQUIRE)
	       != CAB_EV_CLEAR);
}

/* A chunk, or what a thread that ended has written of one. */
struct piece
{
  uint64_t from, n;       /* slots ever written before it, and its slots */
  uint64_t first;         /* content of its first slot */
  bool ending;            /* the thread has ended */
  uint64_t written;       /* position of the producer after the copy */
};

/* Set *B to the next burst of PIECE that STRATA chooses, *WORDS to its length.  Return false if
   there is no other. */
static bool
next_burst (struct cab_strata *strata, const struct piece *piece, uint64_t *b, uint32_t *words)
{
  uint64_t burst = burst_slots (), end = piece->from + piece->n;
  *b = cab_strata_next (strata, piece->from / burst);
  if (*b >= (end + burst - 1) / burst)
    return false;
  *words = *b * burst + burst <= end ? burst : end - *b * burst;
  return true;
}

/* Copy the bursts of PIECE, one after the other.  They are chosen again by feed, with the same
   result. */
static void
copy (const struct cab_ring *r, struct piece *piece)
{
  struct cab_strata strata = r->strata;
  const uint64_t *slot = r->slots + piece->from % cab_ring_n_slots (r);
  uint64_t *to = r->burst_words, b;
  uint32_t words;
  piece->first = __atomic_load_n (slot, __ATOMIC_ACQUIRE);
  for (; next_burst (&strata, piece, &b, &words); cab_strata_miss (&strata))
    for (uint32_t i = 0; i < words; i++)
      *to++ = __atomic_load_n (slot + (b * burst_slots () - piece->from) + i, __ATOMIC_ACQUIRE);
  piece->written = position (r);
}

/* Feed the bursts of PIECE that were copied before the producer came by again, and account for all
   of it. */
static void
feed (struct cab_ring *r, const struct piece *piece)
{
  struct cab_part_share *share = &cab_control_page ()->share;
  const uint64_t *from = r->burst_words;
  uint64_t b, read = 0, lost = 0, n = 0;
  uint32_t words;
  for (; next_burst (&r->strata, piece, &b, &words); from += words)
    if (piece->written < b * burst_slots () + cab_ring_n_slots (r))
      {
	cab_feed_burst (&r->feed, r->number, r->header->thread, b,
			cab_strata_read (&r->strata, piece->ending), from, words);
	read += words;
	n++;
      }
    else
      {
	cab_strata_miss (&r->strata);
	lost += words;
      }
  cab_feed_bursts_end (&r->feed, r->number, r->header->thread);
  cab_ledger_add (&cab_ledger ()->enqueued, piece->n);
  cab_ledger_add (&share->passed, piece->n - read - lost);
  cab_ledger_add (&share->overwritten, lost);
  cab_ledger_add (&share->bursts, n);
}

/* Clear SLOT, which held SEEN, unless the producer has written it meanwhile.  If it wrote the same
   again, one event is lost. */
static void
clear (uint64_t *slot, uint64_t seen)
{
  __atomic_compare_exchange_n (slot, &seen, CAB_EV_CLEAR, false, __ATOMIC_ACQ_REL,
			       __ATOMIC_RELAXED);
}

/* The producer has come by again, and is at WRITTEN: leave out all but the last two whole chunks
   before it, and clear the first slots of the chunks ahead of it, the farthest one first.  Return
   the new tail, which is NEXT if that is no farther back. */
static uint64_t
catch_up (struct cab_ring *r, uint64_t next, uint64_t written)
{
  uint64_t chunk = written / r->chunk_slots * r->chunk_slots, tail = chunk - 2 * r->chunk_slots;
  cab_ledger_add (&cab_control_page ()->share.slowed,
		  cab_strata_slow (&r->strata, r->chunk_slots / burst_slots ()));
  if (tail <= next)
    return next;
  for (uint64_t at = tail + cab_ring_n_slots (r) - r->chunk_slots; at > chunk; at -= r->chunk_slots)
    {
      uint64_t *slot = r->slots + at % cab_ring_n_slots (r);
      uint64_t seen = __atomic_load_n (slot, __ATOMIC_ACQUIRE);
      if (position (r) < at)
	clear (slot, seen);
    }
  cab_ledger_add (&cab_ledger ()->enqueued, tail - next);
  cab_ledger_add (&cab_control_page ()->share.overwritten, tail - next);
  return tail;
}

/* Move the tail to NEXT, the first slot of a chunk. */
static void
move_tail (struct cab_ring *r, uint64_t next)
{
  struct cab_ring_header *h = r->header;
  struct cab_feed_account account = cab_feed_account (&r->feed);
  cab_feed_put_account (&r->feed, &account, h, next / r->chunk_slots & 1);
  __atomic_store_n (&h->tail, next, __ATOMIC_RELEASE);
}

/* Take the chunk at the tail, of which END is the end if the thread has ended in it. */
static void
take (struct cab_ring *r, uint64_t end)
{
  uint64_t tail = r->header->tail, next = tail + r->chunk_slots;
  struct piece piece = { .from = tail,
			 .n = end > tail && end < next ? end - tail : r->chunk_slots,
			 .ending = end > tail };
  copy (r, &piece);
  feed (r, &piece);
  if (piece.n < r->chunk_slots)
    cab_strata_skip (&r->strata, next / burst_slots ());
  if (piece.written >= tail + cab_ring_n_slots (r))
    next = catch_up (r, next, piece.written);
  else
    clear (r->slots + tail % cab_ring_n_slots (r), piece.first);
  move_tail (r, next);
}

/* Pass all that was written up to END, since the rate is 0. */
static void
pass (struct cab_ring *r, uint64_t end)
{
  uint64_t n = end - r->header->tail;
  cab_ledger_add (&cab_ledger ()->enqueued, n);
  cab_ledger_add (&cab_control_page ()->share.passed, n);
  move_tail (r, (end + r->chunk_slots - 1) / r->chunk_slots * r->chunk_slots);
}

static int
drain (struct cab_ring *r)
{
  int worked = 0;
  if (!r->burst_words)
    r->burst_words = cab_feed_memory (r->chunk_slots * sizeof *r->burst_words);
  for (; ready (r); worked = 1)
    {
      uint64_t end = __atomic_load_n (&r->ended_at, __ATOMIC_ACQUIRE);
      if (!cab_rt.options.rate || !r->burst_words)
	pass (r, end);
      else
	{
	  uint64_t tail = r->header->tail;
	  take (r, end);
	  enum cab_overhead how = cab_budget_note (r->number, r->header->tail - tail);
	  if (how == CAB_OVERHEAD_OVER)
	    cab_ledger_add (&cab_control_page ()->share.slowed,
			    cab_strata_slow (&r->strata, r->chunk_slots / burst_slots ()));
	  if (cab_strata_note (&r->strata, how == CAB_OVERHEAD_ROOM && !ready (r)))
	    cab_ledger_add (&cab_control_page ()->share.raised, 1);
	}
    }
  return worked;
}

const struct cab_ring_design cab_ring_sampled_design = {
  .type = CAB_RING_SAMPLED, .slots = cab_ring_slots, .begin = begin, .put = put, .end = end,
  .drain = drain, .ready = ready
};
