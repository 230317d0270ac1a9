/* cmd_report.c - cabprof report.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/page/page.h"
#include "analyses/command/arguments.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/profile/lto_unlinked.h"
#include "analyses/live/user_analysis.h"
#include "analyses/profile/partial/estimated.h"
#include "analyses/report/counted_by.h"
#include "analyses/report/join/join_by.h"
#include "analyses/report/misses_table.h"
#include "analyses/report/report.h"
#include "analyses/report/report_notes.h"
#include "analyses/report/loops/report_loops.h"
#include "analyses/report/report_own.h"

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
  CORES,
  N_OWN,
  OUTPUT = N_OWN,
  FORMAT,
  SORT,
  LIMIT,
  N_GIVEN
};

/* Options that only some reports have. */
static const struct
{
  const char *name;
  enum cab_report_option of;
} own_options[N_OWN] = {
  [THREADS] = { "--threads", CAB_HAS_THREADS }, [FOLD] = { "--fold-recursion", CAB_HAS_FOLD },
  [COPIES] = { "--copies", CAB_HAS_COPIES },    [CURVE] = { "--curve", CAB_HAS_CURVE },
  [BY] = { "--by", CAB_HAS_BY },	        [LEVEL] = { "--level", CAB_HAS_LEVEL },
  [HTML] = { "--html", CAB_HAS_HTML },	        [CORES] = { "--cores", CAB_HAS_CORES }
};

struct request
{
  const struct cab_report *report;   /* null: an analysis's own, or the overview */
  const struct cab_analysis *own;    /* null: not an analysis's own */
  const char *dir;
  const char *program;               /* --program; null: the program that did most */
  const char *region, *snapshot;     /* or null */
  const char *html, *output;         /* the file that --html or -o names, or null */
  const char *baseline;              /* the profile that a page is compared with, or null */
  char **dirs;                       /* --source */
  int n_dirs;
  const char *by;                    /* as it was given, or null */
  bool given[N_GIVEN];               /* by option */
  long limit;                        /* -1: not given */
  struct cab_report_options options;
};

/* Find the report NAME, a report_NAME.c or that of an analysis itself.  Return 0, or an exit
   status. */
static int
find_report (struct request *request, const char *name)
{
  struct cab_diag diag;
  request->report = cab_report_find (name);
  if (request->report)
    return 0;
  request->own = strchr (name, '/') ? cab_user_load (name, &diag) : cab_user_find (name, &diag);
  if (request->own && (request->own->report || cab_user_is (request->own)))
    return 0;
  if (request->own || !diag.text[0])
    return cab_usage ("report", name,
		      "no such report, and no NAME.so of an analysis of that name in the "
		      "directories of CABPROF_ANALYSES");
  cab_say ("%s", diag.text);
  return CAB_EXIT_FAILED;
}

/* Take what --by names, once the report is known. */
static int
take_by (struct request *request)
{
  const char *by = request->by;
  bool is_list = request->report && request->report->options & CAB_HAS_JOIN;
  if (is_list)
    return cab_join_parse (by ? by : "variable", &request->options.join)
	   ? 0
	   : cab_usage ("report", by, "not a list of different ones of these: " CAB_JOIN_WORDS);
  return !by || cab_report_by (by, &request->options.by)
	 ? 0
	 : cab_usage (
	   "report", by,
	   "no such thing (site, variable, line, function, loop, loop-variable, context, block)");
}

static int
take_level (const struct cab_argument *option, const char *name)
{
  return cab_report_level (name, option->to)
	 ? 0
	 : cab_usage ("report", name, "no such level (D1, L2, LL)");
}

/* Write to WORDS, which has BYTES, which reports have OPTION: "goes with the reports `one' and
   `two' only". */
static void
name_reports (enum cab_report_option option, char *words, size_t bytes)
{
  const struct cab_report *with[16];
  size_t n = 0, at;
  for (int i = 0; cab_reports[i] && n < ARRAY_SIZE (with); i++)
    if (cab_reports[i]->options & option)
      with[n++] = cab_reports[i];
  at = snprintf (words, bytes, "goes with the report%s ", n > 1 ? "s" : "");
  for (size_t i = 0; i < n && at < bytes; i++)
    at += snprintf (words + at, bytes - at, "%s`%s'", !i ? "" : i + 1 < n ? ", " : " and ",
		    with[i]->name);
  if (at < bytes)
    snprintf (words + at, bytes - at, " only");
}

/* Return true if a page of the whole profile is wanted. */
static bool
is_page (const struct request *request)
{
  return request->given[HTML] && !request->report && !request->own;
}

