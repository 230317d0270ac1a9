/* off.h - a process that runs unprofiled: its probes write where nobody reads.
 *
 * Model:      without this each event of such a process would take its gate, which costs more than
 *             recording it.
 * Threads:    any, at once; nothing is locked, and a signal handler may come in between.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_OFF_H
#define CAB_RT_OFF_H

#include "cabprof/abi.h"

/* M's gates lead here from now on.  The process has never been profiled. */
void cab_off_module (struct cab_module *m);

/* What the gates do in an unprofiled process: `count' returns the counters, as the gate does. */
uint64_t cab_off_count (struct cab_row *row);
void cab_off_id (struct cab_row *row);
void cab_off_words (void);

#endif
