/* trial_text.h - what trials add to the assembler's text.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_LOOPS_TRIAL_TEXT_H
#define CABPROF_LOOPS_TRIAL_TEXT_H

#include "plugin/loops/trials.h"

/* Write the data of all trials to OUT, and the code that the dispatchers call. */
extern void cab_trials_write (FILE *out);

#endif
