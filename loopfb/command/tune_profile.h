/* tune_profile.h - the compiler's own profile (-fprofile-use) as a candidate of a tune.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one run of a build with probes of paths, which is not part of any comparison; its
 *             profile becomes DIR/gcda, which two candidates of the races are built with.
 */
#ifndef CAB_TUNE_PROFILE_H
#define CAB_TUNE_PROFILE_H

#include "loopfb/tune/tune.h"

/* Return the directory of the profile, DIR/gcda (free). */
char *cab_tune_profile_directory (const struct cab_tune *tune);
/* Make the profile and set tune->profile to the option that names it; or say why there is none.
   Return 0, or negative if the run failed or was interrupted. */
int cab_tune_profile (struct cab_tune *tune);

#endif
