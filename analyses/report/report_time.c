/* report_time.c - where the time was spent, from samples: by function, and by line.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include <math.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/times.h"
#include "loopfb/formats/pattern.h"

#define DATA (CAB_FORMAT_TSV | CAB_FORMAT_JSON)

static const struct cab_column function_columns[] = {
  { "function", CAB_FUNCTION, 0 }, { "file", CAB_PATH, 0 },	 { "line", CAB_LINE, 0 },
  { "module", CAB_PATH, 0 },	   { "share", CAB_SAMPLED, 0 },	 { "inlined", CAB_SAMPLED, 0 },
  { "samples", CAB_COUNT, 0 },	   { "weight", CAB_COUNT, DATA }
};

static const struct cab_column line_columns[] = {
  { "file", CAB_PATH, 0 },   { "line", CAB_LINE, 0 },     { "function", CAB_FUNCTION, 0 },
  { "share", CAB_SAMPLED, 0 }, { "samples", CAB_COUNT, 0 }, { "weight", CAB_COUNT, DATA }
};

const char *
cab_report_lacks_samples (const struct cab_model *model)
{
  return cab_times_are_there (model) ? NULL
				     : "nothing was sampled: run the program by `cabprof record', "
				       "a short one with --rate=10000";
}

static bool
wanted (const struct cab_report_options *options, const char *assembler, const char *display,
	const char *file)
{
  const char *glob = options->function;
  return (!glob || cab_names_match (glob, display) || cab_pattern_matches (glob, assembler))
      && cab_report_wants_file (options, file);
}

static const char *
copy (struct cab_model *model, const char *text)
{
  return cab_names_copy (&model->names, text, strlen (text));
}

static double
share (uint64_t part, uint64_t all)
{
  return all ? (double) part / all : 0;
}

/* Return a remark about samples that are in no row, or null. */
static const char *
runtime_note (struct cab_model *model, const struct cab_times *times)
{
  const struct cab_attribution *by = &times->by;
  return times->known
	 ? cab_times_runtime (&model->names, by->runtime_n,
			      share (by->runtime_weight, by->weight + by->runtime_weight))
	 : NULL;
}

void
cab_report_time (struct cab_model *model, const struct cab_report_options *options,
		 struct cab_table *table)
{
  struct cab_times times;
  cab_table_init (table, "time", "Time by function", function_columns, 8);
  table->total_column = 6;
  cab_times_open (&times, model);
  table->note = runtime_note (model, &times);
  table->n_samples = times.known ? times.by.n : 0;
  for (uint32_t i = 0; times.known && i < times.by.n_functions; i++)
    {
      const struct cab_time_function *f = &times.by.functions[i];
      if (!wanted (options, f->function, f->name, f->file))
	continue;
      union cab_cell *row = cab_table_row (table);
      row[0].text = copy (model, f->name);
      row[1].text = copy (model, f->file);
      row[2].count = f->line;
      row[3].text = f->module < times.samples.n_modules
		    ? copy (model, lbasename (times.samples.modules[f->module].path))
		    : "";
      row[4].share = share (f->weight, times.by.weight);
      row[5].share = f->framed ? share (f->inlined, times.by.weight) : NAN;
      row[6].count = f->n;
      row[7].count = f->weight;
      table->total += f->n;
    }
  cab_times_close (&times);
}

static void
fill_hotlines (struct cab_model *model, const struct cab_report_options *options,
	       struct cab_table *table)
{
  struct cab_times times;
  cab_table_init (table, "hotlines", "Time by line", line_columns, 6);
  table->total_column = 4;
  cab_times_open (&times, model);
  table->note = runtime_note (model, &times);
  table->n_samples = times.known ? times.by.n : 0;
  for (uint32_t i = 0; times.known && i < times.by.n_lines; i++)
    {
      const struct cab_time_line *l = &times.by.lines[i];
      const char *display = cab_names_display (&model->names, l->function, "", l->file);
      if (!wanted (options, l->function, display, l->file))
	continue;
      union cab_cell *row = cab_table_row (table);
      row[0].text = copy (model, l->file);
      row[1].count = l->line;
      row[2].text = display;
      row[3].share = share (l->weight, times.by.weight);
      row[4].count = l->n;
      row[5].count = l->weight;
      table->total += l->n;
    }
  cab_times_close (&times);
}

const struct cab_report cab_time_report = {
  .name = "time",
  .summary = "in which functions the time was spent",
  .subject = CAB_ABOUT_TIME,
  .of_whole_run = true,
  .of_some_events = true,
  .fill = cab_report_time,
  .lacks = cab_report_lacks_samples
};

const struct cab_report cab_hotlines_report = {
  .name = "hotlines",
  .summary = "on which lines the time was spent",
  .subject = CAB_ABOUT_TIME,
  .of_whole_run = true,
  .of_some_events = true,
  .fill = fill_hotlines,
  .lacks = cab_report_lacks_samples
};
