/* ring_wait.c - a producer waits for room: see ring_wait.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring_wait.h"

#include "rt/engine/ring/consumer.h"
#include "rt/engine/ring/judge.h"
#include "rt/filters/filters.h"

#define WAIT_NS 100000000u

/* Pairs with sleep_for_room, read-modify-write with read-modify-write: either the producer sees the
   new tail, or we see that it waits. */
void
cab_ring_moved (struct cab_ring *r)
{
  if (!__atomic_fetch_add (&r->waiting, 0, __ATOMIC_ACQ_REL))
    return;
  __atomic_fetch_add (&r->header->tail_futex, 1, __ATOMIC_RELEASE);
  cab_futex_wake (&r->header->tail_futex, 1);
}

/* Sleep until the consumer moves, or for WAIT_NS.  Return whether there is room. */
static int
sleep_for_room (struct cab_ring *r, int (*has_room) (const struct cab_ring *))
{
  __atomic_exchange_n (&r->waiting, 1, __ATOMIC_ACQ_REL);
  uint32_t seen = __atomic_load_n (&r->header->tail_futex, __ATOMIC_ACQUIRE);
  if (!has_room (r))
    cab_futex_wait (&r->header->tail_futex, seen, WAIT_NS);
  __atomic_store_n (&r->waiting, 0, __ATOMIC_RELAXED);
  return has_room (r);
}

/* Return how many words R gave back while its tail moved from TAIL to where it is. */
static uint64_t
words_since (const struct cab_ring *r, uint64_t tail)
{
  const struct cab_ring_header *h = r->header;
  uint64_t words = 0;
  if (cab_ring_is_cab (r))
    return h->tail - tail;
  for (uint64_t end = __atomic_load_n (&h->tail, __ATOMIC_ACQUIRE); tail != end; tail++)
    words += h->used[tail % r->n_chunks];
  return words;
}

static void
drain_oneself (struct cab_ring *r)
{
  uint64_t tail = __atomic_load_n (&r->header->tail, __ATOMIC_ACQUIRE);
  uint64_t start = cab_monotonic_ns ();
  cab_ring_drain (r);
  uint64_t end = cab_monotonic_ns ();
  cab_ledger_add (&cab_ledger ()->inline_ns, end - start);
  if (!cab_consumer_serves (r->number))
    cab_judge_analysed (r, words_since (r, tail), start, end);
}

bool
cab_ring_wait (struct cab_ring *r, int (*has_room) (const struct cab_ring *))
{
  if (cab_is_blind (cab_ctx_self ()))
    return cab_ring_wait_blindly (r, has_room);
  if (!cab_consumer_serves (r->number))
    drain_oneself (r);
  if (has_room (r))
    return true;
  uint64_t start = cab_monotonic_ns ();
  for (int i = 0; i < 64 && !has_room (r); i++)
    cab_pause ();
  while (!has_room (r))
    {
      uint64_t tail = __atomic_load_n (&r->header->tail, __ATOMIC_ACQUIRE);
      if (!sleep_for_room (r, has_room)
	  && tail == __atomic_load_n (&r->header->tail, __ATOMIC_ACQUIRE))
	drain_oneself (r);
    }
  cab_ledger_add (&cab_ledger ()->blocked_ns, cab_monotonic_ns () - start);
  cab_ledger_add (&cab_ledger ()->n_blocked, 1);
  return true;
}
