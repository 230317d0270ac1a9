/* cachesim_cachegrind.h - simulated caches in cachegrind's model, for cachesim.c.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Threads:    as cab_cachesim_feed and cab_cachesim_feed_part (cabprof/cachesim.h).
 * Errors:     none.
 */
#ifndef CAB_CACHESIM_CACHEGRIND_H
#define CAB_CACHESIM_CACHEGRIND_H

#include "analyses/live/cache/cachesim_state.h"

/* Feed the N ACCESSES: count them, and mark them unless MARKS is null. */
void cab_cachesim_feed_cachegrind (struct cab_cachesim *sim, const struct cab_access *accesses,
				   size_t n, uint8_t *marks);

/* Do PART of the phase of I1 and D1, which only adds marks. */
void cab_cachesim_first_part (struct cab_cachesim *sim, unsigned part, unsigned n_parts,
			      const struct cab_access *accesses, size_t n, uint8_t *marks);

/* Do PART of the phase of LL, which only adds marks. */
void cab_cachesim_last_part (struct cab_cachesim *sim, unsigned part, unsigned n_parts,
			     const struct cab_access *accesses, size_t n, uint8_t *marks);

#endif
