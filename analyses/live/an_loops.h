/* an_loops.h - how long executions of loops are: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_LOOPS_H
#define CAB_AN_LOOPS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_loops;

/* The next loop behind *CURSOR (0 at first); false at the end. */
struct cab_loop_sums
{
  uint64_t events;            /* of all forms */
  uint64_t entered;           /* ENTER events: only of loops that may be left in the midst */
  uint64_t left;              /* executions that ended */
  uint64_t iterations, most;  /* of those, in sum, and of the longest */
  uint64_t timed;             /* executions that were timed; */
  uint64_t cycles, timed_iterations;   /* their cycles and iterations */
  /* what is known of an execution that ends just now */
  uint64_t pending_iterations, pending_cycles, pending_timed;
};
#define CAB_LOOP_BUCKETS 55   /* log2[0]: executions without an iteration; log2[k]: with 2^(k-1) ..
				 2^k - 1 */
struct cab_loops_row
{
  uint32_t fn, loop;
  struct cab_loop_sums sums;
  uint64_t log2[CAB_LOOP_BUCKETS];
};
bool cab_loops_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_loops_row *row);

#endif
