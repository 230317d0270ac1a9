/* trial_beside.h - loops that are copied side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_LOOPS_TRIAL_BESIDE_H
#define CABPROF_LOOPS_TRIAL_BESIDE_H

#include "plugin/loops/trials.h"

/* Let the named loops of DECL be copied side by side, as the function cannot take turns; WORD and
   WORDS are why, as those of cab_trial_refuse.  NESTED: only those inside other loops are tried, as
   the function is executed once. */
extern void cab_trial_beside (tree decl, bool nested, const char *word, const char *words);
/* Return the pass that makes the copies. */
extern opt_pass *cab_trial_beside_pass (void);

#endif
