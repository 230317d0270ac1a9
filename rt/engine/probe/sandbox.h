/* sandbox.h - a thread is about to forbid itself system calls or files; cabprof/confine.h has who
 * says so.
 *
 * Model:      before the call whatever the runtime will need is there: every function of every
 *             loaded module has its number and its counters, the thread its ring, drained, and
 *             records are mapped.  Then the filter is known (filters.h). A filter for all threads
 *             (SECCOMP_FILTER_FLAG_TSYNC) ends the runtime's own threads before; producers analyse
 *             then.
 * Threads:    the thread that makes the call, no lock held.
 * Errors:     what cannot be prepared is dropped later, and counted.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SANDBOX_H
#define CAB_RT_SANDBOX_H

#include "cabprof/confine.h"

/* CALL is about to be made.  0. */
int cab_sandbox_begin (const struct cab_confine *call);

/* ... and has returned RESULT: if that says that no filter was installed, none is obeyed.  0. */
int cab_sandbox_end (int64_t result);

#endif
