/* tune_matrix.h - the matrix: what each loop takes with each hint, and what is worth a race.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_MATRIX_H
#define CAB_TUNE_MATRIX_H

#include "loopfb/tune/tune.h"
#include "loopfb/tune/tune_stage.h"

/* Measure the matrix, and decide from it. */
int cab_tune_matrix (struct cab_tune *tune);

/* Add the columns to STAGE that the matrix suggests to race. */
void cab_tune_candidates (struct cab_tune *tune, struct cab_tune_stage *stage);

#endif
