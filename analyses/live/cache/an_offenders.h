/* an_offenders.h - misses of each access in each block and context: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_OFFENDERS_H
#define CAB_AN_OFFENDERS_H

#include <stdbool.h>
#include "cabprof/analysis.h"
#include "cabprof/cachesim.h"

extern const struct cab_analysis cab_offenders;

/* What one access did in one context to blocks of one allocation in one context, or what one
   allocation made in one context. */
struct cab_offenders_row
{
  uint32_t number, node;             /* of the access or allocation, 0: of functions whose record is
					not available; its context */
  bool has_block;                    /* the access was in a block of this allocation in this
					context: */
  uint32_t allocation, allocation_node;
  uint64_t rows, others;             /* as in struct cab_cache_row */
  uint64_t accesses[2], missed[2][CAB_CACHESIM_LEVELS_MAX];
  uint64_t blocks, bytes;            /* of an allocation: what it made */
};
/* Store the next row after *CURSOR (0 at first), in no order, in *ROW.  Return false at the end. */
bool cab_offenders_next (const struct cab_arena *arena, uint64_t *cursor,
			 struct cab_offenders_row *row);
/* Store the caches that were simulated in *CONFIG, as cab_cache_config does. */
bool cab_offenders_config (const struct cab_arena *arena, struct cab_cachesim_config *config);

#endif
