/* libc_found.h - the few functions that only the C library can provide; see libc.h.
 *
 * Model:      they are found among the loaded libraries (symbols.h), so a function that the program
 *             defines under such a name is not called.  A static program calls what it is linked
 *             with.
 * Threads:    cab_libc_find runs before the others, in the first constructor.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_LIBC_FOUND_H
#define CAB_RT_LIBC_FOUND_H

#include <stdbool.h>

/* Find all of them.  Return false if one is missing. */
bool cab_libc_find (void);

/* Return where the C library keeps the offset of the kernel's area for restartable sequences from
   the thread pointer; null if it has none. */
const long *cab_libc_rseq_offset (void);

#endif
