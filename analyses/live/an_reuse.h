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

/* The next access behind *CURSOR (0 at first), in ascending order; false at the end. */
#define CAB_REUSE_BUCKETS 26  /* n[0]: distance 0; n[k]: 2^(k-1) .. 2^k - 1; the last: not known, no
				 less than the depth, or a first use */
struct cab_reuse_row
{
  uint32_t number;
  uint64_t adjust;            /* events less uses: most events use one line, those without an access
				 none */
  uint64_t n[CAB_REUSE_BUCKETS];
};
bool cab_reuse_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_reuse_row *row);
/* Distances below this are exact; bytes of a line; uses at DISTANCE, over all, and those that are
   not known at any from the depth on. */
uint64_t cab_reuse_depth (const struct cab_arena *arena);
uint32_t cab_reuse_line (const struct cab_arena *arena);
uint64_t cab_reuse_uses (const struct cab_arena *arena, uint64_t distance);

#endif
