/* progress.h - progress of long work, on a terminal.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one line on standard error, which is erased when the work is done.  It appears after
 *             half a second and changes ten times a second at most; where standard error is no
 *             terminal, or TERM is `dumb', nothing is ever written.
 * Threads:    one at a time.
 */
#ifndef CAB_PROGRESS_H
#define CAB_PROGRESS_H

#include <stddef.h>

/* Show "cabprof: WHAT: DONE of OF"; OF is 0 where the total is not known. */
void cab_progress (const char *what, size_t done, size_t of);

/* Erase the line, because the work is over or something else is to be printed. */
void cab_progress_end (void);

#endif
