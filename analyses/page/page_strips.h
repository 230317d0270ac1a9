/* page_strips.h - what each thread spent its time in, in equal parts of the whole: the timeline
 * from afar, which has the calls that are too short to be in the page, too.
 *
 * Shapes:     a part has the function that had most of it, by itself, without what it called.
 * Units:      ns of CLOCK_MONOTONIC.
 * Ownership:  the strips are the caller's, until cab_strips_fini.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PAGE_STRIPS_H
#define CAB_PAGE_STRIPS_H

#include "analyses/report/timeline/timeline_walk.h"

/* The parts of all strips together, and of one, at most and at least. */
#define CAB_STRIPS_PARTS 65536u
#define CAB_STRIPS_MOST 4096u
#define CAB_STRIPS_LEAST 128u

struct cab_strip
{
  uint32_t process, thread;
  const struct cab_function **function;   /* by part; null: none, or not known */
  unsigned char *percent;                 /* how much of the part it had */
};

struct cab_strips
{
  uint32_t n_parts, n;
  uint64_t first_ns, part_ns;
  struct cab_strip *strips;               /* in the order of processes and threads */
};

/* Make the strips of MODEL's timeline, whose walk had SUMS. */
void cab_strips_init (struct cab_strips *strips, const struct cab_model *model,
		      const struct cab_timeline_sums *sums);
void cab_strips_fini (struct cab_strips *strips);

#endif
