/* report_regions.c - what the regions that the source names counted.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"

static const struct cab_column columns[] = {
  { "region", CAB_TEXT, 0 },
  { "begun", CAB_COUNT, 0 },
  { "open", CAB_TALLY, 0 },
  { "paths", CAB_COUNT, 0 },
  { "calls", CAB_COUNT, 0 },
  { "accesses", CAB_COUNT, 0 }
};
enum { REGION, BEGUN, OPEN, PATHS, CALLS, ACCESSES, N };

const char *
cab_report_lacks_regions (const struct cab_model *model)
{
  return model->n_regions ? NULL
			  : "no regions were recorded: call cabprof_region_begin and "
			    "cabprof_region_end (cabprof/cabprof.h) in the program";
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  (void) options;
  cab_table_init (table, "regions", "Regions by how many paths ended in them, counted in place",
		  columns, N);
  for (uint32_t i = 0; i < model->n_regions; i++)
    {
      const struct cab_model_region *region = &model->regions[i];
      union cab_cell *row = cab_table_row (table);
      row[REGION].text = region->name;
      row[BEGUN].count = region->n_begun;
      row[OPEN].count = region->n_open;
      row[PATHS].count = region->paths;
      row[CALLS].count = region->calls;
      row[ACCESSES].count = region->accesses;
    }
  table->note = "`cabprof report methods --region=NAME' says which, and so do most other reports";
  cab_table_sort (table, PATHS);
}

const struct cab_report cab_regions_report = {
  .name = "regions",
  .summary = "what the regions that the source names counted",
  .subject = CAB_ABOUT_RUN,
  .fill = fill,
  .lacks = cab_report_lacks_regions
};
