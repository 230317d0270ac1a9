/* an_levels.h - in which cache each access hits: what a state holds, and the levels of its last
 * rows.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      simulate.h: caches for each thread.  The level of an access is the number of caches
 *             that it missed; of a row with several lines, that of the line which missed most. The
 *             levels of the rows of the last feed stay in the state until the next feed, so that a
 *             reader of a killed process can give them to analyses that had only some of these
 *             rows.
 * Units:      rows and accesses.
 * Threads:    as the arena: one at a time.
 */
#ifndef CAB_AN_LEVELS_H
#define CAB_AN_LEVELS_H

#include <stdbool.h>
#include "cabprof/analysis.h"
#include "cabprof/cachesim.h"

extern const struct cab_analysis cab_levels;

/* Return the levels of the rows of the last feed, which has returned.  They are valid until the
   next one, and until the arena moves. */
const uint8_t *cab_levels_last (const struct cab_arena *arena);
/* Return the level of row ROW of those that the state has had, from 0; CAB_LEVEL_NONE also if that
   is not one of the last feed's.  The arena is checked; the feed may have been cut off. */
uint8_t cab_levels_at (const struct cab_arena *arena, uint64_t row);
/* Return how many rows the state has had. */
uint64_t cab_levels_had (const struct cab_arena *arena);
/* Return the binary logarithm of the bytes of a line of D1. */
uint32_t cab_levels_line_log2 (const struct cab_arena *arena);

/* Return how many accesses hit in LEVEL, writes if WRITE, else the others. */
uint64_t cab_levels_count (const struct cab_arena *arena, unsigned level, bool write);
/* Store the caches that were simulated in *CONFIG, as cab_cache_config does. */
bool cab_levels_config (const struct cab_arena *arena, struct cab_cachesim_config *config);
/* Return the name of LEVEL in caches of CONFIG: "D1", "L2", "LL" or "memory". */
const char *cab_levels_name (const struct cab_cachesim_config *config, unsigned level);

#endif
