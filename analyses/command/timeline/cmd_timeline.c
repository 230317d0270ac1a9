/* cmd_timeline.c - cabprof timeline: when functions ran, and how long.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/report/timeline/timeline.h"

enum view
{
  LATENCY,
  LIST,
  SLOWEST,
  HISTOGRAM,
  N_VIEWS
};

static const struct
{
  const char *name, *summary;
} views[N_VIEWS] = {
  [LATENCY] = { "latency", "how long the activations of each function took (default)" },
  [LIST] = { "list", "each activation, in order" },
  [SLOWEST] = { "slowest", "the slowest ones of --function, and what they called, side by side" },
  [HISTOGRAM] = { "histogram", "how many activations took how long" }
};

struct request
{
  enum view view;
  const char *dir, *program, *longer, *snapshot;
  long limit, count;
  bool count_given;
  struct cab_report_options options;
  struct cab_timeline_filter filter;
};

static void
list_views (void)
{
  puts ("Views:");
  for (int i = 0; i < N_VIEWS; i++)
    cab_arguments_row (views[i].name, views[i].summary);
}

/* Take the view that WORDS name.  Return 0 or an exit status. */
static int
take_view (struct request *request, char **words)
{
  if (!words[0])
    return 0;
  if (words[1])
    return cab_usage ("timeline", words[1], "one view at a time");
  for (int i = 0; i < N_VIEWS; i++)
    if (!strcmp (words[0], views[i].name))
      {
	request->view = i;
	return 0;
      }
  return cab_usage ("timeline", words[0], "no such view (latency, list, slowest, histogram)");
}

/* Refuse what would be ignored, or cannot be read. */
static int
check (struct request *request)
{
  if (request->longer && !cab_timeline_duration (request->longer, &request->filter.longer_ns))
    return cab_usage ("timeline", request->longer, "not a time, such as 10ms, 2.5us or 1s");
  if (request->count_given && request->view != SLOWEST)
    return cab_usage ("timeline", "--count", "goes with the view `slowest' only");
  if (request->view == SLOWEST && !request->options.function)
    return cab_usage ("timeline", "slowest", "needs --function: of which function?");
  return 0;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words;
  const struct cab_argument options[] = {
    CAB_ARGUMENT_DIR (&request->dir),
    CAB_ARGUMENT_FORMAT (&request->options.format),
    CAB_ARGUMENT_WIDE,
    CAB_ARGUMENT_PROGRAM (&request->program),
    CAB_ARGUMENT_LIMIT (&request->limit, "rows", CAB_TEXT_ROWS),
    CAB_ARGUMENT_FUNCTION (&request->options.function),
    CAB_ARGUMENT_FILE (&request->options.file),
    { "thread", "THREAD", "this thread: the kernel's number, or a glob of its name",
      .text = &request->filter.thread },
    { "longer", "TIME", "activations that took at least this: 10ms, 2.5us, 100ns",
      .text = &request->longer },
    { "count", "N", "slowest: how many (default: " CAB_TEXT_OF (CAB_TIMELINE_SLOWEST) ")",
      .whole = &request->count, .given = &request->count_given, .least = 1,
      .most = CAB_TIMELINE_SLOWEST_MOST, .wrong = "not a number from 1 to 16" },
    { "snapshot", "NAME", "the profile as it was when this snapshot was taken",
      .text = &request->snapshot }
  };
  const struct cab_arguments arguments = {
    "timeline", "[VIEW] [OPTION...]",
    "Print when functions ran, and how long, from a profile of a program that was compiled with\n"
    "-fplugin-arg-cabprof-events=calls+time and run with CABPROF_OPTIONS=analyses=timeline.",
    .list = list_views, .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  status = status ? status : take_view (request, words);
  return status ? status : check (request);
}

static void
fill (const struct request *request, struct cab_model *model, struct cab_table *table)
{
  switch (request->view)
    {
    case LIST:
      cab_timeline_list (model, &request->filter, request->options.limit, table);
      break;
    case SLOWEST:
      cab_timeline_slowest (model, &request->filter, request->count, table);
      break;
    case HISTOGRAM:
      cab_timeline_histogram (model, &request->filter, table);
      break;
    default:
      cab_timeline_latencies (model, &request->filter, table);
    }
}

static int
print (struct request *request, struct cab_model *model)
{
  struct cab_table table;
  const char *lacks = cab_timeline_lacks (model);
  if (lacks)
    {
      cab_say ("%s: %s", request->dir, lacks);
      return CAB_EXIT_FAILED;
    }
  fill (request, model, &table);
  if (request->options.format == CAB_FORMAT_TEXT && !table.n_rows)
    table.note = "no activation passes what was asked for: leave --function, --file, --thread or "
		 "--longer out";
  cab_arg_write (&table, request->options.format, request->options.limit, request->dir);
  cab_table_fini (&table);
  return CAB_EXIT_GOOD;
}

int
cab_cmd_timeline (int argc, char **argv)
{
  struct request request = { .dir = CAB_DEFAULT_DIR,
			     .limit = -1,
			     .count = CAB_TIMELINE_SLOWEST,
			     .options.format = CAB_FORMAT_TEXT };
  struct cab_model model;
  request.filter.report = &request.options;
  int status = parse (argc, argv, &request);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  request.options.limit = cab_arg_limit (request.limit, request.options.format, CAB_TEXT_ROWS);
  request.dir = cab_arg_snapshot (request.dir, request.snapshot);
  if (!request.dir || cab_arg_open (&model, request.dir, false, request.program))
    return CAB_EXIT_FAILED;
  status = print (&request, &model);
  int problems = cab_arg_problems (&model);
  cab_model_close (&model);
  return status ? status : problems;
}
