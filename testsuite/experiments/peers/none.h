/* none.h - no queue: the loop alone, and the loop with cabprof's probes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define QUEUE_READ 0

static bool
queue_begin (uint64_t n)
{
  return n > 0;
}

static inline void
queue_put (const struct event *event)
{
  (void) event;
}

static uint64_t
queue_take (uint64_t *sum)
{
  (void) sum;
  return 0;
}
