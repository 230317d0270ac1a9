/* cmd_report.c - cabprof report.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/account.h"
#include "analyses/command/arguments.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/profile/lto_unlinked.h"
#include "analyses/live/user_analysis.h"
#include "analyses/report/report.h"
#include "analyses/report/loops/report_loops.h"
#include "analyses/report/report_own.h"

#define TEXT_LIMIT 50    /* rows of text if no limit is given */

/* The options of which it matters whether they were given, those first that some reports have. */
enum given
{
  THREADS,
  FOLD,
  COPIES,
  CURVE,
  BY,
  LEVEL,
  HTML,
  N_OWN,
  FORMAT = N_OWN,
  SORT,
  LIMIT,
  N_GIVEN
};

/* The reports that have them. */
static const struct
{
  const char *name, *reports;
} own_options[N_OWN] = {
  [THREADS] = { "--threads", "`tree'" },
  [FOLD] = { "--fold-recursion", "`tree'" },
  [COPIES] = { "--copies", "`trips'" },
  [CURVE] = { "--curve", "`reuse'" },
  [BY] = { "--by", "`accesses', `offenders', `blocks' and `sharing'" },
  [LEVEL] = { "--level", "`offenders' and `spread'" },
  [HTML] = { "--html", "`loops'" }
};

struct request
{
  const struct cab_report *report;   /* null: a user's own, or the overview */
  const struct cab_analysis *own;    /* null: not a user's own */
  const char *dir;
  const char *program;               /* --program; null: the program that did most */
  const char *region, *snapshot;     /* or null */
  const char *html;                  /* file, or null */
  const char *by;                    /* as it was given, or null */
  bool given[N_GIVEN];               /* by option */
  long limit;                        /* -1: not given */
  struct cab_report_options options;
};

/* Find the report NAME, one of cabprof's or of a user's own analysis.  Return 0, or an exit
   status. */
static int
find_report (struct request *request, const char *name)
{
  struct cab_diag diag;
  for (int i = 0; cab_reports[i].name; i++)
    if (!strcmp (cab_reports[i].name, name))
      request->report = &cab_reports[i];
  if (request->report)
    return 0;
  request->own = strchr (name, '/') ? cab_user_load (name, &diag) : cab_user_find (name, &diag);
  if (request->own && request->own->bytes)
    return 0;
  if (request->own || !diag.text[0])
    return cab_usage ("report", name,
		      "no such report, and no NAME.so of an analysis of that name in the "
		      "directories of CABPROF_ANALYSES");
  cab_say ("%s", diag.text);
  return CAB_EXIT_FAILED;
}

static int
take_by (const struct cab_argument *option, const char *name)
{
  struct request *request = option->to;
  request->by = name;
  return cab_report_by (name, &request->options.by)
	 ? 0
	 : cab_usage (
	   "report", name,
	   "no such thing (site, variable, line, function, loop, loop-variable, context, block)");
}

static int
take_level (const struct cab_argument *option, const char *name)
{
  return cab_report_level (name, option->to)
	 ? 0
	 : cab_usage ("report", name, "no such level (D1, L2, LL)");
}

/* Return true if NAME is among REPORTS, such as "`one' and `two'". */
static bool
is_among (const char *name, const char *reports)
{
  char quoted[32];
  snprintf (quoted, sizeof quoted, "`%s'", name);
  return strstr (reports, quoted);
}

/* Return why REPORT cannot count by BY, whatever was recorded, or null. */
static const char *
wrong_by (const struct cab_report *report, enum cab_report_by by)
{
  if (report->fill == cab_report_blocks && by != CAB_BY_SITE && by != CAB_BY_CONTEXT)
    return "blocks are not counted by it (site, context)";
  if (report->fill == cab_report_accesses && by == CAB_BY_CONTEXT)
    return "accesses are not counted by it, but `contexts' has them, of a program that ran with "
	   "analyses=contexts";
  if (report->fill == cab_report_accesses && by == CAB_BY_BLOCK)
    return "accesses are not counted by it, but `blocks' has them, of a program that ran with "
	   "analyses=blocks";
  if (report->fill == cab_report_sharing && by != CAB_BY_LINE && by != CAB_BY_VARIABLE)
    return "sharing is reported by line or variable only";
  return NULL;
}

/* Refuse options that would be ignored. */
static int
check_options (const struct request *request)
{
  const struct cab_report *report = request->report;
  char words[80];
  for (int i = 0; i < N_OWN; i++)
    if (request->given[i]
	&& !(report && is_among (report->name, own_options[i].reports)))
      {
	snprintf (words, sizeof words, "goes with the report%s %s only",
		  strchr (own_options[i].reports, ' ') ? "s" : "", own_options[i].reports);
	return cab_usage ("report", own_options[i].name, words);
      }
  const char *wrong = request->by ? wrong_by (report, request->options.by) : NULL;
  if (wrong)
    return cab_usage ("report", request->by, wrong);
  const char *for_one = request->given[FORMAT] ? "--format"
		      : request->given[SORT] ? "--sort"
		      : request->given[LIMIT] ? "--limit"
		      : NULL;
  if (!report && !request->own && for_one)
    return cab_usage ("report", for_one, "goes with a report, but none is named");
  if ((request->options.function || request->options.file)
      && (request->own || request->options.curve
	  || (report && (report->fill == cab_report_cache || report->fill == cab_report_account))))
    return cab_usage ("report", request->options.function ? "--function" : "--file",
		      "this report is of the whole program");
  return 0;
}