/* Refuse options of pages where there is none, and of tables where there is a page. */
static int
check_page (const struct request *request)
{
  const struct cab_report_options *options = &request->options;
  if (!request->given[HTML] && (request->given[OUTPUT] || request->n_dirs))
    return cab_usage ("report", request->given[OUTPUT] ? "-o" : "--source",
		      "goes with --html only");
  if ((request->n_dirs || request->baseline) && !is_page (request))
    return cab_usage ("report", request->baseline ? "--baseline" : "--source",
		      "goes with --html without a report only");
  if (request->baseline && request->region)
    return cab_usage ("report", "--baseline", "is compared as a whole: leave --region out");
  if (request->html && request->given[OUTPUT])
    return cab_usage ("report", "-o", "the page has a file already, by --html");
  if (is_page (request) && (options->function || options->file))
    return cab_usage ("report", options->function ? "--function" : "--file",
		      "a page is of the whole program: search in it");
  return 0;
}

/* Refuse options that would be ignored. */
static int
check_options (const struct request *request)
{
  const struct cab_report *report = request->report;
  char words[256];
  bool page = is_page (request);
  for (int i = 0; i < N_OWN; i++)
    if (request->given[i] && !(i == HTML && page)
	&& !(report && report->options & own_options[i].of))
      {
	name_reports (own_options[i].of, words, sizeof words);
	return cab_usage ("report", own_options[i].name, words);
      }
  const char *wrong = request->by && report->wrong_by ? report->wrong_by (request->options.by)
							   : NULL;
  if (wrong)
    return cab_usage ("report", request->by, wrong);
  const char *for_one = request->given[FORMAT] ? "--format"
		      : request->given[SORT] ? "--sort"
		      : request->given[LIMIT] && !page ? "--limit"
		      : NULL;
  if (!report && !request->own && for_one)
    return cab_usage ("report", for_one, "goes with a report, but none is named");
  if ((request->options.function || request->options.file)
      && (request->own || request->options.curve || (report && report->unfiltered)))
    return cab_usage ("report", request->options.function ? "--function" : "--file",
		      "this report is of the whole program");
  return check_page (request);
}

/* Print the reports, by what they are about. */
static void
list_reports (void)
{
  static const char *const subjects[] = {
    [CAB_ABOUT_CALLS] = "Calls:",   [CAB_ABOUT_CODE] = "Code:", [CAB_ABOUT_MEMORY] = "Memory:",
    [CAB_ABOUT_CACHES] = "Caches:", [CAB_ABOUT_TIME] = "Time:", [CAB_ABOUT_RUN] = "The run:"
  };
  for (int s = 1; s <= CAB_REPORT_SUBJECTS; s++)
    {
      enum cab_report_subject subject = s % CAB_REPORT_SUBJECTS;   /* the run comes last */
      puts (subjects[subject]);
      for (int i = 0; cab_reports[i]; i++)
	if (cab_reports[i]->subject == subject)
	  cab_arguments_row (cab_reports[i]->name, cab_reports[i]->summary);
    }
  for (int i = 0, n = 0; cab_analyses[i]; i++)
    if (cab_analyses[i]->report && !cab_report_find (cab_analyses[i]->name))
      {
	if (!n++)
	  puts ("Other analyses:");
	cab_arguments_row (cab_analyses[i]->name, cab_analyses[i]->summary);
      }
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
    CAB_ARGUMENT_FORMAT (&to->format, .given = &given[FORMAT]),
    CAB_ARGUMENT_WIDE,
    CAB_ARGUMENT_PROGRAM (&request->program),
    { "sort", "COLUMN", "order of the rows", .text = &to->sort, .given = &given[SORT] },
    CAB_ARGUMENT_LIMIT (&request->limit, "rows", CAB_TEXT_ROWS, .given = &given[LIMIT]),
    CAB_ARGUMENT_FUNCTION (&to->function),
    CAB_ARGUMENT_FILE (&to->file),
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
      "line, of memory; join: a list, separated by commas, of " CAB_JOIN_WORDS,
      .text = &request->by, .given = &given[BY] },
    { "level", "LEVEL", "join, offenders, spread: misses in D1 (default), L2 or LL",
      .take = take_level, .to = &to->level, .given = &given[LEVEL] },
    { "html", "FILE",
      "a page to explore in a browser, with all that the profile knows; loops: one with the matrix "
      "as a heat map alone",
      .may_lack = true, .text = &request->html, .given = &given[HTML] },
    { "o", "FILE", "--html: where to write the page (default: standard output)",
      .text = &request->output, .given = &given[OUTPUT] },
    CAB_ARGUMENT_SOURCE (&request->dirs, &request->n_dirs),
    { "baseline", "OLD", "--html: an older profile, of which the page shows what has changed since",
      .text = &request->baseline },
    { "cores", "N", "deps: how many cores there are (default: those of this machine)",
      .whole = &to->cores, .given = &given[CORES], .least = 1, .most = 1e6,
      .wrong = "is not a number of cores" }
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
    status = take_by (request);
  if (!status)
    status = check_options (request);
  if (status || !words[0] || !words[1])
    return status;
  return cab_usage ("report", words[1], "one report at a time");
}

