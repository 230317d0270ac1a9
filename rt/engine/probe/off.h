/* off.h - a process that runs unprofiled: its probes write to memory that nobody reads.
 *
 * Model:      without this each event of such a process would take its gate, which costs more than
 *             recording it.
 * Threads:    any, at once; nothing is locked, and a signal handler may interrupt any call.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_OFF_H
#define CAB_RT_OFF_H

#include "cabprof/abi.h"

/* Make M's gates lead here from now on.  The process has never been profiled. */
void cab_off_module (struct cab_module *m);
/* Fill M's gates again, since filters are known now (filters.h).  The process is not profiled. */
void cab_off_fill (struct cab_module *m);

/* Do what gate `count' does in an unprofiled process: return the address of counters that nobody
   reads. */
uint64_t cab_off_count (struct cab_row *row);
/* Do what gate `id' does in an unprofiled process. */
void cab_off_id (struct cab_row *row);
/* Do what the gates of events do in an unprofiled process.  Issues a compiler barrier before the
   cursor changes. */
void cab_off_words (void);

#endif
