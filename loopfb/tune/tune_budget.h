/* tune_budget.h - how much may still be measured.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_BUDGET_H
#define CAB_TUNE_BUDGET_H

#include "loopfb/tune/tune.h"

/* Return how many more measurements the budget has room for; not negative. */
int cab_tune_room (const struct cab_tune *tune);
/* Return the measurements of the smallest matrix, with TRY as in the options. */
int cab_tune_least_matrix (const char *try, bool has_loops);
/* Return the fewest measurements of a whole tune that can find and prove a hint, with OPTIONS.  It
   is an upper bound before the loops are known, unless trials turn out to be impossible. */
int cab_tune_least (const struct cab_tune_options *options, bool has_loops);
/* Announce, once the default has run, how long the tune takes at least and at most.  Return
   negative, having said what to do, if the budget is too small for it. */
int cab_tune_announce (const struct cab_tune *tune);
/* Return the seconds that the measurements take for which the budget has room; negative if not
   known yet. */
double cab_tune_left_s (const struct cab_tune *tune);

#endif
