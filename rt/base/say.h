/* say.h - the runtime's one way to speak.
 *
 * Model:      no stdio: it allocates, takes locks, and belongs to the program.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SAY_H
#define CAB_RT_SAY_H

/* Write one line to standard error, in one write: cabprof: WHAT: WRONG[: words of ERROR][; TODO].
   ERROR is an errno or 0; TODO may be null. */
void cab_say (const char *what, const char *wrong, int error, const char *todo);

#endif
