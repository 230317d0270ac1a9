/* clock.h - the time stamp counter, which probes read, beside CLOCK_MONOTONIC.
 *
 * Model:      the part's ledger has pairs of both (profile.h): the first one of the process, and
 *             two that take turns.  A reader takes the counter's rate from the first and the
 *             latest, and so converts what it reads in events to nanoseconds.
 * Threads:    cab_clock_begin: one.  cab_clock_note: any; it does nothing in a thread with a filter
 *             of system calls, which may be forbidden to read the counter, or while another one is
 *             at it, and never waits.
 * Errors:     none.  A process that is killed within a call leaves the other pairs.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CLOCK_H
#define CAB_RT_CLOCK_H

#include "cabprof/profile.h"

/* Put the first pair into LEDGER, without the others, and whether the counter is steady. */
void cab_clock_begin (struct cab_ledger *ledger);
/* Replace the older of the other pairs in LEDGER. */
void cab_clock_note (struct cab_ledger *ledger);

#endif
