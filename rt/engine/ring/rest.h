/* rest.h - threads that are paused: they write their events where nobody reads, at full speed.
 *
 * Model:      as off.h, but thread by thread and for a time.  A thread goes to rest, and comes
 *             back, at a gate of its own: its cursor is then `paused' in its ring's header, which
 *             leads to memory of its own, over and over.  Where the limit of that is 0 the next
 *             event takes the gate, and looks again. An enqueue that a handler interrupted ends
 *             where it began, in the ring or in that memory.
 * Threads:    the ring's thread, inside, but for cab_rest_takes.
 * Errors:     no memory: each event takes its gate while the thread is paused.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_REST_H
#define CAB_RT_REST_H

#include "rt/engine/probe/control.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/thread.h"

/* T, which has a ring, is paused from now on. */
void cab_rest_begin (struct cab_thread *t);
/* ... and no more: the next event goes to the ring. */
void cab_rest_end (struct cab_thread *t);

/* Return true if the event that took the gate is one of a thread at rest, and has been dealt with.
   Signals may be blocked or not. */
bool cab_rest_takes (const struct cab_ctx *ctx);

/* The producer of R has set its limit: force its next event to the gate if it has a reason to
   come. */
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
