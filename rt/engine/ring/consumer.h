/* consumer.h - the analysis threads (placement `thread`).
 *
 * Model:      N threads for M rings: thread k serves the rings whose number is k modulo N.  Each is
 *             made with the first ring that it serves, so a program that only counts never has one.
 *             All signals are blocked in them (but those that libc keeps for itself).
 * Threads:    any call at any time; ensure outside of the runtime's lock, since libc allocates for
 *             a new thread.
 * Errors:     a thread that cannot be made: its rings are drained by their producers.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CONSUMER_H
#define CAB_RT_CONSUMER_H

#include <stdbool.h>
#include <stdint.h>

/* See that ring RING is served, where the placement says so. */
void cab_consumer_ensure (uint32_t ring);

/* Is ring RING served by a thread? */
bool cab_consumer_serves (uint32_t ring);

/* Ring RING has something to drain.  SOON: within some milliseconds will do, as it has room for
   more; to wake a thread on another processor takes the producer as long as to fill a chunk. */
void cab_consumer_wake (uint32_t ring, bool soon);

/* The program's first thread has left by pthread_exit: from now on the analysis threads see to it
   that the process ends with the last thread of the program's own, as it would without them. */
void cab_consumer_watch (void);

/* All threads of the runtime end, and none starts any more: producers analyse.  No lock is held;
   returns when they are gone. */
void cab_consumer_stop (void);

/* Is a thread of the runtime that finds nothing to do to end?  If not yet, it is to ask again in
   *TIMEOUT_NS, which becomes no greater than it is. */
bool cab_consumer_is_over (uint64_t *timeout_ns);

/* In a forked child: there are none. */
void cab_consumer_fork (void);

#endif
