/* stores.h - a limit: stores to a buffer that nobody reads.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define QUEUE_READ 0

static struct event *next, *begin, *end;

static bool
queue_begin (uint64_t n)
{
  next = begin = (struct event *) calloc (n, sizeof *next);
  end = begin + n;
  return begin;
}

static inline void
queue_put (const struct event *event)
{
  for (int k = 0; k < WORDS; k++)
    ((volatile uint64_t *) next)[k] = event->word[k];
  if (++next == end)
    next = begin;
}

static uint64_t
queue_take (uint64_t *sum)
{
  (void) sum;
  return 0;
}
