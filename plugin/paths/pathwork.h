/* pathwork.h - what the two halves of path numbering share: pathnum.c (cuts, numbers) and pathinc.c
 * (increments, obvious paths).
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the graph indexed by source and by destination, and its blocks in postorder: each
 *             block follows those that its uncut edges lead to.
 * Ownership:  scratch; all arrays belong to `memory` and are freed together.
 */
#ifndef CABPROF_PATHWORK_H
#define CABPROF_PATHWORK_H

#include "plugin/paths/pathnum.h"

struct cab_pn_work
{
  struct cab_pathnum *g;
  void *memory;
  uint32_t *succ_at, *succ;   /* edges out of b: succ[succ_at[b]] .. succ[succ_at[b + 1] - 1], in
				 the caller's order */
  uint32_t *pred_at, *pred;   /* edges into b, except NO_COUNT ones */
  uint32_t *order, n_order;   /* reachable blocks in postorder */
};

/* An item to sort by first, then second, then third. */
struct cab_pn_item
{
  uint64_t first, second;
  uint32_t third, index;
};

static inline uint64_t
cab_pn_add (uint64_t a, uint64_t b)
{
  return a + b < a ? UINT64_MAX : a + b;
}

static inline uint64_t
cab_pn_multiply (uint64_t a, uint64_t b)
{
  uint64_t product;
  return __builtin_mul_overflow (a, b, &product) ? UINT64_MAX : product;
}

#endif
