/* cachesim_levels.h - simulated caches in the models but cachegrind's, for cachesim.c.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Threads:    as cab_cachesim_feed and cab_cachesim_feed_part (cabprof/cachesim.h).
 * Errors:     none.
 */
#ifndef CAB_CACHESIM_LEVELS_H
#define CAB_CACHESIM_LEVELS_H

#include "analyses/live/cache/cachesim_state.h"

/* Feed the N ACCESSES: count them, and mark them unless MARKS is null. */
void cab_cachesim_feed_levels (struct cab_cachesim *sim, const struct cab_access *accesses,
			       size_t n, uint8_t *marks);

/* Do PART of the first phase, which only adds marks. */
void cab_cachesim_levels_part (struct cab_cachesim *sim, unsigned part, unsigned n_parts,
			       const struct cab_access *accesses, size_t n, uint8_t *marks);

#endif
