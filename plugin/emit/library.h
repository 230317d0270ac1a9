/* library.h - what is known of functions that libraries have and whose code is not seen.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      pure C, no GCC header: a table of names and patterns.
 */
#ifndef CAB_LIBRARY_H
#define CAB_LIBRARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Return the class of the function with assembler name NAME, or null if it is not in the table:
   "io" (input and output), "allocation" (allocates or releases memory), "state" (the result depends
   on calls before it, as with rand), "known" (it does nothing but what its arguments say). */
extern const char *cab_library_class (const char *name);

#ifdef __cplusplus
}
#endif

#endif
