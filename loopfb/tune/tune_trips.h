/* tune_trips.h - count how often the tuned loops iterate.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_TRIPS_H
#define CAB_TUNE_TRIPS_H

#include "loopfb/tune/tune.h"

/* Count how often loops iterate, if there is room for it. */
int cab_tune_trips (struct cab_tune *tune);

#endif
