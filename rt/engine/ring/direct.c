/* direct.c - the slow way of placement=direct: see direct.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/direct.h"

#include <linux/membarrier.h>
#include <linux/rseq.h>
#include <string.h>
#include <sys/syscall.h>

#include "analyses/wire/decode.h"
#include "rt/base/control_page.h"
#include "rt/base/fork_look.h"
#include "rt/engine/feed/feed_arenas.h"
#include "rt/engine/feed/feed_begun.h"
#include "rt/engine/ring/inside.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/ring_chunk.h"
#include "rt/libc/libc_system.h"
#include "rt/libc/libc_found.h"

int64_t cab_direct_rseq;
struct cab_direct_sequence cab_direct_one, cab_direct_many, cab_direct_feeding;

/* Labels in rt/engine/probe/direct.S. */
extern const char cab_direct_begin[], cab_direct_end[], cab_direct_one_stored[],
  cab_direct_many_stored[], cab_direct_slow_event[], cab_direct_slow_words[];

static struct cab_direct_sequence
sequence_to (const char *end, const char *abort)
{
  return (struct cab_direct_sequence) { .begin = (uintptr_t) cab_direct_begin,
					.bytes = end - cab_direct_begin,
					.abort = (uintptr_t) abort };
}

/* Return true if the C library has told the kernel of this thread's area, at OFFSET. */
static bool
has_area (long offset)
{
  const struct rseq *area = (const struct rseq *) ((char *) __builtin_thread_pointer () + offset);
  return (int32_t) __atomic_load_n (&area->cpu_id, __ATOMIC_RELAXED) >= 0;
}

/* Return where the area is, or 0 if there is none, or if cab_direct_stop could not stop threads. */
static int64_t
find_area (void)
{
  const long *offset = cab_libc_rseq_offset ();
  if (!offset || !has_area (*offset)
      || cab_system_call (SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0, 0,
			  0, 0)
	   < 0)
    return 0;
  return *offset;
}

void
cab_direct_start (void)
{
  if (!cab_direct_on ())
    return;
  cab_direct_one = sequence_to (cab_direct_one_stored, cab_direct_slow_event);
  cab_direct_many = sequence_to (cab_direct_many_stored, cab_direct_slow_words);
  cab_direct_feeding = sequence_to (cab_direct_end, (const char *) cab_direct_escape);
  cab_direct_rseq = find_area ();
  cab_control_page ()->placement.how = cab_direct_rseq ? CAB_PLACED_DIRECT
						       : CAB_PLACED_DIRECT_BLOCKS;
}

void
cab_direct_stop (void)
{
  if (cab_direct_on () && cab_direct_rseq)
    (void) cab_system_call (SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 0, 0, 0, 0, 0);
}

static void
no_table (struct cab_arena *arena)
{
  (void) arena;
  cab_direct_escape ();
}

static int
no_room (struct cab_arena *arena, size_t new_cap)
{
  (void) new_cap;
  no_table (arena);
  return -1;
}

/* Return the quick way's `feed' of ANALYSIS. */
static const struct cab_direct_feeds *
quick_of (const struct cab_analysis *analysis)
{
  const struct cab_direct_feeds *q = cab_direct_quick_feeds;
  while (strcmp (q->name, analysis->name))
    q++;
  return q;
}

/* Add S to the N states at TO.  Return false if S is not open for THREAD yet. */
static bool
add_state (struct cab_feed_state *s, struct cab_direct_state *to, uint32_t *n, uint32_t thread)
{
  if (s->failed)
    return true;
  if (!s->arena.base || cab_feed_row (s)->present != thread + 1)
    return false;
  to[*n].feed = quick_of (s->analysis)->feed;
  to[*n].arena = s->arena;
  to[*n].arena.cap = s->arena.used;
  to[*n].arena.grow = no_room;
  to[(*n)++].arena.publish = no_table;
  return true;
}

