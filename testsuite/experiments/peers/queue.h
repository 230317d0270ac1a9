/* queue.h - what the queues that are compared have in common.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes:   an event is WORDS words of 8 bytes, 1 or 3. CHUNK events, 64 KB or 48 KB, are the unit
 *           in which counts of events are rounded.
 * Threads:  one producer and one consumer.
 * A queue is a header that loop.c includes, with
 *   QUEUE_READ         1 if there is a consumer, else 0
 *   queue_begin (n)    get room for N events, a power of two; false: no room
 *   queue_put (event)  block while the queue is full, by QUEUE_WAIT
 *   queue_take (sum)   add the words of the events that are there to *SUM and return how many
 *                      events these were, 0 at once if there is none
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define CHUNK (WORDS == 1 ? 8192u : 2048u)
#define TAKEN 256   /* events that a consumer takes at once where it can */

struct event
{
  uint64_t word[WORDS];
};

static uint64_t waiting;   /* units of the time stamp counter that the producer has waited */
static uint64_t missed;    /* events that the consumer of the one-way stream could not read */

/* Wait until DONE, an expression, is true. No function is called, so that the code that need not
   wait saves no register. */
#define QUEUE_WAIT(done) \
  do \
    { \
      uint64_t since = __builtin_ia32_rdtsc (); \
      while (!(done)) \
	__builtin_ia32_pause (); \
      waiting += __builtin_ia32_rdtsc () - since; \
    } \
  while (0)

static inline uint64_t
queue_sum (const struct event *events, uint64_t n)
{
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++)
    for (int k = 0; k < WORDS; k++)
      sum += events[i].word[k];
  return sum;
}

/* Return the sum of N events from number FIRST on; both are multiples of CHUNK. */
static uint64_t queue_expected (uint64_t first, uint64_t n);
