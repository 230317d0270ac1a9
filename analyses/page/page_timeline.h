/* page_timeline.h - the timeline of calls in the page.
 *
 * Shapes:     { n, left_out, shorter_ns, first_ns, whole_ns, part_ns, remark,
 *             functions: [[name, file, line]], threads: [{ process, tid, name, depth, most,
 *             percent }], and by activation, in the order of threads and begins: thread, depth,
 *             function, begin, duration, self, end }.  functions: of an activation -1 if unknown;
 *             end: 0 returned, 1 left, 2 open, 3 began before the record.  most and percent: of a
 *             thread, by part of the whole time, part_ns long, the function that had most of it, -1
 *             if none, and how much that was (page_strips.h).
 * Units:      ns; begin after first_ns, which is of CLOCK_MONOTONIC.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PAGE_TIMELINE_H
#define CAB_PAGE_TIMELINE_H

#include <jansson.h>
#include "analyses/report/report.h"

/* Return the timeline of MODEL with its LIMIT longest activations (0: all), which includes all that
   they are in; null in JSON if there is none. */
json_t *cab_page_timeline (struct cab_model *model, size_t limit);

#endif
