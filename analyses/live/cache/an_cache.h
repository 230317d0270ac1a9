/* an_cache.h - hits and misses of each access in simulated caches: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_CACHE_H
#define CAB_AN_CACHE_H

#include <stdbool.h>
#include "cabprof/analysis.h"
#include "cabprof/cachesim.h"

extern const struct cab_analysis cab_cache;

/* The counts of one access. */
#define CAB_CACHE_RANGE_MOST (UINT64_C (1) << 30)   /* bytes of a range that are simulated at
						       most */
struct cab_cache_row
{
  uint32_t number;            /* 0: of functions whose record is not available */
  uint64_t rows, others;      /* events; of them those that are no access: allocations, releases,
				 ranges of no bytes */
  uint64_t accesses[2];       /* reads (also those that write), writes; a range is one for each
				 line */
  uint64_t missed[2][CAB_CACHESIM_LEVELS_MAX];
};
/* Store the counts of the next access after *CURSOR (0 at first), in ascending order, in *ROW.
   Return false at the end. */
bool cab_cache_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_cache_row *row);
/* Return how many of the accesses repeated a round, and so were not looked up (cache_rounds.h). */
uint64_t cab_cache_again (const struct cab_arena *arena);
/* Store the caches that were simulated in *CONFIG; its I1 has no meaning.  Return false if others
   were simulated, too.  The state must be open. */
bool cab_cache_config (const struct cab_arena *arena, struct cab_cachesim_config *config);

#endif
