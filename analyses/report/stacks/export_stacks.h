/* export_stacks.h - the calling contexts that an export writes as stacks, the heaviest first.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      formats that cannot share stacks would grow with the square of the depth.  So stacks
 *             are kept by weight, their greatest share of a measure, until they have
 *             CAB_STACKS_FRAMES frames; what is left out is one sum without a stack.
 * Ownership:  call open, then close.
 */
#ifndef CAB_EXPORT_STACKS_H
#define CAB_EXPORT_STACKS_H

#include "analyses/report/stacks/context_measures.h"

#define CAB_STACKS_FRAMES 4000000
/* What the sum of all others is called. */
#define CAB_STACKS_OTHERS "(contexts left out)"

struct cab_stacks
{
  struct cab_model *model;
  struct cab_context_sums sums;
  uint32_t *nodes, n;                  /* those that are kept */
  uint32_t *depth;                     /* by node: frames of its stack; the root has none */
  uint32_t *stack;                     /* room for the deepest one */
  uint64_t left_out[CAB_MEASURES];     /* with the root's own */
};

/* Fill STACKS from MODEL, which has a tree. */
void cab_export_stacks_open (struct cab_stacks *stacks, struct cab_model *model);
/* Free the memory of STACKS. */
void cab_export_stacks_close (struct cab_stacks *stacks);
/* Put the functions of NODE's stack into stacks->stack, as indices in the model, the innermost
   first.  Return how many there are. */
uint32_t cab_export_stacks_of (const struct cab_stacks *stacks, uint32_t node);

#endif
