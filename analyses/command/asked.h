/* asked.h - whether the runtime would take what a run is asked for, known before anything runs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     0, or -1 with words in DIAG, those of the runtime.
 */
#ifndef CAB_ASKED_H
#define CAB_ASKED_H

#include "cabprof/analysis.h"

/* A list of analyses with their arguments (choice.h); FULL, of CAB_CHOICE_FULL_BYTES, or null: that
   list as the runtime would settle it. */
int cab_asked_analyses (const char *list, char *full, struct cab_diag *diag);
/* CABPROF_OPTIONS (rt/common/options.h). */
int cab_asked_options (const char *text, struct cab_diag *diag);

#endif
