/* tune_stage.c - see tune_stage.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_stage.h"
#include "loopfb/tune/tune_places.h"
#include "loopfb/tune/tune_run.h"
#include <math.h>
#include <stdlib.h>
#include <libiberty/libiberty.h>

int
cab_tune_stage_round (struct cab_tune *tune, struct cab_tune_stage *stage, bool sampled)
{
  int place = stage->moves ? cab_tune_places_next (tune) : 0;
  for (int k = 0; k < stage->n; k++)
    {
      int column = (k + stage->n_rounds) % stage->n;
      if (stage->out[column])
	continue;
      const struct cab_tune_run *run = cab_tune_measure (tune, stage->ids[column], place,
							 stage->name, stage->n_rounds, sampled);
      if (!run)
	return -1;
      stage->runs = xrealloc (stage->runs, (stage->n_runs + 1) * sizeof *stage->runs);
      stage->runs[stage->n_runs++] = (struct cab_figures) { stage->n_rounds, column, run->cpu_s,
							    run->loops };
    }
  stage->n_rounds++;
  return 0;
}

int
cab_tune_stage_running (const struct cab_tune_stage *stage)
{
  int n = 0;
  for (int j = 0; j < stage->n; j++)
    n += !stage->out[j];
  return n;
}

int
cab_tune_stage_pairs (const struct cab_tune_stage *stage, int a, int b, double *logs)
{
  double *times = xcalloc (2 * stage->n_rounds + 1, sizeof *times);
  int n = 0;
  for (int k = 0; k < stage->n_runs; k++)
    for (int side = 0; side < 2; side++)
      if (stage->runs[k].column == (side ? b : a))
	times[2 * stage->runs[k].round + side] = stage->runs[k].time;
  for (int r = 0; r < stage->n_rounds; r++)
    if (times[2 * r] > 0 && times[2 * r + 1] > 0)
      logs[n++] = log (times[2 * r + 1] / times[2 * r]);
  free (times);
  return n;
}

struct cab_noise
cab_tune_stage_noise (const struct cab_tune_stage *stage)
{
  struct cab_matrix matrix;
  cab_matrix_make (&matrix, 0, stage->n, stage->runs, stage->n_runs, 0);
  struct cab_noise noise = { matrix.noise[0], matrix.df };
  cab_matrix_fini (&matrix);
  return noise;
}

void
cab_tune_stage_fini (struct cab_tune_stage *stage)
{
  free (stage->runs);
}
