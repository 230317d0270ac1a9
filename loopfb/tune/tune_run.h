/* tune_run.h - take measurements.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_RUN_H
#define CAB_TUNE_RUN_H

#include "loopfb/tune/tune.h"

/* Take one measurement of VARIANT (-1: as the build left it) with its code at PLACE
   (tune_places.h), from the journal or by a run.  Return null after the reason was reported. */
const struct cab_tune_run *cab_tune_measure (struct cab_tune *tune, int variant, int place,
					     const char *stage, int round, bool sampled);

#endif
