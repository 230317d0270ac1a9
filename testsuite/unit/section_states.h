/* section_states.h - tables of regions for tests of sections, and whether two states of `cache' are
 * the same.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_SECTION_STATES_H
#define CAB_TEST_SECTION_STATES_H

#include <stdbool.h>
#include "analyses/wire/regions.h"
#include "cabprof/analysis.h"

/* TEXT, which ends before END, as a table; it is to be freed. */
struct cab_regions *table_of (const char *text, const char *end);
/* Have both counted the same? */
bool same (const struct cab_arena *a, const struct cab_arena *b);
/* Do the caches of both have the same lines, used in the same order? */
bool same_caches (struct cab_arena *a, struct cab_arena *b);

#endif
