/* ring.c - what the ring designs share: see ring.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/ring.h"

#include <errno.h>
#include <string.h>

#include "analyses/live/context.h"
#include "rt/base/control_page.h"
#include "rt/engine/ring/consumer.h"
#include "rt/engine/feed/feed_sets.h"
#include "rt/engine/ring/inside.h"
#include "rt/filters/filters.h"
#include "rt/engine/ring/ring_list.h"
#include "rt/engine/ring/ring_seize.h"
#include "rt/engine/ring/rest.h"
#include "rt/engine/ring/thread.h"

#define STASH_EVENTS 65536u

static void
drop (enum cab_drop cause)
{
  cab_ledger_add (&cab_ledger ()->dropped[cause], 1);
}

/* Return a ring for T, or null if there is no room. */
static struct cab_ring *
open_ring (struct cab_rt_thread *t, const struct cab_ring_design *design)
{
  cab_ring_list_help ();
  cab_lock (&cab_rt.lock);
  struct cab_ring *r = cab_ring_list_take (design);
  bool is_other = r && r->feed.set != t->set;
  if (r && ((design->prepare && design->prepare (r) < 0)
	    || (is_other && cab_feed_sets_prepare (&r->feed) < 0)))
    {
      cab_ring_list_free (r);
      r = NULL;
    }
  if (r)
    {
      r->header->thread = t->index;
      r->header->seen[0][0] = r->header->seen[1][0] = 0;
      __atomic_store_n (&r->header->ended, 0, __ATOMIC_RELEASE);
      __atomic_store_n (&r->ending, 0, __ATOMIC_RELAXED);
      ((struct cab_part_thread *) cab_rt.threads.base)[t->index].ring = r->number;
      /* An event after the destructors of the process: the reader must look at the rings again. */
      cab_rt.part.header->state = CAB_PART_RUNNING;
    }
  cab_unlock (&cab_rt.lock);
  if (!r)
    return NULL;
  t->ring = r;
  if (is_other)
    cab_ring_enter_set (t);
  memset (&r->judge, 0, sizeof r->judge);
  design->begin (r, t->ctx);
  t->ctx->cursor = &r->header->cursor;
  cab_consumer_ensure (r->number);
  cab_feed_ensure ();
  return r;
}

static void
put (struct cab_rt_thread *t, const uint64_t *event)
{
  if (t->ring->design->put (t->ring, t->ctx, event) < 0)
    drop (CAB_DROP_NO_MEMORY);
}

/* Put the stashed events; those that instrumented code stashes meanwhile are put, too. */
static void
flush_stash (struct cab_rt_thread *t)
{
  for (uint32_t i = 0; i < t->n_stash; i += cab_ring_words (t->stash[i]))
    put (t, t->stash + i);
  t->n_stash = 0;
}

bool
cab_ring_make (struct cab_rt_thread *t, const struct cab_ring_design *design)
{
  return t->ring || (!t->no_ring && open_ring (t, design));
}

/* Return the flags (CAB_ROW_*) of the function that EVENT names, or 0 if it names none. */
static unsigned
flags_of (uint64_t event)
{
  const struct cab_part_function *functions = (const void *) cab_rt.functions.base;
  uint32_t fn;
  switch (cab_ev_kind (event))
    {
    case CAB_EV_CALL:
    case CAB_EV_TAIL:
    case CAB_EV_UNDER:
    case CAB_EV_RESUME:
      fn = cab_ev_callee (event);
      break;
    case CAB_EV_TIME:
    case CAB_EV_SAMPLE:
      return 0;
    default:
      fn = cab_ev_fn (event);
    }
  bool is_known = fn && fn <= __atomic_load_n (&cab_rt.part.header->n_functions, __ATOMIC_ACQUIRE);
  return is_known ? functions[fn - 1].flags : 0;
}

/* Make sure that T has a ring; a new one is of a design for EVENT, which came by the gate `cab' if
   IS_CAB, else by one of the chunk ring.  Return false if there is no room for one. */
static bool
make_for (struct cab_rt_thread *t, uint64_t event, bool is_cab)
{
  if (t->ring)
    return true;
  unsigned peer = flags_of (event) & CAB_ROW_RING_PEER;
  return cab_ring_make (t, cab_ring_design_of (peer | (is_cab ? CAB_ROW_RING_CAB : 0)));
}

/* Put EVENT after the stash.  It came by the gate `cab' if IS_CAB.  Signals are blocked: no handler
   appends to the stash. */
static void
enqueue (struct cab_ctx *ctx, const uint64_t *event, bool is_cab)
{
  struct cab_rt_thread *t = ctx->thread;
  if (!t)
    {
      cab_lock (&cab_rt.lock);
      t = cab_thread_attach (ctx);
      cab_unlock (&cab_rt.lock);
    }
  if (!t)
    drop (CAB_DROP_NO_THREAD);
  else if (!make_for (t, *event, is_cab))
    {
      t->no_ring = true;
      ctx->sample = 0;
      drop (CAB_DROP_NO_MEMORY);
    }
  else if (cab_control_pause () & CAB_CONTROL_PAUSED)
    {
      if (!t->resting)
	flush_stash (t);
      t->n_stash = 0;
      cab_rest_begin (t);
    }
  else
    {
      cab_rest_end (t);
      flush_stash (t);
      put (t, event);
    }
}

