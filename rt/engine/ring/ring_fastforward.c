/* ring_fastforward.c - FastForward: see ring.h.
 *
 * A slot that is not CLEAR is full, and nothing else tells the consumer so.  The producer is that
 * of the CAB ring.  The consumer tests each slot by itself.  Where it has come within DANGER slots
 * of the producer, it lets the producer go SAFE slots ahead, for as long as the producer moves
 * ("temporal slipping").  One that stands still is caught up with, so that no event is left.
 * Distances are found in the slots, too.
 *
 * Analyses are fed by batches, so slots are cleared up to BATCH events after they were read.  A
 * chunk is one event here.  Which bank of the header counts depends on whether the number of
 * events before the tail is odd, so a batch is odd.
 *
 * An event of a signal handler that interrupts an enqueue may be lost, as with CAB.  The consumer
 * may also take handler's events before that enqueue stores its own.  Then that event, and those
 * up to the tail, are fed one lap later, or never if the thread sends no more than that.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring_cab.h"

#include "rt/engine/ring/ring_slots.h"
#include "rt/engine/ring/ring_wait.h"

#define LINE 8u              /* slots of a cache line */
#define DANGER (2 * LINE)    /* the published parameters */
#define SAFE (6 * LINE)
#define BATCH 63u            /* most events of a batch, odd */
_Static_assert (CAB_RING_MIN_CHUNKS * LINE > SAFE, "no distance goes round a ring");

/* Return true if there is a slot AHEAD slots after the tail, and it is full. */
static bool
is_full (const struct cab_ring *r, uint64_t ahead)
{
  uint64_t at = __atomic_load_n (&r->header->tail, __ATOMIC_RELAXED) + ahead;
  return ahead < cab_ring_n_slots (r)
      && __atomic_load_n (&r->slots[at % cab_ring_n_slots (r)], __ATOMIC_ACQUIRE) != CAB_EV_CLEAR;
}

static int
ready (const struct cab_ring *r)
{
  return is_full (r, 0);
}

/* Return how many slots the producer is ahead, as a multiple of LINE up to SAFE. */
static uint32_t
distance (const struct cab_ring *r)
{
  uint32_t slots = 0;
  while (slots < SAFE && is_full (r, slots + LINE))
    slots += LINE;
  return slots;
}

/* Let the producer get ahead if it is too near.  Return false if it stands still. */
static bool
keep_distance (const struct cab_ring *r)
{
  if (is_full (r, DANGER))
    return true;
  uint32_t before, now = 0;
  do
    {
      before = now;
      for (uint32_t i = before; i <= SAFE; i += LINE)
	cab_pause ();
      now = distance (r);
    }
  while (now < SAFE && now > before);
  return now >= SAFE;
}

/* Return how many events to take, given that there is one: as many as are before the end of the
   ring, and not within DANGER slots of a producer that moves. */
static uint64_t
choose (const struct cab_ring *r)
{
  uint64_t left = cab_ring_n_slots (r) - r->header->tail % cab_ring_n_slots (r), n = 0;
  uint64_t most = left < BATCH ? left : BATCH;
  bool moves = keep_distance (r);
  while (n < most && is_full (r, n) && (!moves || n % LINE || is_full (r, n + DANGER)))
    n++;
  return n - 1 + n % 2;
}

/* Feed what there is.  A producer that sleeps is woken when half of the ring is free. */
static int
drain (struct cab_ring *r)
{
  struct cab_ring_header *h = r->header;
  uint64_t woken = h->tail, begun = h->tail;
  while (ready (r))
    {
      uint64_t n = choose (r);
      cab_ring_cab_feed (r, n, h->tail + n);
      if (h->tail - woken >= cab_ring_n_slots (r) / 2)
	{
	  cab_ring_moved (r);
	  woken = h->tail;
	}
    }
  if (woken != h->tail)
    cab_ring_moved (r);
  return h->tail != begun;
}

const struct cab_ring_design cab_ring_fastforward_design = {
  .type = CAB_RING_CAB, .by_event = true, .slots = cab_ring_slots, .begin = cab_ring_cab_begin,
  .put = cab_ring_cab_put, .end = cab_ring_cab_end, .drain = drain, .ready = ready
};
