/* tune_check.h - judge the runs of variants by what they print and how they end.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_CHECK_H
#define CAB_TUNE_CHECK_H

#include "loopfb/tune/tune.h"

/* Return the name of VARIANT in the journal and in messages (-1: as the build left it). */
const char *cab_tune_run_name (const struct cab_tune *tune, int variant);
/* Check that the default ends well and has the same output each time, and that each variant does
   so, too; or ask the user's own judge.  PROGRAM, of VARIANT, ended with STATUS, and its output is
   in the file OUTPUT.  Return 0, or negative after saying what is wrong. */
int cab_tune_check_run (const struct cab_tune *tune, int variant, const char *output,
			const char *program, int status);

#endif
