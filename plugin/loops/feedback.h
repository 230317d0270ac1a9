/* feedback.h - hints on source loops, applied.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a hint sets what `#pragma GCC unroll N' and its like set, where they set it: right
 *             behind "ssa", before any pass has looked. A row of another file is no error; one of
 *             this file whose function is not here, or whose loop is not, or is another, is refused
 *             with a warning.  The registers of a loop's function are renamed much later: the hint
 *             marks the loop (registers.h).
 */
#ifndef CABPROF_FEEDBACK_H
#define CABPROF_FEEDBACK_H

#include "plugin/loops/loops.h"

/* Read the hints that the options or the environment ask for, if any; errors by GCC's
   diagnostics. */
extern void cab_feedback_begin (void);
/* Does it hint at any loop? */
extern bool cab_feedback_has_rows (void);
/* Hints for cfun's loops, which are marked in TABLE (CAB_SOURCE_HINTED); that is null if it has
   none. */
extern void cab_feedback_apply (cab_source_loops *table);

/* All functions have been seen: warn of hints for functions that the unit's own file no longer
   has. */
extern void cab_feedback_end (void);

#endif
