/* direct_feed.c - the quick way of placement=direct: see direct.h.  Compiled without vector
 * registers, and without %r15, which is the gate's.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/direct.h"

#include "analyses/wire/decode_regions.h"
#include "rt/base/clock.h"
#include "rt/base/control_page.h"
#include "rt/base/fork_look.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/ring_chunk.h"
#include "rt/engine/ring/thread.h"

const struct cab_direct_feeds *const cab_direct_quick_feeds = cab_direct_feeds;

/* Return the region of the ACCESS event at WORDS, if it was met before and is the same each time:
   nothing is entered into the decoder's tables here. */
static inline const struct cab_region *
region_of (const struct cab_ring *r, const uint64_t *words)
{
  const struct cab_decode *d = r->feed.decode;
  const struct cab_decode_seen *seen = &d->seen[cab_decode_place_in (CAB_DECODE_SEEN, words[0])];
  return seen->header == words[0] && seen->region && seen->region->count == CAB_NO_WORD
	 ? seen->region
	 : NULL;
}

/* Return true if the event at WORDS may go the quick way. */
static inline bool
is_quick (const struct cab_ring *r, const uint64_t *words)
{
  bool is_timed = cab_ev_kind (*words) == CAB_EV_TIME;
  uint64_t event = is_timed ? words[1] : *words;
  unsigned kind = cab_ev_kind (event);
  if (!(r->direct.kinds >> kind & 1) || (is_timed && cab_clock_by_call))
    return false;
  if (CAB_DIRECT_CALLS >> kind & 1)
    return cab_ev_callee (event);
  if (CAB_DIRECT_PATHS >> kind & 1)
    return cab_ev_fn (event) && (kind != CAB_EV_PACK || cab_ev_pack_n (event));
  return kind != CAB_EV_ACCESS || !r->direct.n_access || region_of (r, words);
}

/* Return true if this may be a copy of the process that has no part of its own yet. */
static inline bool
may_be_copy (void)
{
  return cab_fork_word && (cab_fork_lacks || *cab_fork_word != 1);
}

/* Return the ring of CTX if its thread may go the quick way now, else null. */
static inline struct cab_ring *
ring_of (const struct cab_ctx *ctx)
{
  const struct cab_rt_thread *t = ctx->thread;
  struct cab_ring *r = t ? t->ring : NULL;
  if (!r || ctx->busy || ctx->inside || t->n_stash || t->resting || r->lock
      || cab_control_wants (r->header) || may_be_copy ())
    return NULL;
  return r;
}

struct cab_direct_store
cab_direct_log (const uint64_t *words, struct cab_ctx *ctx)
{
  const struct cab_direct_store slow = { NULL, 0 };
  struct cab_ring *r = ring_of (ctx);
  if (!r || !is_quick (r, words))
    return slow;
  uint64_t *next = &r->header->cursor.next, *p = (uint64_t *) *next;
  uint32_t n = cab_ring_words (*words);
  if (p != r->chunk + r->open_words || r->open_words >= r->fill)
    return slow;
  *p = *words;
  for (uint32_t i = 1; i < n; i++)
    p[i] = words[i];
  return (struct cab_direct_store) { next, (uintptr_t) (p + n) };
}

/* Find the counters of function FN, for struct cab_functions. */
static int
counters_of (void *host, uint32_t fn, uint64_t *first, uint32_t *n)
{
  (void) host;
  if (fn == 0 || fn > cab_rt.part.header->n_functions)
    return 0;
  const struct cab_part_function *f = (const void *) cab_rt.functions.base;
  *first = f[fn - 1].count_offset / 8;
  *n = f[fn - 1].n_counters;
  return *n > 0;
}

static const struct cab_functions functions = { NULL, counters_of, NULL, NULL };

/* Feed BATCH to the N states at S. */
static inline void
feed_all (struct cab_direct_state *s, uint32_t n, const struct cab_batch *batch)
{
  for (uint32_t i = 0; i < n; i++)
    s[i].feed (&s[i].arena, batch, &functions);
}

static void __attribute__ ((noinline))
feed_paths (struct cab_direct *d, const uint64_t *word)
{
  struct cab_batch *b = &d->paths;
  uint32_t n = 1;
  b->events = word;
  if (cab_ev_kind (*word) == CAB_EV_PACK)
    {
      n = cab_ev_pack_n (*word);
      for (uint32_t i = 0; i < n; i++)
	d->rows[i] = cab_ev_pack_path (*word, n, i);
      b->events = d->rows;
    }
  b->has_runs = cab_ev_is_run (*word);
  for (; n; n -= b->n, b->events += b->n)
    {
      b->n = n < cab_direct_paths ? n : cab_direct_paths;
      feed_all (d->path, d->n_path, b);
    }
}

static void __attribute__ ((noinline))
feed_accesses (struct cab_ring *r, const uint64_t *words)
{
  struct cab_direct *d = &r->direct;
  d->event = (struct cab_region_event) { region_of (r, words), words + 1 };
  d->accesses.accesses = d->event.region->shape.n;
  feed_all (d->access, d->n_access, &d->accesses);
}

/* Feed the event at WORDS, and return how many words it has. */
static inline uint32_t
feed_event (struct cab_ring *r, const uint64_t *words)
{
  struct cab_direct *d = &r->direct;
  unsigned kind = cab_ev_kind (*words);
  if (CAB_DIRECT_CALLS >> kind & 1)
    {
      d->calls.events = words;
      feed_all (d->call, d->n_call, &d->calls);
    }
  else if (CAB_DIRECT_PATHS >> kind & 1 && d->n_path)
    feed_paths (d, words);
  else if (kind == CAB_EV_ACCESS && d->n_access)
    feed_accesses (r, words);
  return kind == CAB_EV_ACCESS ? 1 + cab_ev_words (*words) : 1;
}

/* The words are those that cab_direct_log has stored, unless a handler has run since: it has fed
   them then. */
void
cab_direct_feed (struct cab_ctx *ctx)
{
  struct cab_ring *r = ((const struct cab_rt_thread *) ctx->thread)->ring;
  if (!r || *(volatile uint32_t *) &r->lock)
    cab_direct_escape ();
  const uint64_t *end = (const uint64_t *) r->header->cursor.next,
		 *at = r->chunk + r->open_words;
  *(volatile uint32_t *) &r->header->analysing = 1;
  if (*(volatile uint32_t *) &cab_control_page ()->hold)
    cab_direct_escape ();
  while (at < end)
    {
      at += feed_event (r, at);
      __atomic_signal_fence (__ATOMIC_SEQ_CST);
      *(volatile uint32_t *) &r->open_words = at - r->chunk;
    }
  *(volatile uint32_t *) &r->header->analysing = 0;
}
