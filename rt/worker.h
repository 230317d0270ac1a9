/* worker.h - threads of the runtime's own.
 *
 * Model:      detached; all signals are blocked in them, but those that libc keeps for itself.
 * Threads:    outside of the runtime's lock, and not in a thread of the runtime: libc allocates for
 *             a new thread, perhaps by a malloc of the program's.  Signals are blocked.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_WORKER_H
#define CAB_RT_WORKER_H

/* A thread that runs WORK (ARGUMENT).  0, or -errno. */
int cab_worker_start (void *(*work) (void *), void *argument);

#endif
