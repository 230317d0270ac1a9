/* place.h - which processors the runtime's threads run on (affinity=).
 *
 * Model:      a thread is placed once, when it starts, by where its producer runs at that moment,
 *             which starts it.  The processors to choose from are those that the process had when
 *             the runtime started: a thread of the program that has pinned itself does not confine
 *             its analysis thread, as it would by inheritance.
 * Threads:    see each function.
 * Errors:     a thread that cannot be placed runs where the kernel puts it; one line says why, once
 *             in a process.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_PLACE_H
#define CAB_RT_PLACE_H

#include "cabprof/diag.h"
#include "rt/common/cpus.h"

/* Where a thread is to run. */
struct cab_thread_place
{
  bool is_set;
  struct cab_cpus cpus;
};

/* Note which processors the process has.  Return 0, or -1 with words in DIAG if affinity= lists one
   that it does not have.  Before any other thread uses the runtime. */
int cab_place_start (struct cab_diag *diag);

/* Set PLACE for a thread that the caller, a producer, is about to start.  Any thread, any time. */
void cab_place_find (struct cab_thread_place *place);
/* Take PLACE, in the new thread. */
void cab_place_take (const struct cab_thread_place *place);

/* Return true if the caller, a thread of the runtime, and the program's threads have one processor
   together. */
bool cab_place_is_alone (void);
/* Return how many processors the process has, by the mask of the caller's thread where affinity=
   does not ask for more. */
uint32_t cab_place_processors (void);

/* Return true if analysis threads may be started: placement=thread, or placement=auto has chosen
   them.  Loads with acquire.  Any thread. */
bool cab_place_has_thread (void);
/* Record that placement=auto has chosen analysis threads.  Stores with release. */
void cab_place_choose_thread (void);
/* Let placement=auto choose anew, in a forked child. */
void cab_place_fork (void);

#endif
