/* consumer.h - the analysis threads (placement `thread`).
 *
 * Model:      N threads for M rings: thread k serves the rings whose number is k modulo N.  Each is
 *             made with the first ring that it serves, so a program that only counts never has
 *             one.  All signals are blocked in them, except those that libc keeps for itself.
 * Threads:    see the table.
 *   calls            | thread                                     | locks held by the caller
 *   -----------------+--------------------------------------------+-------------------------
 *   serves, wake     | any                                        | any
 *   ensure           | any but the runtime's; libc allocates      | not the runtime's
 *   watch            | any                                        | any
 *   stop             | any but the runtime's; blocks              | none
 *   fork             | the only one of a forked child             | the runtime's
 * Errors:     where a thread cannot be made, the producers drain its rings.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CONSUMER_H
#define CAB_RT_CONSUMER_H

#include <stdbool.h>
#include <stdint.h>

/* Make sure that ring RING is served by a thread, if the placement asks for it.  Claims the thread
   by an acquire-release compare-and-swap. */
void cab_consumer_ensure (uint32_t ring);

/* Return true if ring RING is served by a thread.  Loads with acquire. */
bool cab_consumer_serves (uint32_t ring);

/* Wake the thread of ring RING, which has something to drain.  SOON: a delay of some milliseconds
   is acceptable, since the ring has more room; to wake a thread on another processor costs the
   producer as much as to fill a chunk.  Issues an acquire-release read-modify-write of `sleeping',
   which pairs with that of a consumer about to sleep. */
void cab_consumer_wake (uint32_t ring, bool soon);

/* Record that the program's first thread has left by pthread_exit: from now on the analysis threads
   end the process with the last thread of the program's own, as it would end without them.  Stores
   with release. */
void cab_consumer_watch (void);

/* End all threads of the runtime and start none any more: producers analyse for themselves.  No
   lock is held; returns when the threads are gone.  Stores `stopped' with release. */
void cab_consumer_stop (void);

/* Forget all analysis threads in a forked child, which has none. */
void cab_consumer_fork (void);

#endif
