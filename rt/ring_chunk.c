/* ring_chunk.c - the chunk-published ring: see ring.h.
 *
 * The producer writes a chunk's slots without a look at the consumer, ends it by `used` and `head`, and goes on in the next one once that
 * was consumed.  Nothing is cleared, so lines travel one way.  Chunk number n (from 0, ever) lies at place n % n_chunks.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/ring.h"

#include "rt/consumer.h"
#include "rt/trace.h"

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

/* May the producer write chunk `head`? */
static int
has_room (const struct cab_ring *r)
{
  return r->header->head - __atomic_load_n (&r->header->tail, __ATOMIC_ACQUIRE) < r->n_chunks;
}

/* Enter chunk `head`, which was consumed.  A reader of a dead process looks into it only once it is said to be entered, and so empty. */
static void
enter (struct cab_ring *r, struct cab_ctx *ctx)
{
  struct cab_ring_header *h = r->header;
  r->chunk = chunk_at (r, h->head);
  r->chunk[0] = CAB_EV_CLEAR;
  r->chunk[CAB_CHUNK_STRIDE (r) - 1] = CAB_EV_MAGIC;
  __atomic_store_n (&h->entered, h->head + 1, __ATOMIC_RELEASE);
  ctx->ring_p = r->chunk;
  ctx->ring_lim = r->chunk + r->chunk_slots;
}

/* The chunk ends at P: make it the consumer's. */
static void
publish (struct cab_ring *r, const uint64_t *p)
{
  struct cab_ring_header *h = r->header;
  uint32_t place = h->head % r->n_chunks;
  h->used[place] = p - r->chunk;
  h->stamp[place] = cab_monotonic_ns ();
  cab_ledger_add (&cab_ledger ()->enqueued, p - r->chunk);
  __atomic_store_n (&h->head, h->head + 1, __ATOMIC_RELEASE);
  cab_consumer_wake (r->number);
}

/* Where the next event goes.  A position outside the chunk is that of an enqueue which was given up (see cab_ring_stash) and went on
   after all: what it did to the chunk cannot be known. */
static uint64_t *
position (const struct cab_ring *r, const struct cab_ctx *ctx)
{
  uint64_t *p = ctx->ring_p;
  return p >= r->chunk && p < r->chunk + CAB_CHUNK_STRIDE (r) ? p : r->chunk;
}

/* The header comes last: who reads a dead process' ring sees the event whole or not at all. */
static int
put (struct cab_ring *r, struct cab_ctx *ctx, const uint64_t *event)
{
  uint64_t *p = position (r, ctx);
  uint32_t n = cab_ring_words (*event);
  if (p >= r->chunk + r->chunk_slots)
    {
      publish (r, p);
      cab_ring_wait (r, has_room);
      enter (r, ctx);
      p = r->chunk;
    }
  p[n] = CAB_EV_CLEAR;
  for (uint32_t i = n; i-- > 0;)
    *(volatile uint64_t *) (p + i) = event[i];
  ctx->ring_p = p + n;
  ctx->ring_lim = r->chunk + r->chunk_slots;
  return 0;
}

static void
end (struct cab_ring *r, struct cab_ctx *ctx)
{
  const uint64_t *p = position (r, ctx);
  if (p == r->chunk)
    return;
  publish (r, p);
}

/* The last producer may have ended with all chunks full; they are drained since. */
static void
begin (struct cab_ring *r, struct cab_ctx *ctx)
{
  enter (r, ctx);
}

static int
ready (const struct cab_ring *r)
{
  return __atomic_load_n (&r->header->head, __ATOMIC_ACQUIRE) != __atomic_load_n (&r->header->tail, __ATOMIC_RELAXED);
}

static int
drain (struct cab_ring *r)
{
  struct cab_ring_header *h = r->header;
  int worked = 0;
  while (ready (r))
    {
      uint64_t chunk = h->tail;
      uint32_t used = h->used[chunk % r->n_chunks];
      used = used < CAB_CHUNK_STRIDE (r) ? used : 0;
      if (cab_trace_on ())
	cab_trace_chunk (r->number, h->thread, chunk, h->stamp[chunk % r->n_chunks], chunk_at (r, chunk), used);
      cab_feed_words (&r->feed, r->number, h->thread, chunk_at (r, chunk), used);
      cab_feed_account (&r->feed, h, (chunk + 1) & 1);
      __atomic_store_n (&h->tail, chunk + 1, __ATOMIC_RELEASE);
      cab_ring_moved (r);
      worked = 1;
    }
  return worked;
}

const struct cab_ring_design cab_ring_chunk_design = { CAB_RING_CHUNK, slots, begin, put, end, drain, ready };
