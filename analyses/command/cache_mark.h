/* cache_mark.h - a stage of a pipe that reads the rows of a trace and writes them with the level
 * that each access hit.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one state of the caches for all threads and processes, in the order of the rows.  A
 *             range, and an access longer than a line of D1, becomes an access to each line that it
 *             touches, as in the analysis `cache'.  Its level is that of the line that was fetched
 *             from farthest away.
 */
#ifndef CAB_CACHE_MARK_H
#define CAB_CACHE_MARK_H

#include "cabprof/cachesim.h"

/* Mark the trace in PATH and write it to standard output.  Return the exit status. */
int cab_cache_mark (struct cab_cachesim *sim, const struct cab_cachesim_config *config,
		    const char *path);

#endif
