/* loop_held.h - what the optimised code of a loop keeps in registers from one iteration to the
 * next, and the source does not have as a scalar.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      optimisers move what is in memory into registers: a sum that is stored after the loop
 *             alone, a[i - 1] as the value that the iteration before has stored, members of a
 *             structure.  These accesses are no events then, so the record tells of the PHIs of the
 *             loop's header.  A PHI of what is read from memory that the loop leaves alone is none
 *             of it: each iteration could read it by itself.
 */
#ifndef CAB_LOOP_HELD_H
#define CAB_LOOP_HELD_H

#include "plugin/emit/plugin.h"

/* Finds the index of the access that a statement loads by, or -1. */
typedef int cab_held_find (void *host, gimple *load);

/* Append the H lines (info.h) of LOOP, whose T line has NUMBER, to OB.  FIND is called with HOST.
   Needs dominators. */
extern void cab_loop_held (struct obstack *ob, class loop *loop, unsigned number,
			   cab_held_find *find, void *host);

/* Return the operator by which STORE combines what the iteration before has stored there, and left
   in a register, with another value, in any order with others that do so; else null. */
extern const char *cab_held_update_of (gimple *store);

#endif
