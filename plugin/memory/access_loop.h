/* access_loop.h - loops whose accesses one event tells.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_LOOP_H
#define CABPROF_MEMORY_ACCESS_LOOP_H

#include "plugin/memory/memory.h"

/* Return the region of LOOP; its accesses come to those of M.  Return null if it cannot be sent at
   once.  Scalar evolutions and dominators are known. */
extern struct cab_region *cab_access_loop (struct cab_memory *m, class loop *loop,
					   hash_map<tree, name_expansion *> **expansions);
/* Emit the code of region NUMBER. */
extern void cab_access_loop_emit (struct cab_memory *m, unsigned number);

/* Return true if an iteration cannot leave STMT but by edges, and sends nothing in it. */
extern bool cab_access_is_quiet (gimple *stmt);
/* Return true if EXPRESSION, computed behind LOOP, means the same as before it. */
extern bool cab_access_can_move (class loop *loop, tree expression);
/* Return the word of REGION that sends STEP of access INDEX, or -1 if STEP is a constant. */
extern int cab_access_step_word (struct cab_region *region, unsigned index, tree step);

#endif
