/* an_reuse.h - reuse distances of each access: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_REUSE_H
#define CAB_AN_REUSE_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_reuse;

/* The uses by one access, by distance. */
#define CAB_REUSE_BUCKETS 26  /* n[0]: distance 0; n[k]: 2^(k-1) .. 2^k - 1; the last one: the
				 distance is unknown, because it is no less than the depth, or this
				 was a first use */
struct cab_reuse_row
{
  uint32_t number;
  uint64_t adjust;            /* events less uses: most events use one line, those that are no
				 access use none */
  uint64_t n[CAB_REUSE_BUCKETS];
};
/* Store to ROW the next access after *CURSOR (0 at first), in ascending order of numbers.  Return
   false at the end. */
bool cab_reuse_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_reuse_row *row);
/* Return the depth, in lines: distances below it are exact. */
uint64_t cab_reuse_depth (const struct cab_arena *arena);
/* Return the length of a line in bytes. */
uint32_t cab_reuse_line (const struct cab_arena *arena);
/* Return how many uses, of all accesses, have DISTANCE.  For any DISTANCE from the depth on, return
   those whose distance is unknown. */
uint64_t cab_reuse_uses (const struct cab_arena *arena, uint64_t distance);

#endif
