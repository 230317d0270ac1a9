/* rest.c - see rest.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/rest.h"
#include "rt/base/control_page.h"

#define SLOTS 2048u   /* a part of the first-level cache */
#define SPARE (SLOTS + CAB_ACCESS_WORDS + 2)

/* Restart the thread at the beginning of its memory.  A CAB ring has no limit: its probes go on up
   to a mark. */
static void
go_on (struct cab_rt_thread *t, uint64_t busy)
{
  struct cab_cursor *c = &t->ring->header->paused;
  bool is_cab = cab_ring_is_cab (t->ring);
  t->ring->header->paused_most = is_cab ? CAB_EV_MAGIC - 1 : 0;
  __atomic_store_n (&c->limit, is_cab ? 0 : (uintptr_t) (t->sink + SLOTS), __ATOMIC_RELAXED);
  __atomic_store_n (&c->next, (uintptr_t) t->sink | busy, __ATOMIC_RELEASE);
}

/* Return true if the thread has the memory to rest. */
static bool
make_sink (struct cab_rt_thread *t)
{
  if (!t->sink && (t->sink = cab_sys_map (SPARE * sizeof *t->sink)))
    t->sink[SPARE - 1] = CAB_EV_MAGIC;
  return t->sink;
}

void
cab_rest_begin (struct cab_rt_thread *t)
{
  struct cab_ring_header *h = t->ring->header;
  __atomic_store_n (&h->obeys, cab_control_pause (), __ATOMIC_RELEASE);
  if (t->resting || !make_sink (t))
    return;
  bool is_cab = cab_ring_is_cab (t->ring);
  go_on (t, t->ctx->busy && !is_cab ? CAB_CURSOR_BUSY : 0);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  t->resting = true;
  t->ctx->cursor = &h->paused;
  if (!is_cab)
    __atomic_fetch_and (&h->cursor.next, ~CAB_CURSOR_BUSY, __ATOMIC_RELAXED);
  cab_rest_look (t->ring, &h->paused);
}

void
cab_rest_end (struct cab_rt_thread *t)
{
  struct cab_ring_header *h = t->ring->header;
  __atomic_store_n (&h->obeys, cab_control_pause (), __ATOMIC_RELEASE);
  if (!t->resting)
    return;
  if (t->ctx->busy && !cab_ring_is_cab (t->ring))
    __atomic_fetch_or (&h->cursor.next, CAB_CURSOR_BUSY, __ATOMIC_RELAXED);
  t->ctx->cursor = &h->cursor;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  t->resting = false;
}

bool
cab_rest_takes (const struct cab_ctx *ctx)
{
  struct cab_rt_thread *t = ctx->thread;
  if (!t || !t->resting || ctx->busy)
    return false;
  if (!(cab_control_pause () & CAB_CONTROL_PAUSED))
    {
      __atomic_fetch_and (&t->ring->header->paused.next, ~CAB_CURSOR_BUSY, __ATOMIC_RELAXED);
      return false;
    }
  go_on (t, 0);
  cab_rest_look (t->ring, &t->ring->header->paused);
  return true;
}
