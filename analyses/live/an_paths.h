/* an_paths.h - how often each path was executed: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_PATHS_H
#define CAB_AN_PATHS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_paths;
/* Its `feed'.  Batches of more than CAB_PATHS_FEW rows take some 4 KB of the stack. */
#define CAB_PATHS_FEW 8u
void cab_paths_feed (struct cab_arena *arena, const struct cab_batch *batch,
		     const struct cab_functions *functions);

/* Return how many counters there are. */
uint64_t cab_paths_n (const struct cab_arena *arena);
/* Return counter INDEX of the process' counter layout (the function's first counter + 2 + path); 0
   for an index that is out of range. */
uint64_t cab_paths_counter (const struct cab_arena *arena, uint64_t index);

#endif
