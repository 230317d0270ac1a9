/* tune_rebuild.h - make variants by the user's own command, for builds that cannot be recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_REBUILD_H
#define CAB_TUNE_REBUILD_H

#include "loopfb/tune/tune.h"

/* Make VARIANT (-1: the default, in place) by the user's own command. */
int cab_tune_rebuild (struct cab_tune *tune, int variant);

#endif
