/* ring_list.h - all rings of the process, and which of them are free.
 *
 * Model:      a ring is taken by a thread, left by it (pending), drained, and free for the
 *             next.
 * Threads:    take, help, free, leave, drained: any; the others as the table in ring.h says.
 * Ownership:  a ring is never freed before the process ends, so that the list is walked without a
 *             lock.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RING_LIST_H
#define CAB_RT_RING_LIST_H

#include "rt/engine/ring/ring.h"

/* Return a free ring of DESIGN, or a new one, which is TAKEN now; null if there is no room.  Under
   the lock. */
struct cab_ring *cab_ring_list_take (const struct cab_ring_design *design);
/* Drain a pending ring where threads end faster than the consumers drain, to save new rings.  No
   lock is held. */
void cab_ring_list_help (void);
/* Let the next thread have R, which is drained and no thread's.  Stores the state with release. */
void cab_ring_list_free (struct cab_ring *r);
/* Record that the thread of R has left it.  Stores the state with release. */
void cab_ring_list_leave (struct cab_ring *r);
/* Free R, which was left and is drained now.  Under R's lock. */
void cab_ring_list_drained (struct cab_ring *r);

/* Return the newest ring; `next' leads to older ones.  Loads with acquire, which pairs with the
   release store that links a new ring. */
struct cab_ring *cab_ring_first (void);

/* Take the consumer locks of all rings, so that the states may be copied.  Return the newest of
   these rings; later ones are not locked. */
struct cab_ring *cab_ring_lock_all (void);
/* Release the consumer locks that cab_ring_lock_all took when it returned NEWEST. */
void cab_ring_unlock_all (struct cab_ring *newest);

/* Drain all rings at the end of the process.  Return true if no event can be left, since no other
   thread has a ring. */
bool cab_ring_finish (void);

/* Give all rings, which are drained and have no thread, back to the disk.  Later events get a new
   ring.  Return false if a thread has taken one meanwhile. */
bool cab_ring_retire (void);

/* Forget all rings in a forked child, and reset the context of SELF, or those of all threads if
   ALL. */
void cab_ring_fork (struct cab_rt_thread *self, bool all);

#endif
