/* tune_race.h - race what the matrix suggests, and keep the hints that fresh runs prove.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_RACE_H
#define CAB_TUNE_RACE_H

#include "loopfb/tune/tune.h"

/* Race the candidates, and keep the hints that are proved. */
int cab_tune_races (struct cab_tune *tune);

#endif
