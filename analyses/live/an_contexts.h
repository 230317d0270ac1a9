/* an_contexts.h - accesses, paths, loops and samples by calling context: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_CONTEXTS_H
#define CAB_AN_CONTEXTS_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_contexts, cab_samples;

/* How often one thing happened in one calling context. */
struct cab_contexts_row
{
  unsigned kind;              /* CAB_EV_ACCESS, PATH, LOOP or SAMPLE */
  unsigned form;              /* ACCESS: enum cab_row_form; LOOP: enum cab_loop_form */
  uint32_t node;              /* in the tree of the same thread */
  uint32_t number;            /* ACCESS: of the access or allocation; SAMPLE: 1 + the number of the
				 process in the model, or 0 if that is not known; else of the
				 function */
  uint64_t part;              /* PATH: the path; LOOP: the loop; SAMPLE: the address */
  uint64_t n, sum;            /* how often; the sum of what the events carry: bytes of accesses,
				 iterations or cycles of LOOP, nanoseconds of SAMPLE */
};
/* Store to ROW the next row after *CURSOR (0 at first).  Return false at the end. */
bool cab_contexts_next (const struct cab_arena *arena, uint64_t *cursor,
			struct cab_contexts_row *row);

#endif
