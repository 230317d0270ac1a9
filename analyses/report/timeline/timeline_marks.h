/* timeline_marks.h - which activations of a timeline an export has.
 *
 * Model:      whether an activation is long enough is known when it has ended, but some formats
 *             need its begin before: so a first walk marks those, and a second one writes them.
 * Ownership:  cab_timeline_marks_fini frees the marks.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TIMELINE_MARKS_H
#define CAB_TIMELINE_MARKS_H

#include "analyses/report/timeline/timeline_filter.h"

struct cab_timeline_marks
{
  unsigned char *bits;     /* by number of the activation; null: all are marked */
  uint64_t n;              /* room, in activations */
  uint64_t longer_ns;
  uint64_t n_left_out;
};

/* Mark the activations of MODEL that took LONGER_NS or more. */
void cab_timeline_mark (struct cab_timeline_marks *marks, const struct cab_model *model,
			uint64_t longer_ns);
/* Return true if SPAN is marked. */
bool cab_timeline_is_marked (const struct cab_timeline_marks *marks, const struct cab_timed *span);
void cab_timeline_marks_fini (struct cab_timeline_marks *marks);

#endif
