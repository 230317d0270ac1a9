/* tune_json.h - values of a tune as JSON, for its journal, its hints and its report.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  what is returned is a new reference, for the caller to release.
 */
#ifndef CAB_TUNE_JSON_H
#define CAB_TUNE_JSON_H

#include "loopfb/tune/tune.h"

/* Return RATIO with its interval as an object. */
json_t *cab_tune_ratio_json (const struct cab_ratio *ratio);
/* Set the member "unroll" of OBJECT and, where they are requested for, "vectorize", "registers",
   "align" and "prefetch". */
void cab_tune_request_json (json_t *object, struct cab_tune_request request);
/* Write ROOT, whose reference is taken, to PATH by a temporary name. */
int cab_tune_json_write (json_t *root, const char *path);
/* Return the members that identify LOOP. */
json_t *cab_tune_loop_json (const struct cab_tune_loop *loop);

#endif
