/* tune_nest.c - compare loops as one nest where an inner one vanishes in a variant.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loop that the compiler unrolls completely is gone, and what its code takes is counted for the
 * enclosing loop.  The inner one then seems to take no time and the outer one a multiple.  So both
 * are one row of the matrix: that of the hotter one, which decides for the nest.
 */
#include "loopfb/tune/tune_nest.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define GONE 0.1   /* a loop that takes less than this part of what it takes by default is gone */

/* Return true if loop I vanishes in a column of STAGE. */
static bool
vanishes (const struct cab_tune_stage *stage, int i)
{
  double sum[CAB_TUNE_COLUMNS] = { 0 };
  int n[CAB_TUNE_COLUMNS] = { 0 };
  for (int k = 0; k < stage->n_runs; k++)
    if (stage->runs[k].loops)
      {
	sum[stage->runs[k].column] += stage->runs[k].loops[i];
	n[stage->runs[k].column]++;
      }
  for (int j = 1; j < stage->n; j++)
    if (n[0] && n[j] && sum[j] / n[j] < GONE * sum[0] / n[0])
      return true;
  return false;
}

/* Join the nests of loops A and B.  The hottest of their loops leads, which is the first: loops are
   sorted by their share. */
static void
join (struct cab_tune *tune, int a, int b)
{
  int one = tune->loops[a].leader, two = tune->loops[b].leader, leader = one < two ? one : two;
  for (int i = 0; i < tune->n_loops; i++)
    if (tune->loops[i].leader == one || tune->loops[i].leader == two)
      tune->loops[i].leader = leader;
}

void
cab_tune_nest_find (struct cab_tune *tune, const struct cab_tune_stage *stage)
{
  for (int i = 0; i < tune->n_loops; i++)
    tune->loops[i].leader = i;
  for (int i = 0; i < tune->n_loops; i++)
    if (tune->loops[i].around >= 0 && vanishes (stage, i))
      join (tune, i, tune->loops[i].around);
}

struct cab_figures *
cab_tune_nest_figures (const struct cab_tune *tune, const struct cab_tune_stage *stage)
{
  size_t room = stage->n_runs * (sizeof (struct cab_figures) + tune->n_loops * sizeof (double));
  struct cab_figures *runs = xcalloc (1, room + 1);
  double *loops = (double *) (runs + stage->n_runs);
  for (int k = 0; k < stage->n_runs; k++, loops += tune->n_loops)
    {
      runs[k] = stage->runs[k];
      if (!runs[k].loops)
	continue;
      for (int i = 0; i < tune->n_loops; i++)
	loops[tune->loops[i].leader] += stage->runs[k].loops[i];
      runs[k].loops = loops;
    }
  return runs;
}
