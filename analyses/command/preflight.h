/* preflight.h - check the options of a run as the runtime would, before anything runs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     0, or -1 with the runtime's own words in DIAG.
 */
#ifndef CAB_PREFLIGHT_H
#define CAB_PREFLIGHT_H

#include "cabprof/analysis.h"

/* Check LIST, a list of analyses with their arguments (choice.h).  FULL is null, or has
   CAB_CHOICE_FULL_BYTES and receives the list as the runtime would settle it. */
int cab_preflight_analyses (const char *list, char *full, struct cab_diag *diag);
/* Check TEXT, the value of CABPROF_OPTIONS (rt/common/options.h). */
int cab_preflight_options (const char *text, struct cab_diag *diag);

#endif
