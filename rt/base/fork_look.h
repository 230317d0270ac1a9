/* fork_look.h - recognizes a copy of the process that has no part of its own yet: see rt/fork.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FORK_LOOK_H
#define CAB_RT_FORK_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* Point to the word in the page that copies find cleared, or lack; null where neither can be had,
   and no copy is recognized. */
extern volatile uint32_t *cab_fork_word __attribute__ ((visibility ("hidden")));
/* True if copies lack the page; false if they find it cleared. */
extern bool cab_fork_lacks __attribute__ ((visibility ("hidden")));
/* Return true if this process lacks the page.  Makes a system call. */
bool cab_fork_lacks_page (void);

/* Return true if this is a copy that has no part of its own yet. */
static inline bool
cab_fork_is_copy (void)
{
  return cab_fork_word && (cab_fork_lacks ? cab_fork_lacks_page () : *cab_fork_word != 1);
}

/* Gives a copy its part; set by cab_fork_start.  No lock of the runtime's is held; on the runtime's
   stack.  Of several threads one moves the part, between an acquire-release compare-and-swap and a
   release store of the word; the others wait for that store. */
extern void (*cab_fork_copied) (void) __attribute__ ((visibility ("hidden")));

/* Give this process its part if it is a copy. */
static inline void
cab_fork_look (void)
{
  if (__builtin_expect (cab_fork_is_copy (), false))
    cab_fork_copied ();
}

#endif
