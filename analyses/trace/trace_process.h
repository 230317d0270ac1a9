/* trace_process.h - what a trace has said of one process so far; for trace_read.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     negative: the bytes are malformed.
 */
#ifndef CAB_TRACE_PROCESS_H
#define CAB_TRACE_PROCESS_H

#include "analyses/trace/trace_read.h"

struct cab_trace_process *cab_trace_process_new (const char *path, uint32_t number);
void cab_trace_process_free (struct cab_trace_process *process);
/* Take the N bytes of a header. */
int cab_trace_process_header (struct cab_trace_process *process, const unsigned char *bytes,
			      uint64_t n);
/* Take the rows of a table in FRAME. */
int cab_trace_process_table (struct cab_trace_process *process, const struct cab_trace_frame *frame,
			     const unsigned char *bytes);
/* Take the N bytes of the records of MODULE. */
int cab_trace_process_records (struct cab_trace_process *process, uint32_t module,
			       const unsigned char *bytes, uint64_t n);

#endif
