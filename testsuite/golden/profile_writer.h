/* profile_writer.h - writes a profile by hand, without the runtime: what golden and hostile tests
 * read.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      two processes.  101 ended; 102 was killed, and its ring still holds events.
 *             Functions in C, C++ and Fortran, one of them of two builds, one without a record; a
 *             callback through qsort; a recursion; two threads.
 * Errors:     negative if DIR cannot be written.
 */
#ifndef PROFILE_WRITER_H
#define PROFILE_WRITER_H

/* Into DIR, which is made; DIR/modules too. */
int write_profile (const char *dir);
/* One of accesses to memory: memory_writer.c.  CACHES: all arguments of the analysis `cache', as
   they are settled. */
int write_memory_profile (const char *dir, const char *caches);

#endif
