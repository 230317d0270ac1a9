/* place.h - where accesses and allocations are in the user's source.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_PLACE_H
#define CABPROF_MEMORY_PLACE_H

#include "plugin/memory/plan.h"

/* Return the place of STMT in the user's source.  For code of a system header that is the innermost
   call that was inlined there and is not in one.  A statement without a place has that of its
   neighbour. */
extern location_t cab_memory_place_of (gimple *stmt);
/* Write "file:line:column" of WHERE into the lines. */
extern void cab_memory_put_place (struct cab_memory *m, location_t where);

#endif
