/* law_keys.h - which two events show that the key of an analysis is wrong, for law_check.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the first rows of the first ring are kept.  The second event is that with which the
 *             reports of one state and of the merged parts begin to differ; the first is the last
 *             one that it needs before it, of another part.  Both are found by bisection.
 * Threads:    one check in a process.
 */
#ifndef CAB_LAW_KEYS_H
#define CAB_LAW_KEYS_H

#include "cabprof/analysis.h"

/* Keep the rows of BATCH, which RING's state of ANALYSIS gets, if there is room. */
void cab_law_keys_note (const void *ring, const struct cab_analysis *analysis,
			const struct cab_batch *batch);
/* Keep no more rows of RING: those of another thread follow. */
void cab_law_keys_stop (const void *ring);

/* Return the two events in words (free), or null if the rows kept do not show that N_PARTS parts
   differ from one state. */
char *cab_law_keys_pair (const void *ring, const struct cab_analysis *analysis, uint32_t n_parts);

#endif
