/* records.h - copies a module's .cabprof_info section into the profile.
 *
 * Model:      ELF64, little endian, read by pread; every field is treated as hostile.
 * Threads:    under the runtime's lock (a static buffer); other processes may copy the same module
 *             at the same time: each writes a name of its own and links it.
 * Errors:     -errno, with words in *WRONG where the errno alone would not say enough; no temporary
 *             file is left.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_RECORDS_H
#define CAB_RT_RECORDS_H

#include <errno.h>

/* A name in the profile, of one of its directories or of the copy, holds a link or something that
   is not this user's: nothing was written, and *WRONG says what it is. */
#define CAB_RECORDS_REFUSED (-ELOOP)

/* Copy the section from the ELF file FD to DIR/modules/KEY.info, unless that exists.  Return 0 or
   -errno. */
int cab_records_copy (int fd, const char *dir, const char *key, const char **wrong);

#endif
