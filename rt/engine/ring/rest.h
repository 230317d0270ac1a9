/* rest.h - threads that are paused: they write their events to memory that nobody reads, at full
 * speed.
 *
 * Model:      as off.h, but per thread and for a time.  A thread begins to rest, and returns, at a
 *             gate of its own: while it rests its cursor is `paused' in its ring's header, which
 *             covers memory of its own that it overwrites again and again.  A limit of 0 there
 *             makes the next event take the gate, which checks the pause again.  An enqueue that a
 *             handler interrupted ends where it began, in the ring or in that memory.
 * Threads:    the ring's thread, inside the runtime, except cab_rest_takes, which also runs outside
 *             of it.
 * Errors:     without memory each event takes its gate while the thread is paused.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_REST_H
#define CAB_RT_REST_H

#include "rt/base/control_page.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/thread.h"

/* Pause T, which has a ring, from now on.  Stores `obeys' with release, and issues a compiler
   barrier (against T's signal handlers) before the cursor changes. */
void cab_rest_begin (struct cab_rt_thread *t);
/* Resume T: its next event goes to the ring.  Stores `obeys' with release, and issues a compiler
   barrier after the cursor has changed. */
void cab_rest_end (struct cab_rt_thread *t);

/* Return true if the event that took the gate belongs to a resting thread and has been discarded.
   Signals may be blocked or not.  Sets the cursor with release. */
bool cab_rest_takes (const struct cab_ctx *ctx);

/* Force the next event to the gate if the producer of R, which has just set its limit, has a reason
   to take it.  Issues a full barrier. */
static inline void
cab_rest_look (const struct cab_ring *r, struct cab_cursor *cursor)
{
  /* Pairs with the fence in cab_control_call: either we see what was asked for, or our limit is
     overwritten. */
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  if (__builtin_expect (cab_control_wants (r->header), 0))
    __atomic_store_n (&cursor->limit, 0, __ATOMIC_RELAXED);
}

#endif
