/* law_report.h - what law_check.c compares: reports as text, with numbers in the place of names;
 * and the map of a process onto itself.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads:    one check in a process.
 * Ownership:  texts are the caller's; the map and the arguments belong to this file.
 */
#ifndef CAB_LAW_REPORT_H
#define CAB_LAW_REPORT_H

#include "cabprof/analysis.h"

/* Remember which functions, sites and accesses BATCH has, and what FUNCTIONS, which may be null,
   says of its functions. */
void cab_law_note (const struct cab_batch *batch, const struct cab_functions *functions);
/* All that was noted, onto itself. */
const struct cab_idmap *cab_law_map (void);

/* The arguments that the analysis gets. */
void cab_law_set_arguments (const char *arguments);
const char *cab_law_arguments (void);

/* The rows of the report of ANALYSIS on STATE, sorted; null: it has no report. */
char *cab_law_report (const struct cab_analysis *analysis, const struct cab_arena *state);

#endif
