/* profile_writer.h - writes a profile by hand, without the runtime, for golden and hostile tests.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      two processes. 101 ended; 102 was killed, and its ring still holds events. Functions
 *             in C, C++ and Fortran, one of them of two builds, one without a record; a callback
 *             through qsort; a recursion; two threads.
 * Errors:     negative if DIR cannot be written.
 */
#ifndef PROFILE_WRITER_H
#define PROFILE_WRITER_H

/* Write the profile into DIR, which is made, as is DIR/modules. */
int write_profile (const char *dir);
/* Write a profile of accesses to memory (memory_writer.c). CACHES has all arguments of the analysis
   `cache', in their canonical form. */
int write_memory_profile (const char *dir, const char *caches);

#endif
