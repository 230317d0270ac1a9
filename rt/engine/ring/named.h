/* named.h - regions of the source by name: what a thread counts in place between their begin and
 * their end, and the set of regions that it is in.
 *
 * Model:      cabprof/control.h.  At a begin the thread's counters are subtracted from the
 *             region's, at an end they are added, in the other bank each time, so that a process
 *             that is killed leaves a region as it was before or after.  What was counted in pauses
 *             is left out.
 * Threads:    under the runtime's lock and that of the control page.
 * Errors:     -errno: the region stays as it was.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_NAMED_H
#define CAB_RT_NAMED_H

#include "rt/engine/ring/thread.h"

/* Begin region NAME in T.  Return 0 or -errno. */
int cab_named_begin (struct cab_rt_thread *t, const char *name);
/* End region NAME in T.  Return 0 or -errno; -EINVAL: T has not begun it. */
int cab_named_end (struct cab_rt_thread *t, const char *name);

/* End all regions of T, which ends.  Under the runtime's lock alone. */
void cab_named_end_thread (const struct cab_rt_thread *t);

/* Give back the addresses that regions reserve and do not use.  Under the runtime's lock alone. */
void cab_named_spare_addresses (void);

/* Forget all regions in a forked child that has its new part. */
void cab_named_fork (void);

#endif
