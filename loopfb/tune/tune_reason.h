/* tune_reason.h - why a loop has its hint, or none.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_REASON_H
#define CAB_TUNE_REASON_H

#include "loopfb/tune/tune.h"

#define CAB_TUNE_REASON_BYTES 600   /* enough for every reason */

/* Return true if LOOP is in the matrix. */
bool cab_tune_is_known (const struct cab_tune *tune, int loop);
/* Return the hint of LOOP that was kept. */
struct cab_tune_request cab_tune_kept_request (const struct cab_tune *tune, int loop);
/* Write why LOOP has its hint or none into TEXT of BYTES bytes, unless that is a constant text;
   return the reason. */
const char *cab_tune_reason (const struct cab_tune *tune, int loop, char *text, size_t bytes);

#endif
