/* an_accesses.h - how often each access was executed: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_ACCESSES_H
#define CAB_AN_ACCESSES_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_accesses;

/* What was counted of one access, or of one allocation or release. */
struct cab_accesses_row
{
  uint32_t number;            /* 0: accesses of functions whose record was not available */
  uint64_t n[4];              /* reads [CAB_ROW_READ], writes [CAB_ROW_WRITE], accesses that do both
				 [3]; [0]: allocations and releases */
  uint64_t bytes;             /* read or written */
};
/* Store to ROW the next access after *CURSOR (0 at first), in ascending order of numbers.  Return
   false at the end. */
bool cab_accesses_next (const struct cab_arena *arena, uint64_t *cursor,
			struct cab_accesses_row *row);

#endif
