/* an_methods.h - how often each function was entered: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_METHODS_H
#define CAB_AN_METHODS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_methods;
/* Its `feed'. */
void cab_methods_feed (struct cab_arena *arena, const struct cab_batch *batch,
		       const struct cab_functions *functions);

/* Return one more than the greatest function number that may have a count; numbers begin at 1. */
uint32_t cab_methods_n (const struct cab_arena *arena);
/* Return how often function FN was entered; 0 for a number that is out of range. */
uint64_t cab_methods_count (const struct cab_arena *arena, uint32_t fn);

#endif
