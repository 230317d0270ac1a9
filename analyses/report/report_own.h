/* report_own.h - the report that an analysis has itself: all of a user's own, and some of those
 * that cabprof brings.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  TABLE belongs to the caller (cab_table_fini); its texts to the model's names.
 */
#ifndef CAB_REPORT_OWN_H
#define CAB_REPORT_OWN_H

#include "analyses/report/report.h"

/* Return why ANALYSIS has nothing to report from MODEL, or null. */
const char *cab_report_own_lacks (struct cab_model *model, const struct cab_analysis *analysis);
/* Fill TABLE with what the analysis's hook writes.  Return a negative code if the hook broke the
   contract; DIAG says how. */
int cab_report_own (struct cab_model *model, const struct cab_analysis *analysis,
		    const struct cab_report_options *options, struct cab_table *table,
		    struct cab_diag *diag);
/* The same from STATE in place of the model's. */
int cab_report_own_of (struct cab_model *model, const struct cab_analysis *analysis,
		       const struct cab_arena *state, const struct cab_report_options *options,
		       struct cab_table *table, struct cab_diag *diag);

#endif
