/* worker.h - threads of the runtime's own.
 *
 * Model:      detached; all signals are blocked in them, but those that libc keeps for itself.
 * Threads:    outside of the runtime's lock, and not in a thread of the runtime: libc allocates for
 *             a new thread, perhaps by a malloc of the program's.  Signals are blocked.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_WORKER_H
#define CAB_RT_WORKER_H

/* A thread that runs WORK (ARGUMENT).  0, or -errno.  A thread with filters of system calls starts
   none, which would have them, too. */
int cab_worker_start (void *(*work) (void *), void *argument);

/* Wait until all of them have ended. */
void cab_worker_wait (void);

/* In a forked child: there are none. */
void cab_worker_fork (void);

#endif
