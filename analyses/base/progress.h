/* progress.h - how far long work is, on a terminal.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one line on standard error, which is gone when the work is done.  It comes after half
 *             a second and changes ten times a second at most; where standard error is no terminal,
 *             or TERM is `dumb', nothing is ever written.
 * Threads:    one at a time.
 */
#ifndef CAB_PROGRESS_H
#define CAB_PROGRESS_H

#include <stddef.h>

/* "cabprof: WHAT: DONE of OF".  OF 0: how much there is is not known. */
void cab_progress (const char *what, size_t done, size_t of);

/* The work is over, or something else is to be printed: the line goes. */
void cab_progress_end (void);

#endif
