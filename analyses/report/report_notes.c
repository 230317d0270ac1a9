/* report_notes.c - why a report has nothing to show, and the remarks that its numbers need.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report_notes.h"
#include <string.h>
#include "analyses/profile/context_coverage.h"
#include "analyses/profile/partial/estimated.h"
#include "analyses/profile/partial/sampled.h"
#include "analyses/report/account.h"
#include "analyses/report/join/join_by.h"

const char *
cab_report_lacks (struct cab_model *model, const struct cab_report *report,
		  const struct cab_report_options *options, bool of_level)
{
  const char *lacks = report && !report->of_some_events ? cab_model_needs_all (model) : NULL;
  if (!lacks)
    {
      lacks = report && report->lacks ? report->lacks (model) : NULL;
      lacks = lacks && cab_model_is_unread (model) ? cab_model_estimated_text (model) : lacks;
    }
  if (!lacks && report && report->lacks_asked)
    return report->lacks_asked (model, options);
  if (!lacks)
    lacks = report && report->lacks_by ? report->lacks_by (model, options->by)
				       : cab_report_lacks_by (model, options->by);
  return !lacks && of_level ? cab_report_lacks_level (model, options->level) : lacks;
}

void
cab_report_show_within (const struct cab_model *model, struct cab_column *first,
			struct cab_column *last)
{
  bool is_estimated = cab_model_is_estimated (model);
  first->formats = is_estimated ? CAB_FORMAT_TEXT : CAB_FORMAT_NONE;
  last->formats = is_estimated ? CAB_FORMAT_TSV | CAB_FORMAT_JSON : CAB_FORMAT_NONE;
}

const char *
cab_report_left_out (struct cab_model *model)
{
  uint64_t n = 0;
  struct cab_account account;
  char grouped[32];
  cab_account_init (&account, model);
  for (size_t i = 0; i < account.n; i++)
    if (!strcmp (account.rows[i].item, "accesses_left_out") && !*account.rows[i].cause)
      n = account.rows[i].count;
  cab_account_fini (&account);
  return n ? cab_names_format (&model->names,
			       "%s accesses in the code were left out by filters when it was "
			       "compiled: `cabprof info --skipped' says by which",
			       cab_table_grouped (n, grouped))
	   : NULL;
}

const char *
cab_report_note (struct cab_model *model, const struct cab_report *report,
		 const struct cab_report_options *options, const char *own)
{
  bool by_context = options->by >= CAB_BY_CONTEXT || options->join & CAB_JOIN_CONTEXT
		 || (report && report->of_contexts);
  const char *sampled = !report || report->of_accesses ? cab_model_sampled_text (model) : NULL;
  const char *contextless = by_context ? cab_model_contextless_text (model) : NULL;
  bool of_misses = report && report->of_misses;
  bool of_paths = report && report->of_paths && options->format == CAB_FORMAT_TEXT;
  const char *notes[] = { own, sampled, contextless,
			  of_misses ? cab_report_mixed_caches (model) : NULL,
			  of_paths ? cab_report_unfinished (model, options->function) : NULL },
	     *all = NULL;
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
    if (notes[i])
      all = all ? cab_names_format (&model->names, "%s; %s", all, notes[i]) : notes[i];
  return all;
}
