/* report_check.h - what a run with check-serializer has found: whether rows with different keys
 * depend on each other.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the process has kept, beside the parts of each state, one that got the rows of all
 *             parts.  If the key is right, its report is that of the merged parts.
 */
#ifndef CAB_REPORT_CHECK_H
#define CAB_REPORT_CHECK_H

#include "analyses/report/report.h"

/* Add to the problems of MODEL the first row in which the two reports of ANALYSIS differ, and the
   delegates that have a share of it.  Do nothing if the run was not checked. */
void cab_report_check (struct cab_model *model, const struct cab_analysis *analysis,
		       const struct cab_report_options *options);

#endif
