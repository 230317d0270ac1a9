/* access_loop.h - loops whose accesses one event records.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_LOOP_H
#define CABPROF_MEMORY_ACCESS_LOOP_H

#include "plugin/memory/plan.h"

/* Return the region of LOOP and append its accesses to those of M, or return null if it cannot be
   sent at once.  Scalar evolutions and dominators must be known. */
extern struct cab_memory_region *cab_access_loop (struct cab_memory *m, class loop *loop,
					   hash_map<tree, name_expansion *> **expansions);
/* Emit the code of region NUMBER, a loop or a nest. */
extern void cab_access_loop_emit (struct cab_memory *m, unsigned number);

/* Return true if control leaves STMT only by edges, and STMT sends nothing. */
extern bool cab_access_is_quiet (gimple *stmt);
/* Return true if EXPRESSION, computed after LOOP, has the same value as before it. */
extern bool cab_access_can_move (class loop *loop, tree expression);
/* Return the word of REGION that sends STEP of access INDEX, which is added if necessary, or -1 if
   STEP is a constant. */
extern int cab_access_step_word (struct cab_memory_region *region, unsigned index, tree step);

#endif
