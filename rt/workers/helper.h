/* helper.h - one thread beside the analysis threads, which takes over a part of their work when it
 * can.
 *
 * Threads:    offer: any thread.  ensure: as cab_worker_start.
 * Progress:   the helper polls for work for some 0.1 ms, then sleeps.  No thread waits for it: one
 *             that offers work must progress without it.
 * Errors:     without a helper, offer returns false.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_HELPER_H
#define CAB_RT_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/* Make sure that there is a helper. */
void cab_helper_ensure (void);
/* Offer that it calls WORK (ARGUMENT) once, unless it does so now or is about to.  Return false if
   it has other work, or is absent.  ARGUMENT must stay valid: the call may come late, when there is
   nothing left to do.  Issues an acquire-release read-modify-write after the offer, which pairs
   with that of a helper about to sleep. */
bool cab_helper_offer (void (*work) (void *argument), void *argument);

/* Return the number of threads of this kind. */
uint32_t cab_helper_threads (void);
/* Wake the helper, so that it asks whether all is over (cab_last_is_gone). */
void cab_helper_wake (void);
/* Forget the helper in a forked child, which has none. */
void cab_helper_fork (void);

/* Offer it nothing any more. */
void cab_helper_stop (void);

#endif
