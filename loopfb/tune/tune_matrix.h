/* tune_matrix.h - the matrix: what each loop takes with each hint, and what is worth a race.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_MATRIX_H
#define CAB_TUNE_MATRIX_H

#include "loopfb/tune/tune.h"
#include "loopfb/tune/tune_stage.h"

/* Measure the matrix, and decide from it. */
int cab_tune_matrix (struct cab_tune *tune);

/* Add to STAGE the columns that the matrix suggests to race, and builds with the compiler's own
   profile if there is one.  Return 0, or negative if that was interrupted. */
int cab_tune_candidates (struct cab_tune *tune, struct cab_tune_stage *stage);

#endif