/* Return why the report cannot be of one region, or null.  LACKS is why there is nothing to report,
   or null. */
static const char *
lacks_region (const struct request *request, struct cab_model *model, const char *lacks)
{
  const struct cab_report *report = request->report;
  if (!model->region)
    return NULL;
  if (report && report->of_whole_run)
    return cab_names_format (
      &model->names, "the report `%s' is of the whole run: leave --region out", report->name);
  bool uncounted = report && report->of_entries && !model->has_paths && !model->has_calls;
  bool own = request->own && cab_model_is_unsplit (model, request->own->name);
  if (((lacks || uncounted) && model->unsplit) || own)
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
  const char *lacks = !report ? cab_report_own_lacks (model, request->own) : NULL;
  struct cab_diag diag;
  if (!lacks)
    lacks = cab_report_lacks (model, report, &request->options, request->given[LEVEL]);
  const char *whole = lacks_region (request, model, lacks);
  lacks = whole ? whole : lacks;
  const char *filtered = lacks && report && report->of_accesses && !cab_filtered_wholly (model)
			 ? cab_report_left_out (model)
			 : NULL;
  if (lacks)
    cab_say ("%s: %s%s%s", request->dir, lacks, filtered ? "; " : "", filtered ? filtered : "");
  else if (report)
    report->fill (model, &request->options, table);
  else if (cab_report_own (model, request->own, &request->options, table, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      cab_table_fini (table);
      return CAB_EXIT_FAILED;
    }
  return lacks ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
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
       : request->report && request->report->of_accesses ? cab_report_left_out (model)
       : NULL;
}

/* Begin TABLE by saying that its counts are estimates, where they are. */
static void
tell_estimates (const struct request *request, struct cab_model *model, struct cab_table *table)
{
  const char *text = cab_model_estimated_text (model);
  if (!text || (request->report && request->report->subject == CAB_ABOUT_TIME))
    return;
  if (request->options.format != CAB_FORMAT_TEXT)
    table->note = table->note ? cab_names_format (&model->names, "%s; %s", text, table->note)
			      : text;
  else
    table->title = cab_names_format (&model->names, "%s: %s", table->title, text);
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
      table.note = cab_report_note (model, request->report, &request->options, table.note);
      tell_estimates (request, model, &table);
      if (request->options.format == CAB_FORMAT_TEXT && !table.n_rows && !table.note)
	table.note = nothing_passes (request, model);
      cab_arg_write (&table, request->options.format, request->options.limit,
		     request->dir);
    }
  cab_table_fini (&table);
  return status;
}

/* Write the page of MODEL, beside OLD unless that is null.  Return an exit status. */
static int
write_page (const struct request *request, struct cab_model *model, struct cab_model *old)
{
  struct cab_page_options options = { .rows = request->limit >= 0 ? request->limit : CAB_PAGE_ROWS,
				      .dirs = request->dirs,
				      .n_dirs = request->n_dirs };
  struct cab_output output;
  int status = cab_output_open (&output, request->html ? request->html : request->output);
  if (status)
    return status;
  cab_page_write (model, old, &options, output.to);
  return cab_output_close (&output, true);
}

/* Write the page of MODEL, with the baseline if one is named.  Return an exit status. */
static int
write_pages (const struct request *request, struct cab_model *model)
{
  struct cab_model old;
  if (!request->baseline)
    return write_page (request, model, NULL);
  if (cab_arg_open_beside (&old, request->baseline, request->program, model))
    return CAB_EXIT_FAILED;
  int status = write_page (request, model, &old), problems = cab_arg_problems (&old);
  cab_model_close (&old);
  return status ? status : problems;
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
  request.options.limit
    = cab_arg_limit (request.limit, request.options.format, CAB_TEXT_ROWS);
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
    status = cab_cmd_report_loops (&model, &request.options, request.options.limit,
				   request.html	       ? request.html
				   : request.output    ? request.output
				   : request.given[HTML] ? "-"
							 : NULL);
  else if (is_page (&request))
    status = cab_arg_has_all (&model, request.dir) ? CAB_EXIT_FAILED
						   : write_pages (&request, &model);
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
  free (request.dirs);
  return status ? status : problems;
}
