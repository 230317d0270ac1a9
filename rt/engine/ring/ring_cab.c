/* ring_cab.c - CAB, exhaustive mode: see ring.h.
 *
 * The producer's fast path (the probe) stores where it finds CLEAR.  MAGIC after the last slot
 * sends it here to wrap.  The consumer takes a chunk once the producer has entered the second one
 * after it, clears it in ascending order, and sleeps for a time where there is nothing: the
 * producer cannot wake it.  A producer that finds no CLEAR slot waits until two chunks are free.
 *
 * Signal handlers: an enqueue is not atomic, so a handler's event may take the slot of the one that
 * it interrupted, which then overwrites it: one event is lost; later ones stay, and the producer
 * steps over them.  The chunk ring loses none.  A process that is killed while its consumer clears
 * a chunk may leave old events that look like new ones, at most a chunk of them.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring_cab.h"

#include "rt/engine/ring/consumer.h"
#include "rt/engine/ring/judge.h"
#include "rt/engine/ring/ring_slots.h"
#include "rt/engine/ring/ring_wait.h"

#include "rt/engine/feed/feed_serial.h"
#include "rt/engine/ring/trace.h"
#include "rt/filters/filters.h"

/* Return how many slots were ever written before the one at P. */
static uint64_t
written (const struct cab_ring *r, const uint64_t *p)
{
  return r->header->head * cab_ring_n_slots (r) + (p - r->slots);
}

static uint64_t *
position (const struct cab_ring *r)
{
  return (uint64_t *) __atomic_load_n (&r->header->cursor.next, __ATOMIC_RELAXED);
}

/* Direct the next event to P.  Without a limit, probes of chunk rings take their gate. */
static void
set_cursor (struct cab_ring *r, const uint64_t *p)
{
  __atomic_store_n (&r->header->cursor.limit, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&r->header->cursor.next, (uintptr_t) p, __ATOMIC_RELAXED);
}

void
cab_ring_cab_begin (struct cab_ring *r, struct cab_ctx *ctx)
{
  struct cab_ring_header *h = r->header;
  r->slots[cab_ring_n_slots (r)] = CAB_EV_MAGIC;
  h->head = h->tail / cab_ring_n_slots (r);
  r->freed = h->tail;
  (void) ctx;
  set_cursor (r, r->slots + h->tail % cab_ring_n_slots (r));
}

/* Return nonzero if two chunks are free from where the producer waits: r->written. */
static int
has_room (const struct cab_ring *r)
{
  return r->written + 2 * r->chunk_slots
      <= __atomic_load_n (&r->freed, __ATOMIC_ACQUIRE) + cab_ring_n_slots (r);
}

/* Return the next CLEAR slot from P on, or null if there is none and the producer cannot wait. */
static uint64_t *
find_clear (struct cab_ring *r, uint64_t *p)
{
  for (;;)
    {
      if (p == r->slots + cab_ring_n_slots (r))
	{
	  __atomic_store_n (&r->header->head, r->header->head + 1, __ATOMIC_RELAXED);
	  p = r->slots;
	  if (!cab_is_blind (cab_ctx_self ()) && cab_consumer_serves (r->number))
	    cab_judge_served (r, cab_ring_n_slots (r));
	}
      /* Read before the slot itself: else the consumer might clear the slot in between, and its
	 event would pass for a handler's. */
      uint64_t freed = __atomic_load_n (&r->freed, __ATOMIC_ACQUIRE);
      if (__atomic_load_n (p, __ATOMIC_ACQUIRE) == CAB_EV_CLEAR)
	return p;
      /* A producer of FastForward may be before the consumer: ring_fastforward.c. */
      if ((int64_t) (written (r, p) - freed) < (int64_t) cab_ring_n_slots (r))
	p++;
      else
	{
	  r->written = written (r, p);
	  if (!cab_ring_wait (r, has_room))
	    return NULL;
	}
    }
}

/* Refuse raw words, which could look like sentinels. */
int
cab_ring_cab_put (struct cab_ring *r, struct cab_ctx *ctx, const uint64_t *event)
{
  (void) ctx;
  if (cab_ring_words (*event) > 1)
    return -1;
  uint64_t *p = position (r);
  if (p < r->slots || p > r->slots + cab_ring_n_slots (r))
    p = r->slots + r->header->tail % cab_ring_n_slots (r);
  p = find_clear (r, p);
  if (!p)
    return -1;
  __atomic_store_n (p, *event, __ATOMIC_RELEASE);
  set_cursor (r, p + 1);
  return 0;
}

void
cab_ring_cab_end (struct cab_ring *r)
{
  __atomic_store_n (&r->ended_at, written (r, position (r)), __ATOMIC_RELEASE);
}

/* Return nonzero if chunk `tail' is the consumer's.  Chunks ahead of the producer are clear, so the
   first slot of the second chunk after it shows that. */
static int
ready (const struct cab_ring *r)
{
  const struct cab_ring_header *h = r->header;
  uint64_t tail = __atomic_load_n (&h->tail, __ATOMIC_RELAXED);
  return tail < __atomic_load_n (&r->ended_at, __ATOMIC_ACQUIRE)
      || __atomic_load_n (&r->slots[(tail + 2 * r->chunk_slots) % cab_ring_n_slots (r)],
			  __ATOMIC_ACQUIRE)
	   != CAB_EV_CLEAR;
}

static void
clear (struct cab_ring *r, uint64_t from, uint64_t n)
{
  for (uint64_t i = 0; i < n; i++)
    __atomic_store_n (&r->slots[from + i], CAB_EV_CLEAR, __ATOMIC_RELEASE);
}

void
cab_ring_cab_feed (struct cab_ring *r, uint64_t n, uint64_t next)
{
  struct cab_ring_header *h = r->header;
  uint64_t from = h->tail % cab_ring_n_slots (r);
  cab_feed_serial_begin (r->number, h->tail / r->chunk_slots & 1);
  if (cab_trace_on ())
    cab_trace_chunk (r->number, h->thread, h->tail, cab_monotonic_ns (), r->slots + from, n);
  cab_feed_words (&r->feed, r->number, h->thread, r->slots + from, n);
  cab_feed_serial_words (&r->feed, r->number, h->thread, r->slots + from, n);
  struct cab_feed_account account = cab_feed_account (&r->feed);
  cab_feed_put_account (&r->feed, &account, h, next / r->chunk_slots & 1);
  cab_ledger_add (&cab_ledger ()->enqueued, n);
  __atomic_store_n (&h->tail, next, __ATOMIC_RELEASE);
  cab_feed_serial_end ();
  clear (r, from, n);
  __atomic_store_n (&r->freed, next, __ATOMIC_RELEASE);
}

static int
drain (struct cab_ring *r)
{
  struct cab_ring_header *h = r->header;
  int worked = 0;
  while (ready (r))
    {
      uint64_t next = h->tail + r->chunk_slots;
      uint64_t end = __atomic_load_n (&r->ended_at, __ATOMIC_ACQUIRE);
      cab_ring_cab_feed (r, end > h->tail && end < next ? end - h->tail : r->chunk_slots, next);
      cab_ring_moved (r);
      worked = 1;
    }
  return worked;
}

const struct cab_ring_design cab_ring_cab_design = {
  .type = CAB_RING_CAB, .slots = cab_ring_slots, .begin = cab_ring_cab_begin,
  .put = cab_ring_cab_put, .end = cab_ring_cab_end, .drain = drain, .ready = ready
};
