/* fork.h - a forked child gets a part of its own.
 *
 * Model:      the child's new part has the parent's strings, modules and functions, so all numbers
 *             stay; its counters are zero, and it has no ring.  Its mappings take the addresses of
 *             the parent's, so that pointers that the interrupted code holds in registers stay
 *             valid. libc's fork calls our handlers.  A child made by clone, or by the system call
 *             itself, calls nothing: it is a copy of the process whose mappings of the part are
 *             still its parent's.  A page that the kernel clears in copies (MADV_WIPEONFORK)
 *             reveals that at the copy's next slow path, where it gets its part; what it counts in
 *             place before goes to its parent's part. vfork and CLONE_VM share all memory, that
 *             page too, and share the part on purpose.  Kernels before 4.14 have no such page:
 *             there a page that copies lack (MADV_DONTFORK) is probed for by a system call.
 * Threads:    handlers of pthread_atfork; all signals are blocked from the first to the last, so no
 *             handler counts in the parent's part.  Of several threads of a copy that arrive at
 *             once, one does the work and the others wait.
 * Errors:     where there is no room for the child's part, it says so and runs unprofiled on memory
 *             of its own.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FORK_H
#define CAB_RT_FORK_H

/* Install the handlers and map the page; once, outside of the lock. */
void cab_fork_start (void);

/* Do what cab_fork_look does, from a stack of the program's. */
void cab_fork_look_from_outside (void);

#endif