/* Force the next event of this thread to its gate. */
static void
force_gate (struct cab_ctx *ctx)
{
  if (ctx->cursor)
    __atomic_store_n (&ctx->cursor->limit, 0, __ATOMIC_RELAXED);
}

/* Mark the ring busy for instrumented code that libc calls back (a program's own malloc, from
   pthread_create).  A CAB ring has no such mark. */
static void
hold (struct cab_ctx *ctx)
{
  const struct cab_rt_thread *t = ctx->thread;
  ctx->busy = 1;
  if (t && t->ring && !cab_ring_is_cab (t->ring))
    __atomic_fetch_or (&ctx->cursor->next, CAB_CURSOR_BUSY, __ATOMIC_RELAXED);
}

static void
let_go (struct cab_ctx *ctx)
{
  if (ctx->cursor)
    __atomic_fetch_and (&ctx->cursor->next, ~CAB_CURSOR_BUSY, __ATOMIC_RELAXED);
  ctx->busy = 0;
}

/* With placement=direct, analyse what the thread of CTX has written.  BEGUN: as
   cab_direct_catch_up. */
static void
catch_up (struct cab_ctx *ctx, bool begun)
{
  const struct cab_rt_thread *t = ctx->thread;
  if (t && t->ring)
    cab_direct_finish_ring (t->ring, begun);
}

void
cab_ring_full (struct cab_ctx *ctx, const uint64_t *event)
{
  hold (ctx);
  if (cab_is_blind (ctx))
    cab_ring_put_blindly (ctx, event);
  else
    {
      catch_up (ctx, true);
      enqueue (ctx, event, false);
      catch_up (ctx, false);
    }
  struct cab_rt_thread *t = ctx->thread;
  if (t && t->n_stash)
    force_gate (ctx);
  let_go (ctx);
}

void
cab_ring_cab (struct cab_ctx *ctx, const uint64_t *event)
{
  if (cab_is_blind (ctx))
    cab_ring_put_blindly (ctx, event);
  else
    enqueue (ctx, event, true);
}

/* Leave T's ring, drained as it is, since it cannot continue; T gets no other. */
static void
give_up_ring (struct cab_rt_thread *t)
{
  struct cab_ring *r = t->ring;
  t->ring = NULL;
  t->resting = false;
  t->no_ring = true;
  t->ctx->cursor = NULL;
  t->ctx->busy = 0;
  cab_ring_list_free (r);
}

int
cab_ring_settle (struct cab_rt_thread *t)
{
  struct cab_ring *r = t->ring;
  if (!r)
    return 0;
  if (cab_ring_is_busy (t->ctx) || t->overtaken)
    return -EBUSY;
  if (cab_feed_sets_prepare (&r->feed) < 0)
    return -ENOMEM;
  hold (t->ctx);
  catch_up (t->ctx, true);
  if (!t->resting)
    flush_stash (t);
  __atomic_store_n (&r->ending, 1, __ATOMIC_RELAXED);
  r->design->end (r);
  cab_ring_drain (r);
  __atomic_store_n (&r->ending, 0, __ATOMIC_RELAXED);
  cab_lock (&cab_rt.lock);
  int error = r->design->prepare ? r->design->prepare (r) : 0;
  cab_unlock (&cab_rt.lock);
  if (error < 0)
    {
      give_up_ring (t);
      return -ENOMEM;
    }
  r->design->begin (r, t->ctx);
  let_go (t->ctx);
  return 0;
}

void
cab_ring_enter_set (struct cab_rt_thread *t)
{
  struct cab_ring *r = t->ring;
  if (!r || r->feed.set == t->set)
    return;
  struct cab_ring_header *h = r->header;
  cab_lock (&r->lock);
  cab_control_wait_for_copy (h);
  cab_feed_switch (&r->feed, r->number, h->thread, t->set);
  r->direct.kinds = 0;
  if (r->feed.context)
    h->seen[0][0] = h->seen[1][0] = cab_context_mark (r->feed.context);
  h->set = t->set;
  __atomic_store_n (&h->n_switches, h->n_switches + 1, __ATOMIC_RELEASE);
  __atomic_store_n (&h->analysing, 0, __ATOMIC_RELEASE);
  cab_unlock (&r->lock);
}

/* Return the thread, with a stash, which is made if need be where that is possible. */
static struct cab_rt_thread *
with_stash (struct cab_ctx *ctx, bool inside)
{
  struct cab_rt_thread *t = ctx->thread;
  if ((t && (t->stash || t->no_ring)) || !inside)
    return t;
  cab_lock (&cab_rt.lock);
  t = cab_thread_attach (ctx);
  if (t && !t->stash && !t->no_ring)
    t->stash = cab_sys_map (STASH_EVENTS * sizeof *t->stash);
  cab_unlock (&cab_rt.lock);
  return t;
}

