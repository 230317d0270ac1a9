/* cmd_trace_check.c - cabprof trace check: check that an analysis obeys its laws, with the events
 * of a recorded trace.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/preflight.h"
#include "analyses/live/choice.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/command/command.h"
#include "analyses/trace/law_check.h"
#include "analyses/live/user_analysis.h"

/* Put the options that request the stand-in of ITEM into LIST.  ITEM is an analysis, "NAME" or
   "PATH/NAME.so", which may be followed by ",key=value". */
static int
stand_in_for (const char *item, uint64_t seed, char list[CAB_CHOICE_FULL_BYTES])
{
  struct cab_diag diag = { "" };
  size_t n = strcspn (item, ",");
  if (!n || strchr (item, '+'))
    return cab_usage ("trace check", item, "is no analysis: give one, with its arguments");
  char *name = xstrndup (item, n), *text = concat (CAB_LAW_NAME, item + n, NULL);
  const struct cab_analysis *analysis = cab_analysis_find (name);
  int status = 0;
  if (!analysis)
    analysis = cab_user_load (name, &diag);
  if (!analysis)
    status = cab_usage (
      "trace check", name,
      diag.text[0]
	? diag.text
	: "no such analysis, and no NAME.so of it in the directories of CABPROF_ANALYSES");
  else if (cab_analysis_add (cab_law_begin (analysis, seed)) < 0
	   || cab_preflight_analyses (text, list, &diag) < 0)
    status = cab_usage ("trace check", item,
			diag.text[0] ? diag.text : "there are too many analyses");
  free (name);
  free (text);
  return status;
}

/* Feed the trace in PATH, and print the result. */
static int
check_trace (const char *path, const char *item, const char *list)
{
  size_t n;
  uint64_t n_events, n_cuts;
  int status = cab_trace_feed (path, list);
  const char *const *broken = cab_law_end (&n);
  cab_law_counts (&n_events, &n_cuts);
  for (size_t i = 0; i < n; i++)
    cab_say ("%s: %s", item, broken[i]);
  if (!n_events)
    cab_say (
      "%s: no event in it is of a kind that %s takes: record a program that was compiled for such",
      path, item);
  else
    printf ("%s: %llu events, cut off %llu times: %s\n", item, (unsigned long long) n_events,
	    (unsigned long long) n_cuts, n ? "laws are broken" : "all laws hold");
  return n || !n_events ? CAB_EXIT_FAILED : status;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, const char **item, long *seed, const char **path)
{
  char **words;
  const struct cab_argument options[] = {
    { "analysis", "NAME", "one of cabprof's, or PATH/NAME.so, with its arguments", .text = item },
    { "seed", "N", "where to cut (default 1)", .whole = seed, .wrong = "not a number" }
  };
  const struct cab_arguments arguments = {
    "trace check", "--analysis=NAME [OPTION...] TRACE",
    "Hold an analysis to the laws that analyses obey: the events of a packed trace are fed in "
    "pieces, states are cut off, resumed and merged.  The exit status is 1 if a law is broken.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (!status && !*item)
    return cab_usage ("trace check", "--analysis", "is required");
  return status ? status : cab_arguments_trace ("trace check", words, path);
}

int
cab_trace_check (int argc, char **argv)
{
  char list[CAB_CHOICE_FULL_BYTES];
  const char *item = NULL, *path;
  long seed = 1;
  int status = parse (argc, argv, &item, &seed, &path);
  if (status || (status = stand_in_for (item, seed, list)))
    return status < 0 ? CAB_EXIT_GOOD : status;
  return check_trace (path, item, list);
}
