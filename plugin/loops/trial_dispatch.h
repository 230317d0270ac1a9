/* trial_dispatch.h - the code that trials add to functions.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_LOOPS_TRIAL_DISPATCH_H
#define CABPROF_LOOPS_TRIAL_DISPATCH_H

#include "plugin/loops/trials.h"

/* Turn NODE, of which copies exist, into their dispatcher.  FIRST is one of them. */
extern void cab_trial_dispatch (cgraph_node *node, cgraph_node *first,
				const struct cab_tried *tried);
/* Let cfun, which is the copy that counts, count iterations of the loops of TRIED. */
extern void cab_trial_count (const struct cab_tried *tried);

#endif
