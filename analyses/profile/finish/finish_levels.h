/* finish_levels.h - feed a ring's accesses with their levels to analyses that have not had them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      rt/engine/feed/feed_levels.h.  A process that was killed may have had levels of rows
 *             that an analysis has not had: they are in the state of `levels'.
 */
#ifndef CAB_FINISH_LEVELS_H
#define CAB_FINISH_LEVELS_H

#include <stdbool.h>
#include "analyses/profile/finish/finish_rest.h"

/* Return true if an analysis of the process wants levels. */
bool cab_finish_wants_levels (const struct cab_finish *finish);

/* Return how many events ANALYSIS, which wants nodes, takes of those that have come with their
   nodes so far. */
uint64_t cab_finish_placed (const struct cab_finish_rest *rest,
			    const struct cab_analysis *analysis);

/* Feed BATCH, of accesses with nodes, to all analyses that want levels. */
void cab_finish_levels (struct cab_finish_rest *rest, const struct cab_batch *batch);

#endif
