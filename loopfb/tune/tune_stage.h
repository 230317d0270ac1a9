/* tune_stage.h - rounds of runs that are compared: the matrix, a race, the fresh runs that confirm
 * it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a stage has columns, each a variant; column 0 is the compiler's default.  A round
 *             runs each once, and each round starts with another column.  A column that is out runs
 *             no more; its earlier runs stay.
 * Ownership:  cab_tune_stage_fini frees the runs.  Their loops belong to the journal.
 */
#ifndef CAB_TUNE_STAGE_H
#define CAB_TUNE_STAGE_H

#include "loopfb/tune/tune.h"

#define CAB_TUNE_COLUMNS CAB_TUNE_MOST_COLUMNS
#define CAB_TUNE_ROUNDS 2    /* of the matrix, at least */
#define CAB_TUNE_PAIRS 6     /* of a proof, at least */

struct cab_tune_stage
{
  const char *name;
  int ids[CAB_TUNE_COLUMNS], n;     /* variants, by column */
  bool out[CAB_TUNE_COLUMNS];
  struct cab_figures *runs;
  int n_runs, n_rounds;
  bool moves;                       /* each round is at another place (tune_places.h) */
};

/* Run one more round; return negative if a run failed. */
int cab_tune_stage_round (struct cab_tune *tune, struct cab_tune_stage *stage, bool sampled);
/* Return the number of columns that still run. */
int cab_tune_stage_running (const struct cab_tune_stage *stage);
/* Store the logarithms of column B's time over column A's into LOGS, from the rounds that have
   both, and return how many there are.  LOGS has room for n_rounds. */
int cab_tune_stage_pairs (const struct cab_tune_stage *stage, int a, int b, double *logs);
/* Return the noise of a run, estimated from the runs of STAGE. */
struct cab_noise cab_tune_stage_noise (const struct cab_tune_stage *stage);
/* Free the runs of STAGE. */
void cab_tune_stage_fini (struct cab_tune_stage *stage);

#endif
