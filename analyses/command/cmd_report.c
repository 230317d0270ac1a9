/* cmd_report.c - cabprof report.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/report/account.h"
#include "analyses/command/arguments.h"
#include "analyses/profile/lto_unlinked.h"
#include "analyses/live/user_analysis.h"
#include "analyses/report/report.h"
#include "analyses/report/loops/report_loops.h"
#include "analyses/report/report_own.h"

#define TEXT_LIMIT 50    /* rows of text if no limit is given */

struct request
{
  const struct cab_report *report;   /* null: a user's own, or the overview */
  const struct cab_analysis *own;    /* null: not a user's own */
  const char *dir;
  const char *program;               /* --program; null: the program that did most */
  const char *region, *snapshot;     /* or null */
  const char *html;                  /* file, or null */
  const char *by;                    /* as it was given, or null */
  unsigned given;                    /* bits of the options that were given */
  long limit;                        /* -1: not given */
  struct cab_report_options options;
};

enum
{
  OPT_FORMAT = 256,
  OPT_SORT,
  OPT_LIMIT,
  OPT_FUNCTION,
  OPT_FILE,
  OPT_THREADS,
  OPT_FOLD,
  OPT_COPIES,
  OPT_CURVE,
  OPT_BY,
  OPT_LEVEL,
  OPT_HTML,
  OPT_PROGRAM,
  OPT_REGION,
  OPT_SNAPSHOT,
  OPT_HELP
};

static const struct option long_options[] = {
  { "format", required_argument, NULL, OPT_FORMAT },
  CAB_WIDE_OPTION,
  { "sort", required_argument, NULL, OPT_SORT },
  { "limit", required_argument, NULL, OPT_LIMIT },
  { "function", required_argument, NULL, OPT_FUNCTION },
  { "file", required_argument, NULL, OPT_FILE },
  { "threads", no_argument, NULL, OPT_THREADS },
  { "fold-recursion", no_argument, NULL, OPT_FOLD },
  { "copies", no_argument, NULL, OPT_COPIES },
  { "curve", no_argument, NULL, OPT_CURVE },
  { "by", required_argument, NULL, OPT_BY },
  { "level", required_argument, NULL, OPT_LEVEL },
  { "html", required_argument, NULL, OPT_HTML },
  { "program", required_argument, NULL, OPT_PROGRAM },
  { "region", required_argument, NULL, OPT_REGION },
  { "snapshot", required_argument, NULL, OPT_SNAPSHOT },
  { "help", no_argument, NULL, OPT_HELP },
  { NULL, 0, NULL, 0 }
};

#define BIT(OPTION) (1u << ((OPTION) - OPT_FORMAT))

/* Options that only some reports have. */
static const struct
{
  int option;
  const char *name, *reports;
} own_options[] = {
  { OPT_THREADS, "--threads", "`tree'" },
  { OPT_FOLD, "--fold-recursion", "`tree'" },
  { OPT_COPIES, "--copies", "`trips'" },
  { OPT_CURVE, "--curve", "`reuse'" },
  { OPT_BY, "--by", "`accesses', `offenders', `blocks' and `sharing'" },
  { OPT_LEVEL, "--level", "`offenders' and `spread'" },
  { OPT_HTML, "--html", "`loops'" }
};

static int
help (void)
{
  printf ("Usage: cabprof report [REPORT] [OPTION...]\nWithout REPORT: an overview.  REPORT may "
	  "also be an analysis of your own, NAME or PATH/NAME.so, or\n\n");
  for (int i = 0; cab_reports[i].name; i++)
    printf ("  %-22s %s\n", cab_reports[i].name, cab_reports[i].summary);
  printf (
    "\n"
    "  -d DIR                 the profile (default " CAB_DEFAULT_DIR ")\n"
    "  --format=FORMAT        text, tsv or json\n" CAB_WIDE_HELP
    "  --program=NAME         of a profile of several programs, this one (default: that which did "
    "most), or all\n"
    "  --sort=COLUMN          order of the rows\n"
    "  --limit=N              first N rows; 0 for all (default: %d in text, else all)\n"
    "  --function=GLOB        functions by name, assembler name or source name\n"
    "  --file=GLOB            functions by file; a file's trailing part will do\n"
    "  --region=NAME          what happened in this region of the source alone; the report "
    "`regions' lists them\n"
    "  --snapshot=NAME        the profile as it was when the program took this snapshot\n"
    "  --threads              tree: one for each thread\n"
    "  --fold-recursion       tree: take a function below itself for its outer activation\n"
    "  --copies               trips: each copy of a loop (of inlined functions, templates) by "
    "itself\n"
    "  --curve                reuse: misses of a fully associative cache by its size\n"
    "  --by=WHAT              accesses: site (default), variable, line, function, loop or "
    "loop-variable;\n"
    "                         offenders: these, context or block; blocks: site (default) or "
    "context;\n"
    "                         sharing: variable (default), or line, of memory\n"
    "  --level=LEVEL          offenders, spread: misses in D1 (default), L2 or LL\n"
    "  --html=FILE            loops: a page with the matrix as a heat map; - for standard output\n",
    TEXT_LIMIT);
  return CAB_EXIT_GOOD;
}

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
parse_by (struct request *request, const char *name)
{
  request->by = name;
  return cab_report_by (name, &request->options.by)
	 ? 0
	 : cab_usage (
	   "report", name,
	   "no such thing (site, variable, line, function, loop, loop-variable, context, block)");
}

