/* report_timeline.c - the report `timeline': how long the activations of each function took.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/timeline.h"

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  const struct cab_timeline_filter filter = { .report = options };
  cab_timeline_latencies (model, &filter, table);
}

const struct cab_report cab_timeline_report = {
  .name = "timeline",
  .summary = "how long the activations of each function took",
  .subject = CAB_ABOUT_TIME,
  .fill = fill,
  .lacks = cab_timeline_lacks
};