/* Stash EVENT.  Signals are blocked: no other handler does.  INSIDE: it may overtake the ring. */
static void
stash (struct cab_ctx *ctx, const uint64_t *event, bool inside)
{
  struct cab_rt_thread *t = with_stash (ctx, inside);
  if (!t || !t->stash)
    {
      drop (CAB_DROP_NO_MEMORY);
      return;
    }
  uint32_t n = cab_ring_words (*event);
  cab_ledger_add (&cab_ledger ()->stashed, 1);
  if (t->n_stash + n <= STASH_EVENTS)
    {
      memcpy (t->stash + t->n_stash, event, n * sizeof *event);
      t->n_stash += n;
      force_gate (ctx);
    }
  else if (inside)
    {
      cab_ring_seize (t);
      cab_ring_full (ctx, event);
    }
  else
    drop (CAB_DROP_NO_MEMORY);
}

/* Stash EVENT, since its handler interrupted an enqueue.  If the handler leaves by siglongjmp that
   one never ends: later events gather here, too; when the stash is full the ring is overtaken. */
void
cab_ring_stash (struct cab_ctx *ctx, const uint64_t *event)
{
  struct cab_inside in;
  if (!cab_rt_on ())
    {
      let_go (ctx);
      return;
    }
  if (cab_is_blind (ctx))
    {
      drop (CAB_DROP_SANDBOX);
      return;
    }
  bool inside = cab_inside_enter (&in);
  stash (ctx, event, inside);
  if (inside)
    cab_inside_leave (&in);
}

int
cab_ring_drain (struct cab_ring *r)
{
  if (!cab_ring_has_work (r))
    return 0;
  cab_lock (&r->lock);
  cab_control_wait_for_copy (r->header);
  /* Read first, to drain all of an ended producer.  Only the lock's holder ends this state. */
  bool pending = __atomic_load_n (&r->state, __ATOMIC_ACQUIRE) == CAB_RING_PENDING;
  int worked = r->design->drain (r);
  __atomic_store_n (&r->header->analysing, 0, __ATOMIC_RELEASE);
  if (pending)
    cab_ring_list_drained (r);
  cab_unlock (&r->lock);
  return worked;
}

void
cab_ring_gate_all (void)
{
  for (struct cab_ring *r = cab_ring_first (); r; r = r->next)
    if (!cab_ring_is_cab (r))
      __atomic_store_n (&r->header->cursor.limit, 0, __ATOMIC_RELAXED);
}

static void
analyse_written (struct cab_ring *r)
{
  cab_ring_drain (r);
  if (!r->design->written || __atomic_load_n (&r->state, __ATOMIC_ACQUIRE) != CAB_RING_TAKEN)
    return;
  cab_lock (&r->lock);
  cab_direct_stop ();
  cab_control_wait_for_copy (r->header);
  if (__atomic_load_n (&r->state, __ATOMIC_ACQUIRE) == CAB_RING_TAKEN)
    r->design->written (r);
  __atomic_store_n (&r->header->analysing, 0, __ATOMIC_RELEASE);
  cab_unlock (&r->lock);
}

void
cab_ring_analyse_all (void)
{
  for (struct cab_ring *r = cab_ring_first (); r; r = r->next)
    analyse_written (r);
}

void
cab_ring_hide (struct cab_rt_thread *t)
{
  if (t->ring && t->ring->design->hide)
    t->ring->design->hide (t->ring);
}

int
cab_ring_peek (struct cab_ring *r)
{
  if (!r->design->peek || __atomic_load_n (&r->state, __ATOMIC_ACQUIRE) != CAB_RING_TAKEN)
    return 0;
  cab_lock (&r->lock);
  cab_control_wait_for_copy (r->header);
  int worked = __atomic_load_n (&r->state, __ATOMIC_ACQUIRE) == CAB_RING_TAKEN
      && r->design->peek (r);
  __atomic_store_n (&r->header->analysing, 0, __ATOMIC_RELEASE);
  cab_unlock (&r->lock);
  return worked;
}

void
cab_ring_end (struct cab_rt_thread *t)
{
  struct cab_ring *r = t->ring;
  struct cab_ctx *ctx = t->ctx;
  if (!r)
    return;
  if (cab_ring_is_busy (ctx))
    cab_ring_hide (t);
  catch_up (ctx, true);
  flush_stash (t);
  cab_ring_count_seized (t);
  t->overtaken = NULL;
  __atomic_store_n (&r->ending, 1, __ATOMIC_RELAXED);
  r->design->end (r);
  t->ring = NULL;
  t->resting = false;
  ctx->cursor = NULL;
  ctx->busy = 0;
  __atomic_store_n (&r->header->ended, 1, __ATOMIC_RELEASE);
  cab_ring_list_leave (r);
  if (cab_consumer_serves (r->number))
    cab_consumer_wake (r->number, false);
  else
    cab_ring_drain (r);
}
