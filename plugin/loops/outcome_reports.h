/* outcome_reports.h - what a pass reports about loops.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_OUTCOME_REPORTS_H
#define CAB_OUTCOME_REPORTS_H

#include "plugin/loops/outcome.h"

/* Start to collect what PASS, which is about to run, reports about loops. */
extern void cab_told_begin (opt_pass *pass);
/* Expect reports about LOOP, whose source loop is SOURCE. */
extern void cab_told_expect (class loop *loop, const cab_loop_source *source);
/* Evaluate the reports; the pass has run. */
extern void cab_told_end (void);

#endif
