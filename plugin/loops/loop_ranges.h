/* loop_ranges.h - the ranges of code that belong to source loops.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOP_RANGES_H
#define CAB_LOOP_RANGES_H

#include "plugin/loops/outcome.h"

/* Mark the ranges of cfun's code. */
extern void cab_ranges_mark (void);
/* Write all ranges to OUT. */
extern void cab_ranges_write (FILE *out);

#endif
