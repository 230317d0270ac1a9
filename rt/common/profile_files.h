/* profile_files.h - what a profile's directory holds, and how an old profile is removed.
 *
 * Model:      files of a profile: parts, records, run, meta.json, samples.json, loops.json,
 *             trials, and the temporary names of these; regular files only.  Everything else
 *             is foreign.  The directories tune and tune.old belong to `cabprof tune'.
 * Threads:    no state.
 * Errors:     what cannot be examined is no file of a profile; what cannot be removed stays.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_PROFILE_FILES_H
#define CAB_RT_PROFILE_FILES_H

#include <stdbool.h>

/* Call VISIT for each entry of the directory FD until it returns nonzero.  Return that value, or
   0. */
int cab_profile_each (int fd, int (*visit) (int fd, const char *name));

/* Return true if NAME is the name of a part. */
bool cab_profile_is_part (const char *name);

/* Return true if the directory FD holds nothing but files of a profile and, if TUNE, the
   directories of `cabprof tune'. */
bool cab_profile_is_all (int fd, bool tune);

/* Remove the profile in the directory FD, which is NAME in PARENT, and the directory itself if
   nothing else is in it. */
void cab_profile_remove (int parent, int fd, const char *name);

#endif
