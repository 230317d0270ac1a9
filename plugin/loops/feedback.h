/* feedback.h - hints on source loops, and how they are applied.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a hint sets what `#pragma GCC unroll N' and its like set, at the same point: right
 *             after "ssa", before any pass has looked.  A row of another file is no error; a row of
 *             this file is refused with a warning if its function is missing, or its loop is
 *             missing or has changed.  What is done much later marks
 *             the loop: registers.h, loop_align.h, loop_prefetch.h.
 */
#ifndef CABPROF_FEEDBACK_H
#define CABPROF_FEEDBACK_H

#include "plugin/loops/loops.h"

/* Read the hints that the options or the environment ask for, if any.  Errors go through GCC's
   diagnostics. */
extern void cab_feedback_begin (void);
/* Return true if the hints apply to any loop. */
extern bool cab_feedback_has_rows (void);
/* Apply the hints for cfun's loops and mark these in TABLE (CAB_SOURCE_HINTED).  TABLE is null if
   cfun has no loops. */
extern void cab_feedback_apply (cab_source_loops *table);

/* Return true if loops that are tried are to be copied side by side wherever they are. */
extern bool cab_feedback_beside (void);

/* Warn of hints for functions that the unit's own file no longer has.  This is called after all
   functions have been seen. */
extern void cab_feedback_end (void);

#endif
