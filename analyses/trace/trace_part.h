/* trace_part.h - write a part of a profile for a process of a trace.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/profile.h
 * Errors:     0, or -errno; an incomplete file is removed.
 */
#ifndef CAB_TRACE_PART_H
#define CAB_TRACE_PART_H

#include "analyses/profile/finish/finish.h"
#include "analyses/trace/trace_read.h"

/* Write DIR/PID-START.part with the tables and counters of PROCESS and the states and accounts of
   FINISH, and records to DIR/modules, which must exist.  WORDS is the number of words that were
   enqueued. */
int cab_trace_part_write (const char *dir, struct cab_trace_process *process,
			  const struct cab_finish *finish, uint64_t words);

#endif
