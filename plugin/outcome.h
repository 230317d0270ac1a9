/* outcome.h - what became of source loops, and where their code is.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_OUTCOME_H
#define CABPROF_OUTCOME_H

#include "loops.h"

/* Register what watches the passes; PLUGIN is the plugin's name.  At a link too. */
extern void cab_outcome_begin (const char *plugin);

#endif
