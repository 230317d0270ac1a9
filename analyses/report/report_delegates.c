/* report_delegates.c - how the rows of analyses that are sharded by key were shared by delegates.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"

static const struct cab_column columns[] = {
  { "pid", CAB_NUMBER, 0 },	   { "delegate", CAB_NUMBER, 0 },    { "rows", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 },	   { "helped", CAB_COUNT, 0 },	     { "longest", CAB_COUNT, 0 },
  { "busy_ns", CAB_COUNT, 0 },	   { "idle_ns", CAB_TALLY, 0 }
};
enum { PID, DELEGATE, ROWS, SHARE, HELPED, LONGEST, BUSY, IDLE, N };

static void
add_process (struct cab_table *table, const struct cab_process *p)
{
  uint64_t all = 0;
  for (uint32_t k = 0; k < p->n_delegates; k++)
    all += p->delegates[k].rows;
  for (uint32_t k = 0; k < p->n_delegates; k++)
    {
      const struct cab_part_delegate *one = &p->delegates[k];
      union cab_cell *cell = cab_table_row (table);
      uint64_t lived = p->end_ns > p->start_ns ? p->end_ns - p->start_ns : 0;
      cell[PID].count = p->pid;
      cell[DELEGATE].count = k + 1;
      cell[ROWS].count = one->rows;
      cell[SHARE].share = all ? (double) one->rows / all : 0;
      cell[HELPED].count = one->helped;
      cell[LONGEST].count = one->longest;
      cell[BUSY].count = one->busy_ns;
      cell[IDLE].count = lived > one->busy_ns ? lived - one->busy_ns : CAB_UNKNOWN;
    }
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  (void) options;
  cab_table_init (table, "delegates", "Delegates: rows of analyses that are sharded by key",
		  columns, N);
  for (uint32_t i = 0; i < model->n_processes; i++)
    add_process (table, &model->processes[i]);
}

static const char *
lacks (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_processes; i++)
    if (model->processes[i].n_delegates)
      return NULL;
  return "there are no delegates: run the program with CABPROF_OPTIONS=delegates=N, and an "
	 "analysis that is sharded by key, such as values";
}

const struct cab_report cab_delegates_report = {
  .name = "delegates",
  .summary = "how evenly analyses that are sharded by key used delegates=N",
  .subject = CAB_ABOUT_RUN,
  .of_whole_run = true,
  .unfiltered = true,
  .fill = fill,
  .lacks = lacks
};