static void
list_reports (void)
{
  for (int i = 0; cab_reports[i].name; i++)
    cab_arguments_row (cab_reports[i].name, cab_reports[i].summary);
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  struct cab_report_options *to = &request->options;
  bool *given = request->given;
  char **words;
  const struct cab_argument options[] = {
    CAB_ARGUMENT_DIR (&request->dir),
    { "format", "FORMAT", "text, tsv or json", .format = &to->format, .given = &given[FORMAT] },
    CAB_ARGUMENT_WIDE,
    CAB_ARGUMENT_PROGRAM (&request->program),
    { "sort", "COLUMN", "order of the rows", .text = &to->sort, .given = &given[SORT] },
    { "limit", "N",
      "first N rows; 0 for all (default: " CAB_TEXT_OF (TEXT_LIMIT) " in text, else all)",
      .whole = &request->limit, .wrong = "not a number of rows", .given = &given[LIMIT] },
    { "function", "GLOB", "functions by name, assembler name or source name",
      .pattern = &to->function },
    { "file", "GLOB", "functions by file; a file's trailing part will do", .pattern = &to->file },
    { "region", "NAME",
      "what happened in this region of the source alone; the report `regions' lists them",
      .text = &request->region },
    { "snapshot", "NAME", "the profile as it was when the program took this snapshot",
      .text = &request->snapshot },
    { "threads", NULL, "tree: one for each thread", .flag = &to->by_thread,
      .given = &given[THREADS] },
    { "fold-recursion", NULL, "tree: take a function below itself for its outer activation",
      .flag = &to->fold_recursion, .given = &given[FOLD] },
    { "copies", NULL, "trips: each copy of a loop (of inlined functions, templates) by itself",
      .flag = &to->by_copy, .given = &given[COPIES] },
    { "curve", NULL, "reuse: misses of a fully associative cache by its size", .flag = &to->curve,
      .given = &given[CURVE] },
    { "by", "WHAT",
      "accesses: site (default), variable, line, function, loop or loop-variable; offenders: "
      "these, context or block; blocks: site (default) or context; sharing: variable (default), or "
      "line, of memory",
      .take = take_by, .to = request, .given = &given[BY] },
    { "level", "LEVEL", "offenders, spread: misses in D1 (default), L2 or LL", .take = take_level,
      .to = &to->level, .given = &given[LEVEL] },
    { "html", "FILE", "loops: a page with the matrix as a heat map; - for standard output",
      .text = &request->html, .given = &given[HTML] }
  };
  const struct cab_arguments arguments = {
    "report", "[REPORT] [OPTION...]",
    "Without REPORT: an overview.  REPORT may also be an analysis of your own, NAME or "
    "PATH/NAME.so, or",
    .list = list_reports, .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (!status && words[0])
    status = find_report (request, words[0]);
  if (!status)
    status = check_options (request);
  if (status || !words[0] || !words[1])
    return status;
  return cab_usage ("report", words[1], "one report at a time");
}

static size_t
limit_of (const struct request *request)
{
  return request->limit >= 0 ? request->limit
       : request->options.format == CAB_FORMAT_TEXT ? TEXT_LIMIT
       : 0;
}

/* Return why misses or blocks cannot be counted by what was asked for, or in its level; or null. */
static const char *
lacks_asked (const struct cab_model *model, const struct request *request)
{
  const struct cab_report *report = request->report;
  enum cab_report_by by = request->options.by;
  const char *lacks = report && report->fill == cab_report_blocks
		      ? cab_report_lacks_block_contexts (model, by)
		      : cab_report_lacks_by (model, by);
  return !lacks && request->given[LEVEL]
	 ? cab_report_lacks_level (model, request->options.level)
	 : lacks;
}

/* Return how many accesses the filters of the compilation left out, in words; null if none. */
static const char *
left_out (struct cab_model *model)
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

/* Return why the report cannot be of one region, or null.  LACKS is why there is nothing to report,
   or null. */
static const char *
lacks_region (const struct request *request, struct cab_model *model, const char *lacks)
{
  const struct cab_report *report = request->report;
  if (!model->region)
    return NULL;
  if (report
      && (!report->fill || report->fill == cab_report_account || report->fill == cab_report_time
	  || report->fill == cab_report_hotlines))
    return cab_names_format (
      &model->names, "the report `%s' is of the whole run: leave --region out", report->name);
  bool uncounted = report && report->fill == cab_report_methods && !model->has_paths
		&& !model->has_calls;
  if ((lacks || uncounted) && model->unsplit)
    return cab_names_format (&model->names,
			     "these analyses do not distinguish regions: %s (cabprof-api(3)): "
			     "leave --region out, or run without them",
			     model->unsplit);
  return NULL;
}

/* Fill TABLE with the report's rows.  Return an exit status. */
static int
fill (const struct request *request, struct cab_model *model, struct cab_table *table)
{
  const struct cab_report *report = request->report;
  const char *lacks = !report ? cab_report_own_lacks (model, request->own)
		    : report->lacks ? report->lacks (model)
		    : NULL;
  struct cab_diag diag;
  lacks = lacks ? lacks : lacks_asked (model, request);
  const char *whole = lacks_region (request, model, lacks);
  lacks = whole ? whole : lacks;
  const char *filtered = lacks && report && report->of_accesses && !cab_filtered_wholly (model)
			 ? left_out (model)
			 : NULL;
  if (lacks)
    cab_say ("%s: %s%s%s", request->dir, lacks, filtered ? "; " : "", filtered ? filtered : "");
  else if (report)
    report->fill (model, &request->options, table);
  else if (cab_report_own (model, request->own, table, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      cab_table_fini (table);
      return CAB_EXIT_FAILED;
    }
  return lacks ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
}

/* Return remarks that the numbers need, or null.  OWN is the report's own remark, or null. */
static const char *
note_of (const struct request *request, struct cab_model *model, const char *own)
{
  const struct cab_report *report = request->report;
  bool by_context = request->options.by >= CAB_BY_CONTEXT
		 || (report && report->fill == cab_report_contexts);
  const char *sampled = !report || report->of_accesses ? cab_model_sampled_text (model) : NULL;
  const char *contextless = by_context ? cab_model_contextless_text (model) : NULL;
  bool of_misses = report
		&& (report->fill == cab_report_offenders || report->fill == cab_report_spread);
  bool of_paths = report && report->lacks == cab_report_lacks_paths
	       && request->options.format == CAB_FORMAT_TEXT;
  const char *notes[] = { own, sampled, contextless,
			  of_misses ? cab_report_mixed_caches (model) : NULL,
			  of_paths ? cab_report_unfinished (model, request->options.function)
				   : NULL },
	     *all = NULL;
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
    if (notes[i])
      all = all ? cab_names_format (&model->names, "%s; %s", all, notes[i]) : notes[i];
  return all;
}

/* Return a remark below a table without rows, or null. */
static const char *
nothing_passes (const struct request *request, struct cab_model *model)
{
  bool by_function = request->options.function, by_file = request->options.file;
  return by_function && by_file ? "nothing passes both --function and --file: leave one out"
       : by_function
	 ? "nothing passes --function: `cabprof info --functions' lists all that have a name"
       : by_file ? "nothing passes --file: `cabprof info --functions' lists the files, too"
       : request->report && request->report->of_accesses ? left_out (model)
       : NULL;
}

static int
print_report (const struct request *request, struct cab_model *model)
{
  bool keeps_order = request->report && request->report->keeps_order;
  struct cab_table table;
  int status = fill (request, model, &table);
  if (status)
    return status;
  int column = request->options.sort ? cab_table_column (&table, request->options.sort) : -1;
  if (request->options.sort && column < 0)
    status = cab_arg_no_column (&table, request->options.sort, request->options.format);
  else
    {
      if (column >= 0 && !keeps_order)
	cab_table_sort (&table, column);
      table.note = note_of (request, model, table.note);
      if (request->options.format == CAB_FORMAT_TEXT && !table.n_rows && !table.note)
	table.note = nothing_passes (request, model);
      cab_arg_write (&table, request->options.format, limit_of (request), request->dir);
    }
  cab_table_fini (&table);
  return status;
}

int
cab_cmd_report (int argc, char **argv)
{
  struct request request = { .dir = CAB_DEFAULT_DIR,
			     .limit = -1,
			     .options.format = CAB_FORMAT_TEXT };
  struct cab_model model;
  int status = parse (argc, argv, &request);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  request.options.limit = limit_of (&request);
  request.dir = cab_arg_snapshot (request.dir, request.snapshot);
  if (!request.dir
      || cab_arg_open_region (&model, request.dir, request.options.by_thread, request.program,
			      request.region))
    return CAB_EXIT_FAILED;
  const char *whole = lacks_region (&request, &model, NULL);
  if (whole)
    {
      cab_say ("%s: %s", request.dir, whole);
      status = CAB_EXIT_FAILED;
    }
  else if (request.report && !request.report->fill)
    status = cab_cmd_report_loops (&model, &request.options, limit_of (&request), request.html);
  else if (request.report || request.own)
    status = print_report (&request, &model);
  else
    {
      struct cab_style style;
      cab_style_of (&style, stdout);
      cab_report_overview (&model, &request.options, &style, stdout);
    }
  int problems = cab_arg_problems (&model);
  cab_model_close (&model);
  return status ? status : problems;
}
