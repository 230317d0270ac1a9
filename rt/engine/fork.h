/* fork.h - a forked child gets a part of its own.
 *
 * Model:      the child's new part has the parent's strings, modules and functions (so all numbers
 *             stay), counters that are zero, no ring; its mappings take the addresses of the
 *             parent's, so that pointers that the interrupted code holds in registers stay good.
 *             libc's fork calls our handlers.  A child made by clone or by the system call itself
 *             calls nothing: it is a copy of the process whose mappings of the part are still its
 *             parent's.  A page that the kernel clears in copies (MADV_WIPEONFORK) tells it so from
 *             its next slow path on, where it gets its part; what it counts in place before that
 *             goes to its parent's. vfork and CLONE_VM share all memory, that page too, and the
 *             part on purpose. Kernels before 4.14 have no such page: there one that copies lack
 *             (MADV_DONTFORK) is looked for, by a system call.
 * Threads:    handlers of pthread_atfork; all signals are blocked from the first to the last, so no
 *             handler counts in the parent's part. Of several threads of a copy that come at once
 *             one does the work, and the others wait.
 * Errors:     no room for the child's part: told; the child runs unprofiled on memory of its own.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FORK_H
#define CAB_RT_FORK_H

#include <stdbool.h>
#include <stdint.h>

/* Once, outside of the lock. */
void cab_fork_start (void);

/* The word of the page that copies find cleared, or lack; null where neither is to be had, and no
   copy is known. */
extern volatile uint32_t *cab_fork_word __attribute__ ((visibility ("hidden")));
extern bool cab_fork_lacks __attribute__ ((visibility ("hidden")));
bool cab_fork_lacks_page (void);

/* Return true if this is a copy that has no part of its own yet. */
static inline bool
cab_fork_is_copy (void)
{
  return cab_fork_word && (cab_fork_lacks ? cab_fork_lacks_page () : *cab_fork_word != 1);
}

/* A copy gets its part.  No lock of the runtime's is held; on the runtime's stack. */
void cab_fork_copied (void);

static inline void
cab_fork_look (void)
{
  if (__builtin_expect (cab_fork_is_copy (), false))
    cab_fork_copied ();
}

/* The same from a stack of the program's. */
void cab_fork_look_from_outside (void);

#endif