static int
parse_level (struct request *request, const char *name)
{
  return cab_report_level (name, &request->options.level)
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
  for (size_t i = 0; i < sizeof own_options / sizeof *own_options; i++)
    if (request->given & BIT (own_options[i].option)
	&& !(report && is_among (report->name, own_options[i].reports)))
      {
	snprintf (words, sizeof words, "goes with the report%s %s only",
		  strchr (own_options[i].reports, ' ') ? "s" : "", own_options[i].reports);
	return cab_usage ("report", own_options[i].name, words);
      }
  const char *wrong = request->by ? wrong_by (report, request->options.by) : NULL;
  if (wrong)
    return cab_usage ("report", request->by, wrong);
  if (!report && !request->own
      && request->given & (BIT (OPT_FORMAT) | BIT (OPT_SORT) | BIT (OPT_LIMIT)))
    return cab_usage ("report",
		      request->given & BIT (OPT_FORMAT) ? "--format"
		      : request->given & BIT (OPT_SORT) ? "--sort"
		      : "--limit",
		      "goes with a report, but none is named");
  if (request->given & (BIT (OPT_FUNCTION) | BIT (OPT_FILE))
      && (request->own || request->options.curve
	  || (report && (report->fill == cab_report_cache || report->fill == cab_report_account))))
    return cab_usage ("report", request->given & BIT (OPT_FUNCTION) ? "--function" : "--file",
		      "this report is of the whole program");
  return 0;
}

/* Parse the arguments.  Return 0, an exit status, or -1 after --help. */
static int
parse (int argc, char **argv, struct request *request)
{
  int c, bad = 0;
  opterr = 0;
  while (!bad && (c = getopt_long (argc, argv, ":d:h", long_options, NULL)) != -1)
    {
      request->given |= c >= OPT_FORMAT ? BIT (c) : 0;
      switch (c)
	{
	case 'd': request->dir = optarg; break;
	case CAB_OPT_WIDE: cab_style_be_wide (); break;
	case OPT_FORMAT: bad = cab_arg_format ("report", optarg, &request->options.format); break;
	case OPT_SORT: request->options.sort = optarg; break;
	case OPT_LIMIT: bad = cab_arg_limit ("report", optarg, &request->limit); break;
	case OPT_FUNCTION:
	  bad = cab_arg_pattern ("report", optarg, &request->options.function);
	  break;
	case OPT_FILE: bad = cab_arg_pattern ("report", optarg, &request->options.file); break;
	case OPT_THREADS: request->options.by_thread = true; break;
	case OPT_FOLD: request->options.fold_recursion = true; break;
	case OPT_COPIES: request->options.by_copy = true; break;
	case OPT_CURVE: request->options.curve = true; break;
	case OPT_BY: bad = parse_by (request, optarg); break;
	case OPT_LEVEL: bad = parse_level (request, optarg); break;
	case OPT_HTML: request->html = optarg; break;
	case OPT_PROGRAM: bad = cab_arg_pattern ("report", optarg, &request->program); break;
	case OPT_REGION: request->region = optarg; break;
	case OPT_SNAPSHOT: request->snapshot = optarg; break;
	case 'h':
	case OPT_HELP: help (); return -1;
	default: return cab_arg_wrong ("report", argv, c);
	}
    }
  if (!bad && optind < argc)
    bad = find_report (request, argv[optind]);
  if (!bad)
    bad = check_options (request);
  if (bad || optind == argc)
    return bad;
  return optind + 1 < argc ? cab_usage ("report", argv[optind + 1], "one report at a time") : 0;
}

static size_t
limit_of (const struct request *request)
{
  return request->limit >= 0 ? request->limit
       : request->options.format == CAB_FORMAT_TEXT ? TEXT_LIMIT
       : 0;
}

static void
write_table (const struct request *request, struct cab_table *table)
{
  struct cab_style style;
  cab_table_limit (table, limit_of (request));
  switch (request->options.format)
    {
    case CAB_FORMAT_TSV: cab_table_tsv (table, stdout); break;
    case CAB_FORMAT_JSON: cab_table_json (table, request->dir, stdout); break;
    default:
      cab_style_of (&style, stdout);
      cab_table_text (table, &style, stdout);
    }
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
  return !lacks && request->given & BIT (OPT_LEVEL)
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
    {
      status = cab_arg_no_column (&table, request->options.sort, request->options.format);
    }
  else
    {
      if (column >= 0 && !keeps_order)
	cab_table_sort (&table, column);
      table.note = note_of (request, model, table.note);
      if (request->options.format == CAB_FORMAT_TEXT && !table.n_rows && !table.note)
	table.note = nothing_passes (request, model);
      write_table (request, &table);
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
