/* directory.h - the directory of a profile, opened so that nobody can redirect the process
 * elsewhere.
 *
 * Model:      directories above the profile's are the user's choice, and may be links.  The
 *             profile's own directory and all that lies in it are opened relative to a descriptor,
 *             without following a link, and only if they belong to the effective user of the
 *             process at its start, root included.  So what somebody else puts there is refused,
 *             and never written through.
 * Threads:    cab_directory_start once, before any other call; the others at any time.
 * Errors:     a descriptor, or -errno.  Where the name holds something else, *WRONG says what, and
 *             is null where the errno says enough.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DIRECTORY_H
#define CAB_RT_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

#define CAB_MODULES_DIRECTORY "modules"

/* Record who owns what this process writes: the effective user at this moment. */
void cab_directory_start (void);

/* Open directory NAME in directory AT.  MAKE: create it where there is none. */
int cab_directory_enter (int at, const char *name, bool make, const char **wrong);

/* Open the directory that the path DIR lies in.  *NAME becomes DIR's last component, a part of
   DIR. */
int cab_directory_parent (const char *dir, const char **name);

/* Open DIR, a directory of a profile. */
int cab_directory_open (const char *dir, const char **wrong);

/* Open regular file NAME in directory AT for reading. */
int cab_directory_file (int at, const char *name, const char **wrong);

/* Open the copy of the records of the module with key KEY, in the profile DIR, for reading. */
int cab_directory_records (const char *dir, const char *key, const char **wrong);

#endif
