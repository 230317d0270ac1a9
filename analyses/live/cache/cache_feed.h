/* cache_feed.h - feed accesses to the analysis `cache' directly.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      see an_cache.c.
 * Threads:    as the arena: one at a time.
 */
#ifndef CAB_CACHE_FEED_H
#define CAB_CACHE_FEED_H

#include "analyses/live/cache/cache_state.h"

struct cab_section;

/* Return how passes through R are counted, if there is room for counters, where D1 has lines of
   LINE bytes. */
enum cab_cache_how cab_cache_how (const struct cab_region *r, uint64_t line);

/* Return how passes through R are counted in ARENA, whose caches have been made, from now on;
   CAB_CACHE_UNKNOWN if R has no number, or there is no room. */
enum cab_cache_how cab_cache_know (struct cab_arena *arena, const struct cab_region *r);

/* Count the accesses of BATCH: the `feed' of struct cab_analysis. */
void cab_cache_feed (struct cab_arena *arena, const struct cab_batch *batch,
		     const struct cab_functions *functions);

/* Feed the rest of SECTION, from `from' on, to the caches directly. */
void cab_cache_feed_section (struct cab_arena *arena, const struct cab_section *section);

#endif
