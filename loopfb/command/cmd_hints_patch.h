/* cmd_hints_patch.h - a hints file as a patch of the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each hint's loop is looked for in its source, below the working directory; the diff's
 *             names are relative to it, so `patch -p1' applies it there.  What cannot be done by a
 *             directive is listed with the reason.
 * Errors:     reported on stderr.
 */
#ifndef CAB_HINTS_PATCH_H
#define CAB_HINTS_PATCH_H

#include <stdio.h>
#include "loopfb/formats/hints.h"

/* Write HINTS as a patch to TO.  DIRS are N_DIRS further directories to look for sources in.
   Return an exit status; hints that are only listed do not change it. */
int cab_hints_patch (const struct cab_hints *hints, char *const *dirs, int n_dirs, FILE *to);

#endif
