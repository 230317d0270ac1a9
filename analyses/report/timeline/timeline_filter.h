/* timeline_filter.h - which activations of a timeline are wanted.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TIMELINE_FILTER_H
#define CAB_TIMELINE_FILTER_H

#include "analyses/report/report.h"
#include "analyses/report/timeline/timeline_walk.h"

struct cab_timeline_filter
{
  const struct cab_report_options *report;   /* function, file */
  const char *thread;                        /* the kernel's number of a thread, or a glob of its
						name; null: all */
  uint64_t longer_ns;                        /* activations that took at least this */
};

/* Read TEXT, a number and a unit (10ms, 2.5us, 100ns, 1s; without one: ns), to *NS.  Return false
   if it is none. */
bool cab_timeline_duration (const char *text, uint64_t *ns);

/* Return true if FILTER lets the function and the thread of SPAN pass; that is known at its
   begin. */
bool cab_timeline_is_of (const struct cab_timeline_filter *filter, const struct cab_model *model,
			 const struct cab_timed *span);
/* Return true if FILTER lets SPAN, which has ended, pass. */
bool cab_timeline_passes (const struct cab_timeline_filter *filter, const struct cab_model *model,
			  const struct cab_timed *span);

/* Return the kernel's number of the thread of SPAN. */
uint64_t cab_timeline_tid (const struct cab_model *model, const struct cab_timed *span);
/* Return the name of the thread of SPAN. */
const char *cab_timeline_thread_name (const struct cab_model *model, const struct cab_timed *span);
/* Return the name of the function of SPAN. */
const char *cab_timeline_name (struct cab_model *model, const struct cab_report_options *options,
			       const struct cab_timed *span);

#endif
