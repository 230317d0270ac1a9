/* clock.h - the time stamp counter, which probes read, beside CLOCK_MONOTONIC.
 *
 * Model:      the part's ledger has pairs of both (profile.h): the first one of the process, and
 *             two that take turns.  A reader takes the counter's rate from the first and the
 *             latest, and so converts what it reads in events to nanoseconds.
 *             Where the processor does not say that the counter is steady, or with clock=monotonic,
 *             no ring of a program with times has a limit (ring_chunk.c), so each event takes its
 *             gate, which replaces the time that the probe has read; the pairs are of one clock.
 * Threads:    cab_clock_choose, cab_clock_begin: one.  cab_clock_note: any; it does nothing in a
 *             thread with a filter of system calls, which may be forbidden to read the counter, or
 *             while another one is at it, and never waits.
 * Errors:     none.  A process that is killed within a call leaves the other pairs.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CLOCK_H
#define CAB_RT_CLOCK_H

#include <stdbool.h>

#include "cabprof/profile.h"
#include "rt/common/options.h"

#define CAB_CLOCK_EVERY_NS 1000000u

/* True if the times of events are nanoseconds of CLOCK_MONOTONIC.  Set by cab_clock_choose. */
extern bool cab_clock_by_call __attribute__ ((visibility ("hidden")));

/* Choose what the times of events are.  Before the first event, and before analyses are chosen. */
void cab_clock_choose (enum cab_clock_choice choice);
/* Put the first pair into LEDGER, without the others, and what the times of events are. */
void cab_clock_begin (struct cab_ledger *ledger);
/* Replace the older of the other pairs in LEDGER. */
void cab_clock_note (struct cab_ledger *ledger);

/* Return true if it is time for another pair at NOW_NS: the rate is then exact enough, and the
   system calls that a pair takes are rare. */
static inline bool
cab_clock_is_due (const struct cab_ledger *ledger, uint64_t now_ns)
{
  uint64_t latest = 0;
  for (int i = 0; i < CAB_CLOCK_PAIRS; i++)
    {
      uint64_t ns = __atomic_load_n (&ledger->clocks[i].ns, __ATOMIC_RELAXED);
      latest = ns > latest ? ns : latest;
    }
  return now_ns > latest + CAB_CLOCK_EVERY_NS;
}

#endif
