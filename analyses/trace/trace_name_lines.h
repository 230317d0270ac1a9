/* trace_name_lines.h - the names that rows refer to, as lines, each when it is first needed; for
 * trace_source.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     the lines of trace_rows.h.
 * Ownership:  processes must outlive the lines.
 * Errors:     none: what the records do not contain is left out of the line, or the line is left
 *             out.
 */
#ifndef CAB_TRACE_NAME_LINES_H
#define CAB_TRACE_NAME_LINES_H

#include "analyses/trace/trace_read.h"

struct cab_name_lines;
struct cab_name_lines *cab_name_lines_new (void);
void cab_name_lines_free (struct cab_name_lines *lines);

/* Add the line of THREAD, which is numbered from 1, unless it was added before. */
void cab_name_lines_thread (struct cab_name_lines *lines, struct cab_trace_process *process,
			    uint32_t thread);
/* Add the line of function FN, unless it was added before. */
void cab_name_lines_function (struct cab_name_lines *lines, struct cab_trace_process *process,
			      uint32_t fn);
/* Add the line of call site SITE, unless it was added before. */
void cab_name_lines_call (struct cab_name_lines *lines, struct cab_trace_process *process,
			  uint32_t site);
/* Add the line of access or allocation *SITE, unless it was added before.  Return the function that
   contains it, or 0 if that is not known.  An access that several paths have, each with a number of
   its own, gets the first one's number in *SITE. */
uint32_t cab_name_lines_access (struct cab_name_lines *lines, struct cab_trace_process *process,
				uint32_t *site);

/* Return the lines that were added since the last call, *N bytes; 0: none.  Valid until the next
   call of any of these. */
const char *cab_name_lines_take (struct cab_name_lines *lines, size_t *n);

#endif
