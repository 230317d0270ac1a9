/* trace_source.h - a trace of either format, read as rows.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a packed trace is decoded: each event becomes a row, and the event of a region one
 *             row for each access, in the order of the chunks; those of a thread are in program
 *             order (except loops among calls).  Names precede the first row that needs them.
 * Errors:     as trace_rows.h.
 */
#ifndef CAB_TRACE_SOURCE_H
#define CAB_TRACE_SOURCE_H

#include "analyses/trace/trace_contexts.h"
#include "analyses/trace/trace_read.h"
#include "analyses/trace/trace_rows.h"

/* Open a trace of either format like cab_rows_open; it is read by cab_rows_next and the other
   functions of trace_rows.h. */
int cab_source_open (struct cab_rows_reader *reader, int fd, const char *path,
		     struct cab_diag *diag);

/* Give rows of loops as well (CAB_ROW_LOOP), of a program that records their iterations. */
void cab_source_tell_loops (struct cab_rows_reader *reader);

/* Return the packed trace that READER decodes, or null. */
const struct cab_trace_reader *cab_source_packed (const struct cab_rows_reader *reader);

/* Follow calls from now on, if READER is of a packed trace: rows come with their calling context in
   reader->node. */
void cab_source_follow (struct cab_rows_reader *reader);
/* Return the contexts of PROCESS so far; null: calls are not followed, or it has sent nothing. */
const struct cab_trace_contexts *cab_source_contexts (const struct cab_rows_reader *reader,
						      uint32_t process);

/* Set *UNKNOWN to the number of words that were no events, and of events of functions without a
   record, which cannot be decoded. */
void cab_source_lost (const struct cab_rows_reader *reader, uint64_t *unknown);

#endif
