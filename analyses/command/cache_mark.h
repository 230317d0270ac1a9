/* cache_mark.h - a stage of a pipe: rows of a trace in, the same rows with the level that each
 * access hit out.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      one state of the caches for all threads and processes, in the order of the rows.  A
 *             range, and what is longer than a line of D1, is an access to each line that it
 *             touches, as in the analysis `cache'; its level is that of the line that had to be
 *             fetched from farthest.
 */
#ifndef CAB_CACHE_MARK_H
#define CAB_CACHE_MARK_H

#include "cabprof/cachesim.h"

/* From the trace PATH to standard output; the exit status. */
int cab_cache_mark (struct cab_cachesim *sim, const struct cab_cachesim_config *config,
		    const char *path);

#endif
