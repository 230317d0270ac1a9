/* sandbox.h - prepares a thread that is about to forbid itself system calls or files;
 * cabprof/confine.h says how that is reported.
 *
 * Model:      before the call everything that the runtime will need is made ready: every function
 *             of every loaded module has its number and its counters, the thread its ring, drained,
 *             and records are mapped.  After that the filter is known (filters.h).  A filter for
 *             all threads (SECCOMP_FILTER_FLAG_TSYNC) ends the runtime's own threads first;
 *             producers analyse from then on.
 * Threads:    the thread that makes the call, no lock held.
 * Errors:     what cannot be prepared is dropped later, and counted.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SANDBOX_H
#define CAB_RT_SANDBOX_H

#include <stdbool.h>
#include "cabprof/confine.h"

struct cab_ctx;

/* Prepare for CALL, which is about to be made, or handle it if it is CAB_CONFINE_LOADED.  Calls
   that limit memory go to addresses.h.  Return 0. */
int cab_sandbox_begin (const struct cab_confine *call);

/* Prepare for CALL, which watch.h has noticed, unless the thread has announced it before.  Return
   true if cab_sandbox_end is to follow. */
bool cab_sandbox_begin_watched (const struct cab_confine *call);

/* Handle RESULT, which that call has returned: if it says that no filter was installed, none is
   obeyed.  Return 0. */
int cab_sandbox_end (int64_t result);

/* Return true if this thread, which has CTX, is a guest in another one's memory, as the child of
   vfork is: a filter or limit that it sets does not apply to the other. */
bool cab_sandbox_is_guest (const struct cab_ctx *ctx);

#endif
