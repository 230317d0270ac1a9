/* export_stacks.c - see export_stacks.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/stacks/export_stacks.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_tree.h"

uint32_t
cab_export_stacks_of (const struct cab_stacks *stacks, uint32_t node)
{
  uint32_t n = 0;
  for (uint32_t parent; node; node = parent)
    {
      parent = cab_tree_at (&stacks->model->tree, node)->parent;
      if (stacks->depth[node] > stacks->depth[parent])
	stacks->stack[n++] = cab_tree_at (&stacks->model->tree, node)->callee - 1;
    }
  return n;
}

/* Return the greatest share that each node itself has of a measure. */
static double *
weights_of (const struct cab_context_sums *sums)
{
  double *weights = XCNEWVEC (double, sums->n + 1);
  for (uint32_t i = 1; i < sums->n; i++)
    for (int m = 0; m < CAB_MEASURES; m++)
      if (sums->total[m] && (double) sums->self[m][i] / sums->total[m] > weights[i])
	weights[i] = (double) sums->self[m][i] / sums->total[m];
  return weights;
}

/* Keep the first nodes of ORDER, which has N, and add up the others. */
static void
keep (struct cab_stacks *stacks, const uint32_t *order, uint32_t n)
{
  uint64_t frames = 0;
  for (uint32_t k = 0; k < n; k++)
    {
      frames += stacks->depth[order[k]];
      if (frames <= CAB_STACKS_FRAMES)
	{
	  stacks->nodes[stacks->n++] = order[k];
	  continue;
	}
      for (int m = 0; m < CAB_MEASURES; m++)
	stacks->left_out[m] += stacks->sums.self[m][order[k]];
    }
}

void
cab_export_stacks_open (struct cab_stacks *stacks, struct cab_model *model)
{
  *stacks = (struct cab_stacks) { .model = model };
  struct cab_context_sums *sums = &stacks->sums;
  cab_context_measures_open (sums, model);
  double *weights = weights_of (sums);
  uint32_t *order = XNEWVEC (uint32_t, sums->n + 1), n = 0, deepest = 0;
  stacks->nodes = XNEWVEC (uint32_t, sums->n + 1);
  stacks->depth = XCNEWVEC (uint32_t, sums->n + 1);
  for (uint32_t i = 1; i < sums->n; i++)
    {
      const struct cab_tree_node *node = cab_tree_at (&model->tree, i);
      bool known = node->callee && node->callee <= model->n_functions;
      stacks->depth[i] = stacks->depth[node->parent] + known;
      deepest = stacks->depth[i] > deepest ? stacks->depth[i] : deepest;
      if (weights[i] > 0)
	order[n++] = i;
    }
  for (int m = 0; m < CAB_MEASURES; m++)
    stacks->left_out[m] = sums->n ? sums->self[m][0] : 0;
  stacks->stack = XNEWVEC (uint32_t, deepest + 1);
  cab_context_sort (order, n, weights);
  keep (stacks, order, n);
  free (order);
  free (weights);
}

void
cab_export_stacks_close (struct cab_stacks *stacks)
{
  cab_context_measures_close (&stacks->sums);
  free (stacks->nodes);
  free (stacks->depth);
  free (stacks->stack);
}
