/* trial_dispatch.h - the code that trials add to functions.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_LOOPS_TRIAL_DISPATCH_H
#define CABPROF_LOOPS_TRIAL_DISPATCH_H

#include "plugin/loops/trials.h"

/* Turn NODE, of which copies exist, into their dispatcher.  FIRST is one of
   them. */
extern void cab_trial_dispatch (cgraph_node *node, cgraph_node *first,
				const struct cab_tried *tried);
/* Let cfun, which is the copy that counts, count iterations of the loops of TRIED. */
extern void cab_trial_count (const struct cab_tried *tried);
/* Let LOOP of cfun count its iterations as those of the only loop of TRIED. */
extern void cab_trial_count_loop (const struct cab_tried *tried, class loop *loop);
/* Ask in front of LOOP of cfun which of its copies is to be executed, and tell behind each of its
   EXITS that it has been.  Return the number of the copy, an SSA name, and store that of the frame
   in *FRAME. */
extern tree cab_trial_ask (const struct cab_tried *tried, class loop *loop, const vec<edge> &exits,
			   tree *frame);
/* Let the time of COPY, a loop of cfun, count from its beginning on.  FRAME is that of
   cab_trial_ask. */
extern void cab_trial_start (const struct cab_tried *tried, class loop *copy, tree frame);

#endif
