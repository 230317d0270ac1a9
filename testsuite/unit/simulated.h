/* simulated.h - the caches of tests, by the simulator of traces.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_SIMULATED_H
#define CAB_TEST_SIMULATED_H

#include "cabprof/cachesim.h"
#include "testsuite/unit/analysis_events.h"

/* Return a simulator with the tests' caches, and what they are in *CONFIG; the caller frees
   *MEMORY. */
struct cab_cachesim *make_caches (struct cab_cachesim_config *config, void **memory);
/* Run event I through SIM, in pieces of at most a line of D1 if it is a range or longer, and give
   the mark of each to TAKE, with ROWS and KEY. */
void simulate_pieces (struct cab_cachesim *sim, uint32_t d1_line, const struct events *e, size_t i,
		      void (*take) (struct rows *rows, uint64_t key, bool write, uint8_t mark),
		      struct rows *rows, uint64_t key);
/* Return how many caches each of the first TO events misses, CAB_LEVEL_NONE if it is no access; the
   caller frees it. */
uint8_t *simulated_levels (const struct events *e, size_t to);

#endif
