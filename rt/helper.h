/* helper.h - one thread beside the analysis threads, which takes a part of a chunk's work while its giver does the rest.
 *
 * Threads:    begin and end: any thread, in pairs; who comes while another has the helper is told no.  ensure: as cab_worker_start.
 * Progress:   the helper looks for work for some 0.1 ms, then it sleeps.  Who gives it some waits for some 1 ms until the helper has it, shorter if that was in vain before.
 * Errors:     no helper: begin says no.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_HELPER_H
#define CAB_RT_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/* See that there is one. */
void cab_helper_ensure (void);
/* Is it doing WORK (ARGUMENT) now?  If not, nobody does. */
bool cab_helper_begin (void (*work) (void *argument), void *argument);
/* Until it has done that. */
void cab_helper_end (void);

/* Threads of this kind that there are. */
uint32_t cab_helper_threads (void);
/* It is to ask whether all is over (cab_consumer_is_over). */
void cab_helper_wake (void);
/* In a forked child: there is none. */
void cab_helper_fork (void);

#endif
