/* timeline_latency.h - how long the activations of functions took.
 *
 * Model:      durations are counted in buckets: each power of two is divided into 32 of equal
 *             width, so a percentile is at most 1/32 above the true one.  Least, most and sums are
 *             exact.  Activations whose begin or end is not in the record are counted, and are in
 *             no bucket.
 * Units:      ns.
 * Ownership:  cab_latency_fini frees the buckets.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TIMELINE_LATENCY_H
#define CAB_TIMELINE_LATENCY_H

#include <stdint.h>
#include "analyses/report/timeline/timeline_walk.h"

#define CAB_LATENCY_WITHIN_LOG2 5u
#define CAB_LATENCY_BUCKETS ((64u - CAB_LATENCY_WITHIN_LOG2 + 1) << CAB_LATENCY_WITHIN_LOG2)

struct cab_latency
{
  uint64_t n, left, unbounded;   /* all; those that ended by LEFT; those without begin or end */
  uint64_t total, self, least, most;   /* total: of the outermost; self: of all; the others of
					  those in buckets */
  uint32_t *buckets;             /* null: none is counted */
  uint64_t counted;
};

/* Count SPAN, which has ended.  OUTERMOST: its time is not part of another one's of the same
   function, and so belongs to the total. */
void cab_latency_add (struct cab_latency *latency, const struct cab_timed *span, bool outermost);
/* Return the duration that a share Q of the counted activations did not exceed; UINT64_MAX if there
   are none. */
uint64_t cab_latency_quantile (const struct cab_latency *latency, double q);
/* Return the least duration of bucket I. */
uint64_t cab_latency_from (unsigned i);
void cab_latency_fini (struct cab_latency *latency);

#endif
