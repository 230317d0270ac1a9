/* tune_tried.h - what the runs of a build with trials say of the loops of a tune.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_TRIED_H
#define CAB_TUNE_TRIED_H

#include "loopfb/tune/tune.h"

/* Note at each loop of NAMED why it is not tried in PROGRAM, the one with trials, where its records
   say that.  Return the number of named loops of which they say nothing. */
int cab_tune_tried_records (struct cab_tune *tune, const bool *named, const char *program);
/* Note at each loop of NAMED what the files in DIR say of it. */
void cab_tune_tried_read (struct cab_tune *tune, const bool *named, const char *dir);
/* Write into TEXT of BYTES bytes what the trials say of LOOP, and return TEXT. */
const char *cab_tune_tried_words (const struct cab_tune_loop *loop, char *text, size_t bytes);
/* Return the same as JSON; null of a loop that was not named. */
json_t *cab_tune_tried_json (const struct cab_tune_loop *loop);

#endif
