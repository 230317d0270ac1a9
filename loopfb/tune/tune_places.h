/* tune_places.h - measure builds at other places in memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      where code lies changes its time, often by more than a hint does.  So each round of a
 *             race or a proof runs builds that are linked again, with padding in front of their hot
 *             objects that is drawn anew (replay_pad.h): a gain counts if it holds over places, and
 *             its interval is over them.  Links take at most as long, in all, as the runs: after
 *             that the last place stays.  What is installed has no padding.
 * Errors:     where code cannot be moved, all is measured at the place that the linker gives it,
 *             and tune->no_places says why.
 */
#ifndef CAB_TUNE_PLACES_H
#define CAB_TUNE_PLACES_H

#include "loopfb/tune/tune.h"

/* Find out whether code can be moved. */
void cab_tune_places_begin (struct cab_tune *tune);
/* Return the place for the next round. */
int cab_tune_places_next (struct cab_tune *tune);
/* Put variant V, which is built, at PLACE (0: as the linker puts it).  Return 0, negative after
   saying why not, or CAB_INTERRUPTED. */
int cab_tune_place (struct cab_tune *tune, int v, int place);

#endif
