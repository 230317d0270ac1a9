/* section_states.h - tables of regions for tests of sections, and comparisons of two states of
 * `cache'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_SECTION_STATES_H
#define CAB_TEST_SECTION_STATES_H

#include <stdbool.h>
#include "analyses/wire/regions.h"
#include "cabprof/analysis.h"

/* Return TEXT, which ends before END, as a table; the caller frees it. */
struct cab_regions *table_of (const char *text, const char *end);
/* Return true if both have counted the same. */
bool same (const struct cab_arena *a, const struct cab_arena *b);
/* Return true if the caches of both have the same lines, used in the same order. */
bool same_caches (struct cab_arena *a, struct cab_arena *b);

#endif
