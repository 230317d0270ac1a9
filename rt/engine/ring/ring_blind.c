/* ring_blind.c - rings of threads that may ask nothing of the kernel (filters.h), and what is
 * prepared for them.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/ring/consumer.h"
#include "rt/base/control_page.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/thread.h"

#define BLIND_LOOKS (UINT64_C (1) << 30)   /* some tens of seconds */

void
cab_ring_prepare (struct cab_rt_thread *t, uint32_t kinds)
{
  struct cab_ring *r = t->ring;
  cab_lock (&r->lock);
  cab_control_wait_for_copy (r->header);
  cab_feed_prepare (&r->feed, r->number, r->header->thread, kinds);
  __atomic_store_n (&r->header->analysing, 0, __ATOMIC_RELEASE);
  cab_unlock (&r->lock);
}

void
cab_ring_put_blindly (struct cab_ctx *ctx, const uint64_t *event)
{
  struct cab_rt_thread *t = ctx->thread;
  if (cab_control_pause () & CAB_CONTROL_PAUSED)
    return;
  if (!t || !t->ring || t->ring->design->put (t->ring, ctx, event) < 0)
    cab_ledger_add (&cab_ledger ()->dropped[CAB_DROP_SANDBOX], 1);
}

/* Poll, since a blind producer can neither sleep nor analyse.  Its consumer checks the ring
   unasked. */
bool
cab_ring_wait_blindly (struct cab_ring *r, int (*has_room) (const struct cab_ring *))
{
  for (uint64_t i = 0; !has_room (r); i++)
    {
      if (i == BLIND_LOOKS)
	r->is_left = true;
      if (r->is_left || !cab_consumer_serves (r->number))
	return false;
      cab_pause ();
    }
  return true;
}
