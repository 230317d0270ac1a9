/* boost.h - boost::lockfree::spsc_queue, its length given at run time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <boost/lockfree/spsc_queue.hpp>

#define QUEUE_READ 1

static boost::lockfree::spsc_queue<event> *ring;

static bool
queue_begin (uint64_t n)
{
  ring = new boost::lockfree::spsc_queue<event> (n);
  return true;
}

static inline void
queue_put (const struct event *event)
{
  if (ring->push (*event))
    return;
  QUEUE_WAIT (ring->push (*event));
}

static uint64_t
queue_take (uint64_t *sum)
{
  struct event events[TAKEN];
  uint64_t n = ring->pop (events, TAKEN);
  *sum += queue_sum (events, n);
  return n;
}
