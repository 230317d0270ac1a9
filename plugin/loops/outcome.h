/* outcome.h - what became of source loops, and where their code is.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a function is watched from before "*all_optimizations" to "*free_cfg".  At each pass
 *             the compiler's loops are compared with those before: a loop that is gone, is new, or
 *             became a vector loop is attributed to the pass in between (outcome.cc).  Right after
 *             "loop2_unroll" the unroller's own decisions are read.  At the end each block of the
 *             final graph is assigned to its source loop; where that changes, a note becomes a
 *             label of the assembler's (loop_ranges.cc).  Nothing that is done here changes code.
 * Ownership:  outcomes live from the start of one function's watch to its end.
 */
#ifndef CABPROF_OUTCOME_H
#define CABPROF_OUTCOME_H

#include "plugin/loops/loops.h"

/* Register the callbacks that watch the passes, also at a link.  PLUGIN is the plugin's name. */
extern void cab_outcome_begin (const char *plugin);

#endif
