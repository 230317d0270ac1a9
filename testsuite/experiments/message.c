/* message.c - measure what a message to a delegate costs its sender, by its size.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage:   CAB_TEST_RUN=1 CABPROF_OPTIONS=data=DIR:delegates=2 message >TSV
 * Model:   a message is a row; the runtime's own code sorts rows by key and puts them into the
 *          queue of a delegate, all into one. The analysis adds up what it gets. `alone' is the
 *          same before there are delegates: the sender takes the rows out of the queue itself.
 * Output:  a line for each block of messages: bytes of a message, "alone" or "delegate", cycles of
 *          the time stamp counter and nanoseconds for each message, and the share of them that the
 *          delegate took out of the queue, in percent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

#include "probe.h"
#include "analyses/wire/keyed.h"
#include "rt/engine/feed/delegates.h"
#include "rt/engine/feed/feed_arenas.h"

#define BLOCKS 15
#define BATCHES 2000    /* of a block */
#define DELEGATES 2     /* with one there is no queue */
#define PART 0          /* of a row whose columns are 0; the other delegate sleeps */

struct state
{
  uint64_t n, sum, by_delegates;
};

static __thread bool is_sender;

static int
open_state (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  arena->used = sizeof (struct state);
  return 0;
}

static uint64_t
sum_of (const uint64_t *column, uint32_t n)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n && column; i++)
    sum += column[i];
  return sum;
}

static uint64_t
sum_of_short (const uint32_t *column, uint32_t n)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n && column; i++)
    sum += column[i];
  return sum;
}

static void
feed (struct cab_arena *arena, const struct cab_batch *b, const struct cab_functions *functions)
{
  struct state *s = (struct state *) arena->base;
  (void) functions;
  s->n += b->n;
  s->by_delegates += is_sender ? 0 : b->n;
  s->sum += sum_of_short (b->site, b->n) + sum_of_short (b->fn, b->n)
	    + sum_of_short (b->node, b->n) + sum_of_short (b->loop, b->n)
	    + sum_of (b->events, b->n) + sum_of (b->count, b->n) + sum_of (b->address, b->n)
	    + sum_of (b->other, b->n) + sum_of (b->bytes, b->n) + sum_of (b->value, b->n);
}

static const struct cab_analysis summing = { .abi = CAB_ANALYSIS_ABI,
					     .bytes = sizeof summing,
					     .name = "summing",
					     .kinds = 1u << CAB_EV_ACCESS,
					     .shard = CAB_SHARD_KEY,
					     .key = CAB_KEY_SITE,
					     .arena_bytes = sizeof (struct state),
					     .open = open_state,
					     .feed = feed };

static struct cab_feed_state states[DELEGATES];
static struct cab_delegates *queues;

static struct cab_keyed_rows *
room (void *host, uint32_t part, const struct cab_batch *batch, uint32_t n)
{
  (void) host;
  return cab_delegates_room (queues, part, &states[part], batch, n);
}

static int64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000000000) + t.tv_nsec;
}

/* Send BLOCKS blocks of messages of BYTES bytes, and print what each message took. */
static void
send (const struct cab_batch *batch, unsigned bytes, const char *to)
{
  const struct cab_keyed_host host = { NULL, room };
  const struct state *state = (const struct state *) states[PART].arena.base;
  for (int i = 0; i < BLOCKS; i++)
    {
      double n = (double) BATCHES * batch->n;
      uint64_t before = state->by_delegates;
      int64_t since_ns = now_ns ();
      uint64_t since = __rdtsc ();
      for (int k = 0; k < BATCHES; k++)
	cab_keyed_rows (cab_delegates_split (queues), &summing, batch, DELEGATES, &host);
      cab_delegates_flush (queues);
      uint64_t cycles = __rdtsc () - since;
      printf ("%u\t%s\t%.3f\t%.4f\t%.1f\n", bytes, to, cycles / n, (now_ns () - since_ns) / n,
	      100 * (state->by_delegates - before) / n);
    }
}

/* Send messages of all sizes. */
static void
send_all (const char *to)
{
  static uint64_t wide[6][CAB_KEYED_ROWS];
  static uint32_t narrow[4][CAB_KEYED_ROWS];
  struct cab_batch b = { .kind = CAB_EV_ACCESS, .n = CAB_KEYED_ROWS, .site = narrow[0] };
  send (&b, 4, to);
  b.fn = narrow[1];
  send (&b, 8, to);
  b.address = wide[0];
  send (&b, 16, to);
  b.bytes = wide[1], b.value = wide[2];
  send (&b, 32, to);
  b.events = wide[3], b.count = wide[4], b.other = wide[5], b.node = narrow[2], b.loop = narrow[3];
  send (&b, 64, to);
}

int
main (void)
{
  static const struct cab_functions functions;
  is_sender = true;
  queues = aligned_alloc (64, (cab_delegates_bytes () + 63) / 64 * 64);
  memset (queues, 0, cab_delegates_bytes ());
  cab_delegates_begin (queues, &functions);
  for (int k = 0; k < DELEGATES; k++)
    {
      states[k].analysis = &summing;
      if (!cab_feed_ready (&states[k], 0, 0))
	return 1;
    }
  send_all ("alone");
  cab_delegates_ensure ();
  send_all ("delegate");
  return fflush (stdout) ? 1 : 0;
}
