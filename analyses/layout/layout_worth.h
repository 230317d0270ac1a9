/* layout_worth.h - what a proposed layout saves, and whether it is worth the work.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a visit is one use of an instance in a loop, or in the rest of a function.  The
 *             members that a loop uses bring in the cache lines that they lie in, each line as
 *             often as the most used of them.  Instances begin at all places of a line at which an
 *             array of them has some.  Instances smaller than a line share lines, as if they were
 *             used in order; others do not, as in a list.  Nothing stays in the cache between
 *             visits, so lines are an upper bound of misses.  Each use of a member that takes
 *             several lines is of one line.  A use of the part that was split off also reads the
 *             pointer to it.
 * Rule:       a proposal holds if the structure has at least CAB_LAYOUT_FEW accesses, if its known
 *             instances (layout_instances.h) take at least CAB_WORTH_BYTES, and if a pass through
 *             all of them touches at least CAB_WORTH_BYTES of lines less than before, which must be
 *             a share of CAB_WORTH_ORDER of all its lines; CAB_WORTH_SPLIT for a split or arrays,
 *             which change each use in the source.  Another order may save as much memory instead.
 * Units:      lines of CAB_LAYOUT_LINE bytes; bytes; shares of 1.
 */
#ifndef CAB_LAYOUT_WORTH_H
#define CAB_LAYOUT_WORTH_H

#include "analyses/layout/layout.h"

/* The least number of bytes, of instances and of lines saved, for a proposal. */
#define CAB_WORTH_BYTES 1024
/* The least share of lines or memory saved with which another order is proposed. */
#define CAB_WORTH_ORDER 0.1
/* The least share of lines saved with which a split or arrays are proposed. */
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
