/* diff_memory.h - accesses to memory, and misses in simulated caches, of two profiles side by side,
 * by variable and function.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      accesses are matched by the name of the memory in the source, within a pair of
 *             functions (match.h); not by line, since lines move.
 * Ownership:  rows are the caller's, to be freed; their texts live in the models.
 */
#ifndef CAB_DIFF_MEMORY_H
#define CAB_DIFF_MEMORY_H

#include "analyses/report/diff_rows.h"

/* A variable in a pair of functions, with its counts in both profiles. */
struct cab_diff_count
{
  uint32_t pair;            /* index in match->pairs */
  const char *variable;
  uint64_t count[2];
};

/* Return true if MODEL has such counts. */
bool cab_diff_has_memory (const struct cab_model *model, enum cab_diff_kind what);
/* Return why the counts of A and B, which both have some, cannot be compared; null if they can. */
const char *cab_diff_unlike (const struct cab_model *a, const struct cab_model *b,
			     enum cab_diff_kind what);
/* Return a row for each variable in a pair of functions, and set *N to the number of rows. */
struct cab_diff_count *cab_diff_memory (const struct cab_match *match, enum cab_diff_kind what,
					size_t *n);

#endif
