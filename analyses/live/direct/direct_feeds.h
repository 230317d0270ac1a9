/* direct_feeds.h - the analyses that can be fed event by event, in the program's own code
 * (placement=direct).
 *
 * Model:      these functions, and all that they call, are compiled twice: as everything else, and
 *             once more without vector registers (rt/rt.mk).  Each of the two has a table of its
 *             own.
 * Threads:    any.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_DIRECT_FEEDS_H
#define CAB_DIRECT_FEEDS_H

#include "cabprof/analysis.h"

struct cab_direct_feeds
{
  const char *name;
  void (*feed) (struct cab_arena *arena, const struct cab_batch *batch,
		const struct cab_functions *functions);
};
#define CAB_DIRECT_FEEDS 5
extern const struct cab_direct_feeds cab_direct_feeds[CAB_DIRECT_FEEDS];

/* Rows of a batch of paths, at most.  More would take much of the program's stack. */
extern const uint32_t cab_direct_paths;

/* The analyses that run where the options name none. */
#define CAB_DIRECT_DEFAULT "tree+paths"

#endif
