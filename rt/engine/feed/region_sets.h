/* region_sets.h - sets of regions of the source that threads are in, by number: cabprof/control.h.
 *
 * Threads:    under the runtime's lock.
 * Errors:     -errno: -ENOSPC where there are too many sets, or too many regions in one; nothing
 *             has changed.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_REGION_SETS_H
#define CAB_RT_REGION_SETS_H

#include <stdint.h>

/* Return the number of the set that has the regions of SET and NAME, or -errno. */
int cab_region_set_with (uint32_t set, const char *name);
/* Return the number of the set that has the regions of SET without NAME, which is in SET, or
   -errno. */
int cab_region_set_without (uint32_t set, const char *name);
/* Record SET as the set of state INDEX, before the state is published.  Return 0 or -errno. */
int cab_region_set_of_arena (uint32_t index, uint32_t set);
/* In a forked child that has its new part, forget all sets. */
void cab_region_set_fork (void);

#endif
