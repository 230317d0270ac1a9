/* context_coverage.h - which translation units record accesses without contexts.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_CONTEXT_COVERAGE_H
#define CAB_CONTEXT_COVERAGE_H

#include "analyses/profile/model.h"

/* The number of translation units that record accesses and allocations, and of those among them
   that were compiled without "context". */
struct cab_contextless
{
  uint32_t n, without;
};

/* Count all units of INFO. */
void cab_context_coverage_info (struct cab_contextless *units, struct cab_info *info);

/* Return a note on such units to show with contexts, in NAMES, or null if none is needed. */
const char *cab_context_coverage_text (struct cab_names *names,
				       const struct cab_contextless *units);

/* Set UNITS to the counts over all units of a profile. */
void cab_model_contextless (const struct cab_model *model, struct cab_contextless *units);

/* Return the note on the units of MODEL, or null if none is needed. */
const char *cab_model_contextless_text (struct cab_model *model);

#endif
