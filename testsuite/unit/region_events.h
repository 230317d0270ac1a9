/* region_events.h - made-up events of regions, and the accesses that they stand for.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      regions whose accesses stay in one line, in two, in many; loops whose accesses stay,
 *             creep, stride by powers of two, meet in a set, go backwards, end during a pass. The
 *             accesses of an event come from analyses/wire/expand.c, which the caches do not use.
 * Ownership:  the caller's: free_region_events.
 */
#ifndef CAB_TEST_REGION_EVENTS_H
#define CAB_TEST_REGION_EVENTS_H

#include "analyses/wire/regions.h"
#include "testsuite/unit/analysis_events.h"

struct region_events
{
  struct cab_regions *table;
  size_t n;
  const struct cab_region **region;
  uint64_t (*words)[CAB_ACCESS_WORDS];
  size_t *first;         /* row of each event; the last entry is the number of rows */
  struct events rows;
};

/* Make N events. LARGE: also of regions with many accesses. */
struct region_events make_region_events (size_t n, bool large);
void free_region_events (struct region_events *e);
/* Feed them to `cache', as the runtime does: in batches, some of which are rows. */
void feed_region_events (struct cab_arena *arena, const struct region_events *e);

#endif
