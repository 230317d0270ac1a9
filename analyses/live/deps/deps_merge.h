/* deps_merge.h - add the counts of one state of `deps' to another.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_DEPS_MERGE_H
#define CAB_DEPS_MERGE_H

#include "analyses/live/deps/deps_state.h"

/* Add what FROM has counted to INTO, an open state, with the numbers that MAP says.  What finds no
   room is lost, or counted as cut. */
void cab_deps_add (struct cab_arena *into, const struct cab_arena *from,
		   const struct cab_idmap *map);

#endif
