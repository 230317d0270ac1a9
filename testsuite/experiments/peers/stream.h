/* stream.h - a limit: a buffer that another core reads behind the producer, which never waits.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The producer's counter of chunks is all that the two share beside the buffer. The events of a
 * chunk that was overwritten before the consumer had read all of it count in `missed', and their
 * sum is taken to be what it should have been. */
#define QUEUE_READ 1

static struct event *slots, *next, *chunk_end, *end;
static uint64_t n_chunks;                                      /* of the buffer */
static uint64_t written __attribute__ ((aligned (64)));        /* chunks, by the producer */
static uint64_t taken __attribute__ ((aligned (64)));          /* chunks, by the consumer */

static bool
queue_begin (uint64_t n)
{
  next = slots = (struct event *) calloc (n, sizeof *slots);
  chunk_end = slots + CHUNK;
  end = slots + n;
  n_chunks = n / CHUNK;
  return slots && n_chunks > 1;
}

static inline void
queue_put (const struct event *event)
{
  for (int k = 0; k < WORDS; k++)
    ((volatile uint64_t *) next)[k] = event->word[k];
  if (++next == chunk_end)
    {
      next = next == end ? slots : next;
      chunk_end = next + CHUNK;
      __atomic_store_n (&written, written + 1, __ATOMIC_RELEASE);
    }
}

static uint64_t
queue_take (uint64_t *sum)
{
  uint64_t since = taken, n = __atomic_load_n (&written, __ATOMIC_ACQUIRE) - since;
  if (!n)
    return 0;
  uint64_t found = queue_sum (slots + since % n_chunks * CHUNK, CHUNK);
  __atomic_thread_fence (__ATOMIC_ACQUIRE);   /* the words were read before the counter is */
  n = __atomic_load_n (&written, __ATOMIC_RELAXED) - since;
  if (n < n_chunks)
    n = 1, *sum += found;
  else
    {
      n -= n_chunks / 2;   /* go on in the middle of what is still there */
      missed += n * CHUNK;
      *sum += queue_expected (since * CHUNK, n * CHUNK);
    }
  taken += n;
  return n * CHUNK;
}
