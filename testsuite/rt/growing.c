/* growing.c - with ring=auto a ring grows where its consumer has emptied it and a burst fills it
 * again, up to a bound, and not where the consumer never catches up; each thread begins with the
 * least; no event is lost or fed twice.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Under TSan an analysis of the test's own holds the consumer until the ring is full, so that each
 * burst fills it.  In the other test the consumer runs free, and rings may grow or not.
 */
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cabprof/analysis.h"
#include "judge.h"
#include "probe.h"

#define PATHS 40
ROW (row, 10, 42, 0);

#define CHUNK 64        /* events */
#define LEAST 8         /* chunks */
#define MOST 256
#define BURSTS 7        /* the first one finds a consumer that has not yet emptied anything; each of
			   the next five doubles the ring */
#define STEADY 768      /* events */

static struct cab_ring_header *ring;   /* of the thread that sends */
static uint32_t is_open;               /* the consumer may go on */
static uint32_t is_slow;               /* it is held again after each batch */
static uint64_t sent;

#ifdef CAB_TEST_TSAN
#define EXACT 1

static bool
is_full (const struct cab_ring_header *h)
{
  return h && __atomic_load_n (&h->head, __ATOMIC_ACQUIRE)
	       - __atomic_load_n (&h->tail, __ATOMIC_ACQUIRE)
	     >= h->n_chunks;
}

static void
hold_feed (struct cab_arena *arena, const struct cab_batch *batch,
	   const struct cab_functions *functions)
{
  (void) functions;
  while (!__atomic_load_n (&is_open, __ATOMIC_ACQUIRE)
	 && !is_full (__atomic_load_n (&ring, __ATOMIC_ACQUIRE)))
    usleep (100);
  if (!__atomic_load_n (&is_slow, __ATOMIC_ACQUIRE))
    __atomic_store_n (&is_open, 1, __ATOMIC_RELEASE);
  *(uint64_t *) arena->base += cab_batch_events (batch);
}

static int
hold_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  arena->used = 16;
  return 0;
}

static uint64_t
hold_applied (const struct cab_arena *arena)
{
  return *(const uint64_t *) arena->base;
}

static uint64_t
hold_lost (const struct cab_arena *arena)
{
  (void) arena;
  return 0;
}

static struct cab_analysis hold = { .abi = CAB_ANALYSIS_ABI,
				    .name = "hold",
				    .summary = "holds the consumer",
				    .kinds = 1u << CAB_EV_PATH,
				    .shard = CAB_SHARD_THREAD,
				    .arena_bytes = 4096,
				    .open = hold_open,
				    .feed = hold_feed,
				    .applied = hold_applied,
				    .lost = hold_lost,
				    .carry = cab_carry_nothing };
#define ANALYSES "analyses=hold+paths:"

/* Before that of probe.c, which is linked later. */
__attribute__ ((constructor (101))) static void
add_analysis (void)
{
  cab_analysis_add (&hold);
}
#else
#define EXACT 0
#define ANALYSES "analyses=paths:"
#endif

static void
send (uint64_t n)
{
  for (uint64_t i = 0; i < n; i++)
    probe_enqueue (probe_path (&row, sent++ % PATHS));
}

/* Send the first event of a thread, and find its ring. */
static void
begin (void)
{
  send (1);
  struct cab_cursor *c = VOLATILE (__cab_ctx.cursor);
  __atomic_store_n (&ring,
		    (struct cab_ring_header *) ((char *) c
						- offsetof (struct cab_ring_header, cursor)),
		    __ATOMIC_RELEASE);
}

static void
wait_until_empty (void)
{
  while (__atomic_load_n (&ring->tail, __ATOMIC_ACQUIRE) != ring->head)
    usleep (100);
}

static void *
send_bursts (void *arg)
{
  uint32_t expected = LEAST;
  begin ();
  for (int i = 0; i < BURSTS; i++)
    {
      uint32_t n = ring->n_chunks;
      __atomic_store_n (&is_open, 0, __ATOMIC_RELEASE);
      send ((n + 1) * CHUNK);
      wait_until_empty ();
      expected = i == 0 || expected == MOST ? expected : 2 * expected;
      CHECK (!EXACT || ring->n_chunks == expected, "burst %d: %u chunks, not %u", i,
	     ring->n_chunks, expected);
      CHECK (ring->n_chunks >= LEAST && ring->n_chunks <= MOST, "%u chunks", ring->n_chunks);
    }
  __atomic_store_n (&ring, NULL, __ATOMIC_RELEASE);
  return arg;
}

static void *
send_steadily (void *arg)
{
  begin ();
  CHECK (ring->n_chunks == LEAST, "a new thread has %u chunks", ring->n_chunks);
  __atomic_store_n (&is_open, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&is_slow, 1, __ATOMIC_RELEASE);
  send (STEADY);
  CHECK (!EXACT || ring->n_chunks == LEAST, "the ring grew to %u chunks", ring->n_chunks);
  __atomic_store_n (&is_open, 1, __ATOMIC_RELEASE);
  return arg;
}

static int
program (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, send_bursts, NULL);
  pthread_join (thread, NULL);
  __atomic_store_n (&is_open, 1, __ATOMIC_RELEASE);
  pthread_create (&thread, NULL, send_steadily, NULL);
  pthread_join (thread, NULL);
  return sent > UINT32_MAX;
}

/* Return how often path PATH was sent where N events were. */
static uint64_t
expected_of (uint64_t path, uint64_t n)
{
  return n / PATHS + (path < n % PATHS);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program ();
  char dir[512], parts[2][512];
  snprintf (dir, sizeof dir, "%s/data", judge_directory ());
  int status = judge_run (dir, ANALYSES "ring=auto:chunk=512", "run", 0);
  CHECK (status == 0, "status %x", status);
  CHECK (judge_parts (dir, parts, 2) == 1, "one part");
  struct judge_part part = judge_open (parts[0]);
  const struct cab_ledger *l = &part.header->ledger;
  for (int i = 0; i < CAB_N_DROPS; i++)
    CHECK (l->dropped[i] == 0, "%lu dropped by cause %d", l->dropped[i], i);
  CHECK (l->analysed == l->enqueued && l->enqueued > STEADY, "%lu analysed of %lu", l->analysed,
	 l->enqueued);
  for (uint64_t path = 0; path < PATHS; path++)
    CHECK (judge_paths (&part, 1, path) == expected_of (path, l->enqueued),
	   "path %lu: %lu of %lu events", path, judge_paths (&part, 1, path), l->enqueued);
  judge_close (&part);
  return 0;
}
