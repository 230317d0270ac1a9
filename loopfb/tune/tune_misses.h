/* tune_misses.h - which loops have loads that miss the caches, where a profile has counted that.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_MISSES_H
#define CAB_TUNE_MISSES_H

#include "loopfb/tune/tune.h"

/* Note at each tuned loop whether its loads miss the first level of the caches that the profile in
   the directory of TUNE has simulated, if it has any of these loops; only they are then worth
   prefetches.  A profile that cannot be read is none. */
void cab_tune_misses (struct cab_tune *tune);

#endif
