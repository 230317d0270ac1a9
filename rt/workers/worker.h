/* worker.h - threads of the runtime's own.
 *
 * Model:      detached; all signals are blocked in them, except those that libc keeps for itself.
 * Threads:    outside of the runtime's lock, and not in a thread of the runtime: libc allocates for
 *             a new thread, perhaps by a malloc of the program's.  Signals are blocked.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_WORKER_H
#define CAB_RT_WORKER_H

#include <stdint.h>

/* Start a thread that runs WORK (ARGUMENT).  Return 0 or a negative value.  A thread with filters
   of system calls starts none, since the new one would inherit them. */
int cab_worker_start (void *(*work) (void *), void *argument);

/* Return how many of them were started and have not left.  One is counted once its start has
   returned. */
uint32_t cab_worker_threads (void);
/* Do not count the calling thread, one of these, any more: its work ends before the process does.
   Stores with release. */
void cab_worker_leave (void);

/* Wait until all threads of the runtime have ended. */
void cab_worker_wait (void);

/* Forget all of them in a forked child, which has none. */
void cab_worker_fork (void);

#endif
