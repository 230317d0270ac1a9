/* tune_restore.h - replace the wrappers' paths in files that the build has written.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_RESTORE_H
#define CAB_TUNE_RESTORE_H

#include "loopfb/tune/tune.h"

/* Make files that the build has written, and that name our wrappers, name the real tools again
  . */
void cab_tune_restore (const struct cab_tune *tune);

#endif
