/* fork.h - a forked child gets a part of its own.
 *
 * Model:      the child's new part has the parent's strings, modules and functions (so all numbers stay), counters that are zero, no ring;
 *             its mappings take the addresses of the parent's, so that pointers that the interrupted code holds in registers stay good.
 *             A child made without libc's fork (a bare clone) shares the parent's part, and its thread's ring, as a vfork child does on purpose.
 * Threads:    handlers of pthread_atfork; all signals are blocked from the first to the last, so no handler counts in the parent's part.
 * Errors:     no room for the child's part: told; the child runs unprofiled on memory of its own.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FORK_H
#define CAB_RT_FORK_H

/* Once, outside of the lock. */
void cab_fork_start (void);

#endif
