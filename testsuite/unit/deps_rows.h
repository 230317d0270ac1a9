/* deps_rows.h - rows of the analysis `deps', and a model of it without a clock or a shadow.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TEST_DEPS_ROWS_H
#define CAB_TEST_DEPS_ROWS_H

#include "testsuite/unit/analysis_events.h"

/* Return event I as a row of the analysis: an access, or one of a loop. */
uint8_t deps_form (const struct events *e, size_t i);
/* Return the site of event I. */
uint32_t deps_site (const struct events *e, size_t i);
/* Add the rows of a state, and those that the first TO events must give. */
void rows_of_deps (struct rows *rows, const struct cab_arena *arena);
void expect_deps (struct rows *rows, const struct events *e, size_t to);

#endif
