/* layout_worth.h - is a proposed layout worth the work, and what does it save?
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a visit is one use of an instance in a loop, or in the rest of a function.  The
 *             members that a loop uses bring the cache lines that they lie in, each line as often
 *             as the most used of them.  Instances begin at all places of a line that an array of
 *             them has. Those smaller than a line share lines, as if they were used in order;
 *             others do not, as in a list.  Nothing stays in the cache between visits: lines are
 *             an upper bound of misses.  Of a member that takes several lines, each use is of
 *             one.  A use of the part that was split off also reads the pointer to it.
 * Rule:       a proposal stands if the structure has CAB_LAYOUT_FEW accesses, if its known
 *             instances (layout_instances.h) take CAB_WORTH_BYTES, and if a pass through all of
 *             them touches CAB_WORTH_BYTES of lines less than before, which is a share of
 *             CAB_WORTH_ORDER of all its lines; CAB_WORTH_SPLIT for a split or arrays, which
 *             change each use in the source. Another order may save as much memory instead.
 * Units:      lines of CAB_LAYOUT_LINE bytes; bytes; shares of 1.
 */
#ifndef CAB_LAYOUT_WORTH_H
#define CAB_LAYOUT_WORTH_H

#include "analyses/layout/layout.h"

#define CAB_WORTH_BYTES 1024
#define CAB_WORTH_ORDER 0.1
#define CAB_WORTH_SPLIT 0.25

/* Take back the proposals of LAYOUTS that are not worth it and set `why' to the reason.  Set
   `saves' of the others. */
void cab_layouts_judge (struct cab_layouts *layouts);

/* Return true if LAYOUT keeps its order because no more instances of it are known. */
bool cab_layout_needs_instances (const struct cab_layout *layout);

/* Return SAVES of LAYOUT in words that the caller frees; null if it was not judged. */
char *cab_layout_saves_words (const struct cab_layout *layout,
			      const struct cab_layout_saves *saves);

#endif
