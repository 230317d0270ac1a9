/* chosen.h - whether the runtime would take what a run is asked for, known before anything runs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      asks the same parsers and the same analyses as the runtime; analyses of the user's own are loaded for it.
 * Errors:     0, or -1 with words in DIAG, those of the runtime.
 */
#ifndef CAB_CHOSEN_H
#define CAB_CHOSEN_H

#include "cabprof/analysis.h"

/* A list of analyses with their arguments (choice.h). */
int cab_chosen_analyses (const char *list, struct cab_diag *diag);
/* CABPROF_OPTIONS (rt/options.h). */
int cab_chosen_options (const char *text, struct cab_diag *diag);

#endif