#define OTHERS (1u << CAB_EV_LOOP | 1u << CAB_EV_SAMPLE | 1u << CAB_EV_RESUME)

/* Make R ready for the quick way, as its states are now. */
static void
make_ready (struct cab_ring *r)
{
  struct cab_direct *d = &r->direct;
  struct cab_feed *feed = &r->feed;
  uint32_t thread = r->header->thread,
	   kinds = CAB_DIRECT_CALLS | CAB_DIRECT_PATHS | OTHERS | 1u << CAB_EV_ACCESS;
  d->kinds = d->n_call = d->n_path = d->n_access = 0;
  if (!feed->decode)
    return;
  for (uint32_t i = 0; i < feed->n; i++)
    {
      struct cab_feed_state *s = &feed->states[i];
      if (s->analysis->kinds >> CAB_EV_CALL & 1 && !add_state (s, d->call, &d->n_call, thread))
	kinds &= ~CAB_DIRECT_CALLS;
      if (s->analysis->kinds >> CAB_EV_PATH & 1 && !add_state (s, d->path, &d->n_path, thread))
	kinds &= ~CAB_DIRECT_PATHS;
      if (s->analysis->kinds >> CAB_EV_ACCESS & 1
	  && !add_state (s, d->access, &d->n_access, thread))
	kinds &= ~(1u << CAB_EV_ACCESS);
    }
  d->calls = (struct cab_batch) { .kind = CAB_EV_CALL, .thread = thread, .n = 1 };
  d->paths = (struct cab_batch) { .kind = CAB_EV_PATH, .thread = thread };
  d->accesses = (struct cab_batch) {
    .kind = CAB_EV_ACCESS, .thread = thread, .n = 1, .region = &d->event
  };
  d->kinds = kinds;
}

void
cab_direct_account (struct cab_ring *r, const uint64_t *words, uint32_t n)
{
  r->feed.is_dry = true;
  cab_feed_words (&r->feed, r->number, r->header->thread, words, n);
  r->feed.is_dry = false;
}

/* Finish the event at WORDS, which follows the open words that were fed: its states may have had
   some of it.  Return its words. */
static uint32_t
finish (struct cab_ring *r, const uint64_t *words)
{
  uint32_t n = 1 + cab_decode_raw (*words);
  struct cab_feed_account account = r->feed.account;
  cab_direct_account (r, words - r->open_words, r->open_words);
  cab_feed_begun (&r->feed, r->number, r->header->thread, words, n);
  r->feed.account = account;
  return n;
}

void
cab_direct_catch_up (struct cab_ring *r, bool begun)
{
  const struct cab_ring_header *h = r->header;
  const uint64_t *chunk = cab_chunk_at (r, h->head);
  uint32_t n = cab_ring_open_words (h, h->head);
  if (n > r->open_words && begun && r->feed.decode)
    r->open_words += finish (r, chunk + r->open_words);
  if (n > r->open_words)
    {
      struct cab_feed_account account = r->feed.account;
      cab_feed_words (&r->feed, r->number, h->thread, chunk + r->open_words, n - r->open_words);
      r->feed.account = account;
      r->open_words = n;
    }
  make_ready (r);
}

uint64_t
cab_direct_go_on (void *unused)
{
  struct cab_inside in;
  (void) unused;
  cab_fork_look ();
  if (!cab_inside_enter (&in))
    return 0;
  const struct cab_rt_thread *t = in.ctx->thread;
  if (t && t->ring)
    cab_direct_finish_ring (t->ring, true);
  cab_inside_leave (&in);
  return 0;
}

void
cab_direct_finish_ring (struct cab_ring *r, bool begun)
{
  if (!cab_direct_on () || cab_ring_is_cab (r))
    return;
  cab_lock (&r->lock);
  cab_control_wait_for_copy (r->header);
  cab_direct_catch_up (r, begun);
  __atomic_store_n (&r->header->analysing, 0, __ATOMIC_RELEASE);
  cab_unlock (&r->lock);
}
