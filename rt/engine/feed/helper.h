/* helper.h - one thread beside the analysis threads, which takes a part of their work when it can.
 *
 * Threads:    offer: any thread.  ensure: as cab_worker_start.
 * Progress:   the helper looks for work for some 0.1 ms, then it sleeps.  Nobody waits for it: who
 *             offers work must get on without.
 * Errors:     no helper: offer says no.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_HELPER_H
#define CAB_RT_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/* See that there is one. */
void cab_helper_ensure (void);
/* It is to do WORK (ARGUMENT) once, unless it does that now, or is about to; false: it has other
   work.  ARGUMENT must stay: it may come late, when there is nothing left to do. */
bool cab_helper_offer (void (*work) (void *argument), void *argument);

/* Threads of this kind that there are. */
uint32_t cab_helper_threads (void);
/* It is to ask whether all is over (cab_consumer_is_over). */
void cab_helper_wake (void);
/* In a forked child: there is none. */
void cab_helper_fork (void);

/* It is not to be offered anything any more. */
void cab_helper_stop (void);

#endif
