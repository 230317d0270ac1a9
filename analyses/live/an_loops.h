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

/* The sums of one loop. */
struct cab_loop_sums
{
  uint64_t events;            /* of all forms */
  uint64_t entered;           /* ENTER events: only of loops that control may leave other than by
				 edges of the function */
  uint64_t left;              /* executions that ended */
  uint64_t iterations, most;  /* of the executions in `left': their sum, and the greatest number */
  uint64_t timed;             /* executions that were timed */
  uint64_t cycles, timed_iterations;   /* cycles and iterations of those that were timed */
  /* What is known so far of an execution that is just ending; its next event settles it. */
  uint64_t pending_iterations, pending_cycles, pending_timed;
};
#define CAB_LOOP_BUCKETS 55   /* log2[0]: executions without an iteration; log2[k]: those with
				 2^(k-1) .. 2^k - 1 iterations */
/* A row: the loop LOOP of function FN, its sums, and its executions by the logarithm of their
   iterations. */
struct cab_loops_row
{
  uint32_t fn, loop;
  struct cab_loop_sums sums;
  uint64_t log2[CAB_LOOP_BUCKETS];
};
/* Store to ROW the next loop after *CURSOR (0 at first).  Return false at the end. */
bool cab_loops_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_loops_row *row);

#endif
