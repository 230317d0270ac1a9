/* tune_hints.h - write hints files.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_HINTS_H
#define CAB_TUNE_HINTS_H

#include "loopfb/tune/tune.h"

/* Write a hints file with the factors of VARIANT to PATH. */
int cab_tune_hints_write (const struct cab_tune *tune, int variant, const char *path,
			  bool with_reasons);

#endif
