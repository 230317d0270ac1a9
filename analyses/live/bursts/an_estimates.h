/* an_estimates.h - how sure counts are where only some events were read: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     Cochran, Sampling Techniques, chapters 5 and 9: the burst is the unit that is drawn,
 *             so its events count together.
 * Model:      a burst that stands for W bursts, and has X events of a kind, adds W X to the count,
 *             and W (W - 1) X^2 to the variance of that.  This is the variance where each burst is
 *             drawn by itself; that of one burst of each stratum is not greater on average.
 * Units:      events; their squares.
 * Threads:    as in an_calls.h.
 */
#ifndef CAB_AN_ESTIMATES_H
#define CAB_AN_ESTIMATES_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_estimates;

/* What a row counts, and what its two numbers are. */
enum cab_estimate_of
{
  CAB_ESTIMATE_CALL = 1,     /* A: call site, or 0; B: callee */
  CAB_ESTIMATE_ENTRIES,      /* A: callee, B: 0.  Its count is 0: it is the sum of the calls' */
  CAB_ESTIMATE_PATH,         /* A: function; B: path */
  CAB_ESTIMATE_PATHS,        /* A: function, B: 0.  Its count is 0: it is the sum of the paths' */
  CAB_ESTIMATE_ACCESS        /* A: access, allocation or release, or 0; B: 0 */
};

struct cab_estimate
{
  uint32_t of;               /* enum cab_estimate_of; 0: the row is free */
  uint32_t a, b;
  uint32_t in_burst;         /* its events in the burst that is under way */
  uint64_t burst;            /* 1 + number of that burst */
  uint64_t count;            /* how many events there were, by the weights of those read */
  double variance;           /* of count */
};

/* Store to ROW the next row after *CURSOR (0 at first).  Return false at the end. */
bool cab_estimates_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_estimate *row);
/* Return the variance of the row OF, A, B; 0 if there is none, or ARENA is null. */
double cab_estimates_variance (const struct cab_arena *arena, enum cab_estimate_of of, uint32_t a,
			       uint32_t b);

#endif
