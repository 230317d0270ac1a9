/* cmd_export.c - cabprof export: a profile for other programs to read.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/cmd_export_gcda.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/report/export.h"
#include "analyses/profile/programs.h"
#include "analyses/report/report.h"
#include "analyses/report/stacks/context_measures.h"
#include "analyses/report/timeline/timeline_filter.h"

struct format
{
  const char *name, *summary;
  int (*write) (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		struct cab_diag *diag);
  const char *(*lacks) (const struct cab_model *model);
};

void
cab_export_text (const char *text, FILE *to)
{
  for (; *text; text++)
    putc (*text == '\n' || *text == '\r' ? '?' : *text, to);
}

static const char *
lacks_tree (const struct cab_model *model)
{
  const char *lacks = cab_report_lacks_calls (model);
  return lacks || model->has_tree
	 ? lacks
	 : "no calling-context tree was recorded: leave analyses=tree in CABPROF_OPTIONS";
}

static const struct format formats[] = {
  { "lcov", "a tracefile: genhtml and coverage services read it", cab_export_lcov,
    cab_report_lacks_paths },
  { "callgrind", "a callgrind.out file: KCachegrind and callgrind_annotate read it",
    cab_export_callgrind, NULL },
  { "gcda", "the files that GCC reads with -fprofile-use", NULL, NULL },
  { "folded", "stacks: flame graph tools and speedscope read them", cab_export_folded, lacks_tree },
  { "speedscope", "stacks in JSON, for speedscope: calls, time, accesses, misses, bytes allocated",
    cab_export_speedscope, lacks_tree },
  { "pprof", "the same in pprof's format, for `go tool pprof' and what else reads it",
    cab_export_pprof, lacks_tree },
  { "flamegraph", "a picture in SVG of time, calls, accesses, misses or bytes by calling context",
    cab_export_flamegraph, lacks_tree },
  { "chrome", "a timeline of calls in Chrome's JSON, for Perfetto, chrome://tracing, speedscope",
    cab_export_chrome, cab_timeline_lacks },
  { "perfetto", "the same as TrackEvents, smaller and exact to the nanosecond, for ui.perfetto.dev",
    cab_export_perfetto, cab_timeline_lacks },
  { NULL, NULL, NULL, NULL }
};

#define FORMATS "lcov, callgrind, gcda, folded, speedscope, pprof, flamegraph, chrome, perfetto"

struct request
{
  const struct format *format;
  const char *dir, *file, *program, *longer;
  char **stale;
  int n_stale;
  struct cab_export_options options;
};

static void
list_formats (void)
{
  for (int i = 0; formats[i].name; i++)
    cab_arguments_row (formats[i].name, formats[i].summary);
}

/* Find the format that the WORDS name.  Return 0 or an exit status. */
static int
find_format (struct request *request, char **words)
{
  if (!words[0])
    return cab_usage ("export", "format", "is missing (" FORMATS ")");
  for (int i = 0; formats[i].name; i++)
    if (!strcmp (formats[i].name, words[0]))
      request->format = &formats[i];
  if (!request->format)
    return cab_usage ("export", words[0], "no such format (" FORMATS ")");
  return words[1] ? cab_usage ("export", words[1], "one format at a time") : 0;
}

/* Return 0 if the measure in REQUEST is one that its format can show, or an exit status. */
static int
check_measure (const struct request *request)
{
  const char *measure = request->options.measure;
  if (!measure)
    return 0;
  if (request->format->write != cab_export_flamegraph)
    return cab_usage ("export", "--measure", "is for flamegraph");
  for (int m = 0; m < CAB_MEASURES; m++)
    if (!strcmp (cab_context_measures[m].key, measure))
      return 0;
  return cab_usage ("export", measure, "no such measure (calls, time, accesses, d1, ll, bytes)");
}

/* Read --longer.  Return 0 or an exit status. */
static int
take_longer (struct request *request)
{
  if (!request->longer)
    return 0;
  if (request->format->lacks != cab_timeline_lacks)
    return cab_usage ("export", "--longer", "is for chrome and perfetto");
  return cab_timeline_duration (request->longer, &request->options.longer_ns)
	 ? 0
	 : cab_usage ("export", request->longer, "not a time, such as 10ms, 2.5us or 1s");
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  struct cab_export_options *to = &request->options;
  char **words;
  const struct cab_argument options[] = {
    CAB_ARGUMENT_DIR (&request->dir),
    { "o", "FILE",
      "where to write (default: standard output); gcda: the DIR of -fprofile-use=DIR (default: "
      "beside each object)",
      .text = &request->file },
    { "program", "NAME",
      "of a profile of several programs, this one (default: that which did most; lcov, gcda: all), "
      "or all",
      .pattern = &request->program },
    { "source", "DIR",
      "lcov: where sources are that no longer lie where they were compiled; may be repeated",
      .words = &to->dirs, .n_words = &to->n_dirs },
    { "stale", "FILE",
      "gcda: a program, library or object of the second build, of sources that may have changed, "
      "compiled as for the profile; functions that changed go without; may be repeated",
      .words = &request->stale, .n_words = &request->n_stale },
    { "fold-recursion", NULL, "folded: take a function below itself for its outer activation",
      .flag = &to->fold_recursion },
    { "measure", "NAME",
      "flamegraph: calls, time, accesses, d1, ll or bytes (default: time, else calls)",
      .text = &to->measure },
    { "longer", "TIME", "chrome, perfetto: only calls that took at least this: 10ms, 2.5us",
      .text = &request->longer }
  };
  const struct cab_arguments arguments = {
    "export", "FORMAT [OPTION...]", "Write a profile for other programs to read, in FORMAT:",
    .list = list_formats, .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (!status && request->file && !*request->file)
    return cab_usage ("export", "-o", "the file's name is empty");
  if (!status)
    status = find_format (request, words);
  status = status ? status : check_measure (request);
  return status ? status : take_longer (request);
}

static int
write_out (const struct request *request, struct cab_model *model)
{
  struct cab_output output;
  struct cab_diag diag;
  const char *lacks = request->format->lacks ? request->format->lacks (model) : NULL;
  if (lacks)
    {
      cab_say ("%s: %s", request->dir, lacks);
      return CAB_EXIT_FAILED;
    }
  if (cab_output_open (&output, request->file))
    return CAB_EXIT_FAILED;
  int result = request->format->write (model, &request->options, output.to, &diag);
  if (result < 0)
    cab_say ("%s", diag.text);
  int closed = cab_output_close (&output, result == 0);
  return result < 0 ? CAB_EXIT_FAILED : closed;
}

/* Return the program that is wanted.  Coverage includes all tests of a library, whichever programs
   they are. */
static const char *
program_of (const struct request *request)
{
  return request->program || strcmp (request->format->name, "lcov") ? request->program
								    : CAB_ALL_PROGRAMS;
}

int
cab_cmd_export (int argc, char **argv)
{
  struct request request = { .dir = CAB_DEFAULT_DIR };
  struct cab_model model;
  int status = parse (argc, argv, &request);
  if (!status && !request.format->write)
    status = cab_export_gcda (&(struct cab_export_gcda) { .dir = request.dir,
							  .to = request.file,
							  .program = request.program,
							  .stale = request.stale,
							  .n_stale = request.n_stale });
  else if (!status && !(status = cab_arg_open (&model, request.dir, false, program_of (&request))))
    {
      status = write_out (&request, &model);
      int problems = cab_arg_problems (&model);
      status = status ? status : problems;
      cab_model_close (&model);
    }
  free (request.options.dirs);
  free (request.stale);
  return status < 0 ? CAB_EXIT_GOOD : status;
}
