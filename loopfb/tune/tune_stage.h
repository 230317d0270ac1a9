/* tune_stage.h - rounds of runs that are compared: the matrix, a race, the fresh runs that confirm
 * it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a stage has columns, each a variant; column 0 is the compiler's default.  A round
 *             runs each once, in turned order.  A column that is out runs no more; what it has run
 *             stays.
 * Ownership:  cab_tune_stage_fini frees the runs.  Their loops belong to the journal.
 */
#ifndef CAB_TUNE_STAGE_H
#define CAB_TUNE_STAGE_H

#include "loopfb/tune/tune.h"

#define CAB_TUNE_COLUMNS 9
#define CAB_TUNE_ROUNDS 2    /* of the matrix, at least */
#define CAB_TUNE_PAIRS 6     /* of a proof, at least */

struct cab_tune_stage
{
  const char *name;
  int ids[CAB_TUNE_COLUMNS], n;     /* variants, by column */
  bool out[CAB_TUNE_COLUMNS];
  struct cab_figures *runs;
  int n_runs, n_rounds;
};

/* One more round; negative if a run failed. */
int cab_tune_stage_round (struct cab_tune *tune, struct cab_tune_stage *stage, bool sampled);
/* Columns that still run. */
int cab_tune_stage_running (const struct cab_tune_stage *stage);
/* LOGS of column B over column A, from the rounds that have both; LOGS has room for n_rounds.
   Returns how many. */
int cab_tune_stage_pairs (const struct cab_tune_stage *stage, int a, int b, double *logs);
/* What its runs say of a run's noise. */
struct cab_noise cab_tune_stage_noise (const struct cab_tune_stage *stage);
void cab_tune_stage_fini (struct cab_tune_stage *stage);

/* tune_matrix.c: what the matrix suggests to race; adds columns to STAGE. */
void cab_tune_candidates (struct cab_tune *tune, struct cab_tune_stage *stage);

/* tune_nest.c: find the nests of which a loop vanishes in a column of STAGE, and set each loop's
   leader. */
void cab_tune_nest_find (struct cab_tune *tune, const struct cab_tune_stage *stage);
/* The runs of STAGE with the figures of each nest in its leader's place and 0 in the others'.  One
   block, for the caller to free. */
struct cab_figures *cab_tune_nest_figures (const struct cab_tune *tune,
					   const struct cab_tune_stage *stage);

#endif
