/* ring_seize.h - how a thread's ring is taken away from an enqueue of that thread that a signal
 * handler has interrupted.
 *
 * Model:      the enqueue may never resume (the handler has left by siglongjmp), or resume at any
 *             time.  Its registers hold addresses of the ring; so the ring moves to other
 *             addresses, and scratch memory takes the old ones.  An enqueue that resumes ends
 *             there, and its event is lost; all others are whole.
 * Threads:    the ring's own, inside the runtime, signals blocked; takes the ring's consumer lock.
 * Progress:   waits for a consumer of the ring, if one is at work.
 * Errors:     where there are no addresses, or the process has moved rings many times, the ring
 *             stays where it is; an enqueue that resumes may damage it, and one event counts as
 *             dropped.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_SEIZE_H
#define CAB_RT_RING_SEIZE_H

#include "rt/engine/ring/ring.h"

/* Move T's ring, if it has a chunk ring, away from an interrupted enqueue.  Stores the new
   addresses, and the entry in T's list, with release. */
void cab_ring_seize (struct cab_rt_thread *t);

/* Count the enqueues of T that have resumed since the last count as dropped events.  Any thread,
   while T cannot end: under the runtime's lock, or T itself.  Loads the list with acquire. */
void cab_ring_count_seized (const struct cab_rt_thread *t);

#endif
