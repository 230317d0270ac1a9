/* selection.h - the analyses of a run, from the list that was asked for.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      The runtime uses it to choose analyses when the program begins, and the command uses
 *             it to check, before anything runs, that the runtime would accept the list.  Analyses
 *             of the user's own are loaded.  Some names are those of a purpose, and stand for the
 *             analyses that serve it (`layout').
 * Shapes:     each analysis once, with its arguments as its states get them (settled).
 * Errors:     0, or -1 with words in DIAG.
 */
#ifndef CAB_SELECTION_H
#define CAB_SELECTION_H

#include <stdbool.h>
#include "analyses/live/choice.h"
#include "cabprof/analysis.h"

#define CAB_SELECTION_MOST 8

/* The analyses of a run, in the order in which they were added. */
struct cab_selection
{
  uint32_t n;
  bool settled;                 /* the list that was given does not say all this by itself: some of
				   its names or arguments stand for others */
  struct
  {
    const struct cab_analysis *analysis;
    char arguments[sizeof ((struct cab_choice *) 0)->arguments];
  } v[CAB_SELECTION_MOST];
};

/* Open a state of ANALYSIS with ARGUMENTS, in memory of the caller's, and throw it away.  Return 0,
   or -1 with words in DIAG if the analysis does not take them. */
typedef int cab_selection_try (const struct cab_analysis *analysis, const char *arguments,
			       struct cab_diag *diag);

/* The analyses of a run that reads only some events, if no list is given, and the one that runs
   beside any. */
#define CAB_SELECTION_BURSTS "calls+paths+accesses"
#define CAB_SELECTION_ESTIMATES "estimates"

/* Fill CHOSEN with the analyses of the list NAMES (choice.h; null or empty: the default), and with
   the tree and the levels if one of them wants these.  BURSTS: only some events are read, so
   analyses that need all are refused, and one that knows how sure the counts are is added.  TRY
   checks the arguments of each. */
int cab_selection_take (struct cab_selection *chosen, const char *names, bool bursts,
			cab_selection_try *try, struct cab_diag *diag);
/* Add CHOICE to CHOSEN.  An analysis that is there already, given again without arguments, changes
   nothing. */
int cab_selection_add (struct cab_selection *chosen, const struct cab_choice *choice,
		       cab_selection_try *try, struct cab_diag *diag);
/* Return true if ANALYSIS is in CHOSEN. */
bool cab_selection_has (const struct cab_selection *chosen, const struct cab_analysis *analysis);

/* Write the list of CHOSEN, with all arguments, to TEXT of BYTES bytes.  Profiles hold names and
   arguments in this form. */
void cab_selection_text (const struct cab_selection *chosen, char *text, size_t bytes);

/* Write to DIAG "analysis 'NAME" WRONG, and the names that a list may have without files of the
   user's own.  Return -1. */
int cab_selection_refuse (const char *name, const char *wrong, struct cab_diag *diag);

#endif
