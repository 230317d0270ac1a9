/* tune_report.h - report what a tune has found: DIR/loops.json, and a summary for the terminal.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_REPORT_H
#define CAB_TUNE_REPORT_H

#include "loopfb/tune/tune.h"

/* Write DIR/loops.json. */
int cab_tune_report (struct cab_tune *tune);
/* Return every race, with its figures and its outcome. */
json_t *cab_tune_races_json (const struct cab_tune *tune);
/* Print what was measured and what was kept. */
void cab_tune_summary (const struct cab_tune *tune);

#endif
