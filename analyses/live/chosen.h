/* chosen.h - the analyses of a run, by the list that it is asked for.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      the runtime chooses by it when the program begins, and the command asks by it whether
 *             the runtime would, before anything runs.  Analyses of the user's own are loaded.
 *             Some names are of a purpose, and stand for the analyses that tell it (`layout').
 * Shapes:     each analysis once, with its arguments as its states get them (settled).
 * Errors:     0, or -1 with words in DIAG.
 */
#ifndef CAB_CHOSEN_H
#define CAB_CHOSEN_H

#include <stdbool.h>
#include "analyses/live/choice.h"
#include "cabprof/analysis.h"

#define CAB_CHOSEN_MOST 8

struct cab_chosen
{
  uint32_t n;
  bool settled;                 /* the list that was given does not say all this by itself: its
				   names or arguments stand for others */
  struct
  {
    const struct cab_analysis *analysis;
    char arguments[sizeof ((struct cab_choice *) 0)->arguments];
  } v[CAB_CHOSEN_MOST];
};

/* Does ANALYSIS take ARGUMENTS?  Asked of a state that is thrown away, in memory of whoever
   asks. */
typedef int cab_chosen_try (const struct cab_analysis *analysis, const char *arguments,
			    struct cab_diag *diag);

/* Those of the list NAMES (choice.h; null or empty: the default), and the tree, if one of them
   wants its nodes. */
int cab_chosen_take (struct cab_chosen *chosen, const char *names, cab_chosen_try *try,
		     struct cab_diag *diag);
/* One more; one that is there already, without arguments, changes nothing. */
int cab_chosen_add (struct cab_chosen *chosen, const struct cab_choice *choice, cab_chosen_try *try,
		    struct cab_diag *diag);
bool cab_chosen_has (const struct cab_chosen *chosen, const struct cab_analysis *analysis);

/* The list of CHOSEN, with all arguments: profiles have names and arguments as this says them. */
void cab_chosen_text (const struct cab_chosen *chosen, char *text, size_t bytes);

/* -1; the words "analysis 'NAME" WRONG, and all names that there are. */
int cab_chosen_refuse (const char *name, const char *wrong, struct cab_diag *diag);

#endif
