/* timeline.h - the views of `cabprof timeline' that are lists.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TIMELINE_H
#define CAB_TIMELINE_H

#include "analyses/base/table.h"
#include "analyses/report/timeline/timeline_filter.h"

/* Fill TABLE with the activations that pass FILTER, in the order of threads and of begins; at most
   MOST of them (0: all), the first ones. */
void cab_timeline_list (struct cab_model *model, const struct cab_timeline_filter *filter,
			size_t most, struct cab_table *table);
/* Fill TABLE with how long the activations of each function took. */
void cab_timeline_latencies (struct cab_model *model, const struct cab_timeline_filter *filter,
			     struct cab_table *table);
/* Fill TABLE with how many activations took how long, all functions that pass FILTER together. */
void cab_timeline_histogram (struct cab_model *model, const struct cab_timeline_filter *filter,
			     struct cab_table *table);
/* Fill TABLE with the COUNT slowest activations of the functions that pass FILTER: a row for each
   context below them, and for each of them a column with the time there.  Those that lie in another
   one of these are part of that. */
void cab_timeline_slowest (struct cab_model *model, const struct cab_timeline_filter *filter,
			   unsigned count, struct cab_table *table);
#define CAB_TIMELINE_SLOWEST 3        /* usual, and most, values of COUNT */
#define CAB_TIMELINE_SLOWEST_MOST 16

#endif
