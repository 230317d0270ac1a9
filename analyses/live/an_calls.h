/* an_calls.h - how often each call site called each function: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_CALLS_H
#define CAB_AN_CALLS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_calls;
/* Its `feed'. */
void cab_calls_feed (struct cab_arena *arena, const struct cab_batch *batch,
		     const struct cab_functions *functions);

/* How often SITE called CALLEE. */
struct cab_calls_row
{
  uint32_t site, callee;
  uint64_t count;
};
/* Store to ROW the next pair after *CURSOR (0 at first).  Return false at the end. */
bool cab_calls_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_calls_row *row);
/* Add N entries of CALLEE from SITE. */
void cab_calls_add (struct cab_arena *arena, uint32_t site, uint32_t callee, uint64_t n);

#endif
