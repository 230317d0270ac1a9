/* trace_part.h - writes a part of a profile for a process of a trace.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/profile.h
 * Errors:     0, or -errno; what was written of the file is removed.
 */
#ifndef CAB_TRACE_PART_H
#define CAB_TRACE_PART_H

#include "analyses/profile/finish/finish.h"
#include "analyses/trace/trace_read.h"

/* DIR/PID-START.part, and records in DIR/modules, which is there: tables and counters of PROCESS,
   states and accounts of FINISH. */
int cab_trace_part_write (const char *dir, struct cab_trace_process *process,
			  const struct cab_finish *finish, uint64_t words);

#endif
