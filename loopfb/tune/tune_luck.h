/* tune_luck.h - how much of a time is due to where code lies in memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_LUCK_H
#define CAB_TUNE_LUCK_H

#include "loopfb/tune/tune.h"

/* How the time of the default depends on its place: the least and the greatest of its times, with
   the noise of runs, over the median. */
struct cab_tune_luck
{
  double low, high;
  int n;                         /* places; 0: none but one was measured */
};

/* Return how the default's time depends on its place: that of LOOP, or of the program if it is
   negative. */
struct cab_tune_luck cab_tune_luck_of (const struct cab_tune *tune, int loop);

#endif
