/* delegates.h - queues of rows for the parts of states that are sharded by key, and the threads
 * that serve them.
 *
 * Source:     Allen and Sohi (TR 1608): instrumentation is sent to delegate threads, the same
 *             serialization set to the same delegate.
 * Model:      each feed has a queue for each delegate.  The thread that drains its ring fills
 *             the slots of queues with rows; delegate K feeds what is in queue K of all feeds.
 *             Where the draining thread would have to wait, because a queue is full, or because all
 *             must have been fed, it serves a queue itself that nobody is serving.  So nothing
 *             depends on delegates: without them, as with placement=inline or in a forked child,
 *             the draining thread does all the work, and the states are the same.
 * Threads:    room, flush: under the ring's consumer lock.  A queue is served by one thread at a
 *             time.
 * Progress:   the draining thread waits only for a delegate that is feeding a queue.  A delegate
 *             polls for some 0.1 ms, then sleeps.
 * Order:      `head' is stored (release) after a slot's rows, `tail' (release) after its rows were
 *             fed: after a flush the draining thread sees all that delegates have written.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DELEGATES_H
#define CAB_RT_DELEGATES_H

#include "analyses/wire/keyed.h"
#include "rt/engine/feed/feed.h"

/* Return how many bytes of zeros cab_delegates_begin needs. */
size_t cab_delegates_bytes (void);
/* Make D, zeros, the empty queues of a feed, which are never removed.  FUNCTIONS are passed to
   analyses. */
void cab_delegates_begin (struct cab_delegates *d, const struct cab_functions *functions);

/* Return D's memory for the split of a batch. */
struct cab_keyed_split *cab_delegates_split (struct cab_delegates *d);
/* Return rows of queue PART which N rows of BATCH fit, and which will be fed to S. */
struct cab_keyed_rows *cab_delegates_room (struct cab_delegates *d, uint32_t part,
					   struct cab_feed_state *s, const struct cab_batch *batch,
					   uint32_t n);
/* Return when all rows of D have been fed. */
void cab_delegates_flush (struct cab_delegates *d);

/* Make sure that the delegates' threads are there, if there are to be any.  As cab_worker_start. */
void cab_delegates_ensure (void);
/* Wake the delegates, so that they ask whether all is over (cab_last_is_gone). */
void cab_delegates_wake (void);
/* Forget all threads and queues in a forked child. */
void cab_delegates_fork (void);

#endif
