/* report_calls.c - how often each call site entered each function.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/partial/estimated.h"
#include "analyses/report/report.h"
#include "analyses/live/an_calls.h"

static struct cab_column columns[] = {
  { "caller", CAB_FUNCTION, 0 },
  { "callee", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "count", CAB_COUNT, 0 },
  CAB_WITHIN_COLUMN,
  { "share", CAB_SHARE, CAB_FORMAT_TEXT },
  { "via", CAB_TEXT, CAB_FORMAT_JSON },
  CAB_WITHIN_COLUMN
};
enum { CALLER, CALLEE, FILE_, LINE, COUNT, WITHIN, SHARE, VIA, LAST, N };

static void
fill_site (struct cab_model *model, const struct cab_report_options *options, uint32_t site,
	   union cab_cell *row)
{
  const struct cab_site *s = site && site <= model->n_sites ? &model->sites[site] : NULL;
  row[CALLER].text = s ? cab_report_name (model, options, model->functions[s->function]) : "-";
  if (!s || !s->place)
    return;
  const struct cab_record *record = model->functions[s->function]->record;
  row[FILE_].text = s->place->file < record->n_files ? record->files[s->place->file] : "";
  row[LINE].count = s->place->line;
}

static bool
wanted (struct cab_model *model, const struct cab_report_options *options,
	const struct cab_calls_row *call)
{
  const struct cab_function *callee = model->functions[call->callee - 1];
  const struct cab_function *caller = call->site && call->site <= model->n_sites
				      ? model->functions[model->sites[call->site].function]
				      : NULL;
  return call->count
      && (cab_report_wants (options, callee) || (caller && cab_report_wants (options, caller)));
}

void
cab_report_calls (struct cab_model *model, const struct cab_report_options *options,
		  struct cab_table *table)
{
  struct cab_calls_row call;
  cab_table_init (table, "calls", "Calls by call site", columns, N);
  cab_report_show_within (model, &columns[WITHIN], &columns[LAST]);
  table->total_column = COUNT;
  for (uint64_t cursor = 0; cab_calls_next (&model->calls, &cursor, &call);)
    {
      if (!wanted (model, options, &call))
	continue;
      const struct cab_function *callee = model->functions[call.callee - 1];
      const char *via = cab_report_via (model, call.site, callee);
      union cab_cell *row = cab_table_row (table);
      fill_site (model, options, call.site, row);
      row[CALLEE].text = cab_report_name (model, options, callee);
      if (via && options->format == CAB_FORMAT_TEXT)
	row[CALLEE].text = cab_names_format (&model->names, "%s [via %s]", row[CALLEE].text, via);
      row[COUNT].count = call.count;
      row[WITHIN].count = row[LAST].count
	= cab_model_within (model, CAB_ESTIMATE_CALL, call.site, call.callee, call.count);
      row[VIA].text = via ? via : "";
      table->total += call.count;
    }
  cab_table_shares (table, COUNT, SHARE);
  cab_table_sort (table, COUNT);
}

const struct cab_report cab_calls_report = {
  .name = "calls",
  .summary = "how often each call site entered each function",
  .subject = CAB_ABOUT_CALLS,
  .of_some_events = true,
  .fill = cab_report_calls,
  .lacks = cab_report_lacks_calls
};
