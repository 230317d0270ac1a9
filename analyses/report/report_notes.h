/* report_notes.h - why a report has nothing to show, and the remarks that its numbers need.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  texts are constant, or live in the model.
 */
#ifndef CAB_REPORT_NOTES_H
#define CAB_REPORT_NOTES_H

#include "analyses/report/report.h"

/* Return why MODEL has nothing for REPORT as OPTIONS ask for it, "there are no ...: do ...", or
   null.  REPORT is null for one that is an analysis's own; OF_LEVEL says that the user named the
   level. */
const char *cab_report_lacks (struct cab_model *model, const struct cab_report *report,
			      const struct cab_report_options *options, bool of_level);

/* Return how many accesses the filters of the compilation left out, in words; null if none. */
const char *cab_report_left_out (struct cab_model *model);

/* Return the remarks on the table of REPORT, joined, or null.  REPORT is null for one that is an
   analysis's own; OWN is the table's own remark, or null. */
const char *cab_report_note (struct cab_model *model, const struct cab_report *report,
			     const struct cab_report_options *options, const char *own);

#endif
