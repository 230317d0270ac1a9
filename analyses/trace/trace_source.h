/* trace_source.h - a trace of either format, read as rows.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a packed trace is decoded: each event is a row, an access of a region's event one
 *             each, in the order of the chunks; those of a thread are in program order (but loops'
 *             among calls).  Names come when a row needs them first.
 * Errors:     as trace_rows.h.
 */
#ifndef CAB_TRACE_SOURCE_H
#define CAB_TRACE_SOURCE_H

#include "analyses/trace/trace_contexts.h"
#include "analyses/trace/trace_read.h"
#include "analyses/trace/trace_rows.h"

/* Like cab_rows_open; cab_rows_next and the rest as ever. */
int cab_source_open (struct cab_rows_reader *reader, int fd, const char *path,
		     struct cab_diag *diag);

/* The packed trace behind READER, or null. */
const struct cab_trace_reader *cab_source_packed (const struct cab_rows_reader *reader);

/* Follow calls from now on, if READER is of a packed trace: rows come with their calling context in
   reader->node. */
void cab_source_follow (struct cab_rows_reader *reader);
/* The contexts of PROCESS so far; null: calls are not followed, or it has sent nothing. */
const struct cab_trace_contexts *cab_source_contexts (const struct cab_rows_reader *reader,
						      uint32_t process);

/* Words that were no events, and events that could not be told: of functions without a record. */
void cab_source_lost (const struct cab_rows_reader *reader, uint64_t *unknown);

#endif
