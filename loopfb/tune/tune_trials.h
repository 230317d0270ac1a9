/* tune_trials.h - trials of the hot loops (cabprof/trials.h) choose the hints of a tune.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the hottest loops that together hold CAB_TUNE_TRIED of the loops' time are named in
 *             DIR/tune/trials.json.  The variant "copies" has their functions in copies; two or
 *             three measurements of it leave their figures in DIR/tune/trials, which becomes
 *             DIR/trials in the end.  Loops whose functions are executed too rarely, or have too
 *             many loops, are named again in DIR/tune/beside.json, and tried in copies of their own
 *             by the variant "beside", if they hold CAB_TUNE_BESIDE of the time.  Loops that trials
 *             do not decide (equal copies differ, the run is too short) are measured by separate
 *             builds, if they hold CAB_TUNE_SLOW of the time; but not those that no hint changes.
 */
#ifndef CAB_TUNE_TRIALS_H
#define CAB_TUNE_TRIALS_H

#include "loopfb/tune/tune.h"

/* Make the trials, and note at each loop what they say; or say why there are none.  Return 0, or
   negative if a run failed or it was interrupted. */
int cab_tune_trials (struct cab_tune *tune);
/* Store what the trials choose into REQUESTS, for each loop; no hint for the others.  Without
   ALIGNED, heads are left to the compiler.  Return how many loops get a hint. */
int cab_tune_trials_requests (const struct cab_tune *tune, struct cab_tune_request *requests,
			      bool aligned);
/* Return the directory that the figures of the trials are left in, DIR/trials (free). */
char *cab_tune_trials_directory (const struct cab_tune *tune);
/* Move the figures of the trials there; it must not exist. */
void cab_tune_trials_keep (const struct cab_tune *tune);

#endif
