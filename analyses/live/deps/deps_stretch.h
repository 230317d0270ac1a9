/* deps_stretch.h - iterations of a loop that do the same, all at once.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A byte of memory sees the accesses to it in program order, whatever happens to other
 *             bytes meanwhile.  So the accesses of a stretch are applied one after the other, each
 *             in all iterations, in such an order that those that touch the same bytes come in
 *             program order.  Where there is no such order, these are applied iteration by
 *             iteration.  Lines that an access goes through one unit in each iteration are applied
 *             as formulas.
 */
#ifndef CAB_DEPS_STRETCH_H
#define CAB_DEPS_STRETCH_H

#include "analyses/live/deps/deps_sources.h"

/* A stretch: in each iteration of LOOP the N accesses of rows [first, first + n) of BATCH. */
struct cab_deps_stretch
{
  const struct cab_batch *batch;
  uint32_t first, n, loop;
};

/* Apply as many iterations as possible from number FROM of STRETCH on, at most MOST, as one change,
   if the innermost loop in progress is STRETCH's.  Return how many were applied; 0: none can be
   applied in this way. */
uint64_t cab_deps_apply_stretch (struct cab_arena *arena, const struct cab_deps_stretch *stretch,
				 uint64_t from, uint64_t most);

#endif
