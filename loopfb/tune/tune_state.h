/* tune_state.h - the journal of a tune, kept for `--resume'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_STATE_H
#define CAB_TUNE_STATE_H

#include "loopfb/tune/tune.h"

/* Save the journal as state.json. */
int cab_tune_state_save (const struct cab_tune *tune);
/* Load the journal and the options of an interrupted tune. */
int cab_tune_state_load (struct cab_tune *tune);

#endif
