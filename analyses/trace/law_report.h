/* law_report.h - what law_check.c compares: reports as text, with numbers in place of names; and
 * the map of a process to itself.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads:    one check in a process.
 * Ownership:  texts are the caller's; the map and the arguments belong to this file.
 */
#ifndef CAB_LAW_REPORT_H
#define CAB_LAW_REPORT_H

#include "cabprof/analysis.h"

/* Record which functions, sites and accesses BATCH has, and what FUNCTIONS, which may be null, says
   of its functions. */
void cab_law_note (const struct cab_batch *batch, const struct cab_functions *functions);
/* Return a map of all recorded numbers to themselves. */
const struct cab_idmap *cab_law_map (void);

/* Set the arguments that the analysis gets. */
void cab_law_set_arguments (const char *arguments);
/* Return these arguments, or "". */
const char *cab_law_arguments (void);

/* Return the rows of the report of ANALYSIS on STATE, sorted, as a text; null: it has no report. */
char *cab_law_report (const struct cab_analysis *analysis, const struct cab_arena *state);

#endif
