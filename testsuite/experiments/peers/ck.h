/* ck.h - ck_ring of Concurrency Kit, one producer and one consumer.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <ck_ring.h>

#define QUEUE_READ 1
CK_RING_PROTOTYPE (event, event)

static ck_ring_t ring;
static struct event *slots;

static bool
queue_begin (uint64_t n)
{
  slots = (struct event *) calloc (n, sizeof *slots);
  ck_ring_init (&ring, n);
  return slots;
}

static inline void
queue_put (const struct event *event)
{
  if (CK_RING_ENQUEUE_SPSC (event, &ring, slots, (struct event *) event))
    return;
  QUEUE_WAIT (CK_RING_ENQUEUE_SPSC (event, &ring, slots, (struct event *) event));
}

static uint64_t
queue_take (uint64_t *sum)
{
  struct event event;
  uint64_t n = 0;
  for (; n < TAKEN && CK_RING_DEQUEUE_SPSC (event, &ring, slots, &event); n++)
    *sum += queue_sum (&event, 1);
  return n;
}
