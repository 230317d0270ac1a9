/* overtake.h - a thread's ring is taken although an enqueue of that thread is under way, which a
 * handler has interrupted.
 *
 * Model:      the enqueue may never go on (the handler has left by siglongjmp), or at any time.
 *             What it has in its registers are addresses of the ring: so the ring gets others, and
 *             memory of no meaning gets those. An enqueue that goes on ends there, and its event is
 *             lost; all others are whole.
 * Threads:    the ring's own, inside the runtime, signals blocked; takes the ring's consumer lock.
 * Progress:   waits for a consumer of the ring, if one is at work.
 * Errors:     no addresses, or a process has taken many: the ring stays where it is, an enqueue
 *             that goes on may damage it, and one event counts as dropped.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_OVERTAKE_H
#define CAB_RT_OVERTAKE_H

#include "rt/engine/ring/ring.h"

/* T's ring, if it has one. */
void cab_ring_overtake (struct cab_thread *t);

/* Count the enqueues of T that have gone on since the last count, as dropped events.  Any thread,
   while T cannot end: under the runtime's lock, or T itself. */
void cab_ring_count_overtaken (const struct cab_thread *t);

#endif
