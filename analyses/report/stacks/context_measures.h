/* context_measures.h - all that a profile counts by calling context, by node of the tree.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a measure is what happened in the context itself, not below it.  What belongs to no
 *             node is at node 0, the root.
 * Ownership:  call open, then close.
 */
#ifndef CAB_CONTEXT_MEASURES_H
#define CAB_CONTEXT_MEASURES_H

#include "analyses/profile/model.h"

enum cab_context_measure
{
  CAB_MEASURE_CALLS,
  CAB_MEASURE_TIME,
  CAB_MEASURE_ACCESSES,
  CAB_MEASURE_D1,
  CAB_MEASURE_LL,
  CAB_MEASURE_BYTES,
  CAB_MEASURES
};

struct cab_context_measure_text
{
  const char *key, *title, *unit;
};
extern const struct cab_context_measure_text cab_context_measures[CAB_MEASURES];

/* What each measure has, by node; total 0: the profile does not have it. */
struct cab_context_sums
{
  uint32_t n;                          /* nodes of the tree, with the root */
  uint64_t *self[CAB_MEASURES];
  uint64_t total[CAB_MEASURES];
};

/* Fill SUMS from MODEL, which has a tree. */
void cab_context_measures_open (struct cab_context_sums *sums, struct cab_model *model);
/* Free the memory of SUMS. */
void cab_context_measures_close (struct cab_context_sums *sums);
/* Sort the N nodes in ORDER by WEIGHTS, which has one for each node: the heaviest first, and equal
   ones by their numbers. */
void cab_context_sort (uint32_t *order, uint32_t n, const double *weights);

#endif
