/* cmd_trace_check.c - cabprof trace check: check that an analysis obeys its laws, with the events
 * of a recorded trace.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <getopt.h>
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

enum { OPT_ANALYSIS = 256, OPT_SEED, OPT_HELP };

static const struct option long_options[] = {
  { "analysis", required_argument, NULL, OPT_ANALYSIS },
  { "seed", required_argument, NULL, OPT_SEED },
  { "help", no_argument, NULL, OPT_HELP },
  { NULL, 0, NULL, 0 }
};

/* Put the options that request the stand-in of ITEM into LIST.  ITEM is an analysis, "NAME" or
   "PATH/NAME.so", which may be followed by ",key=value". */
static int
stand_in_for (const char *item, uint64_t seed, char list[CAB_CHOICE_FULL_BYTES])
{
  struct cab_diag diag = { "" };
  size_t n = strcspn (item, ",");
  if (!n || strchr (item, '+'))
    return cab_usage ("trace", item, "is no analysis: give one, with its arguments");
  char *name = xstrndup (item, n), *text = concat (CAB_LAW_NAME, item + n, NULL);
  const struct cab_analysis *analysis = cab_analysis_find (name);
  int status = 0;
  if (!analysis)
    analysis = cab_user_load (name, &diag);
  if (!analysis)
    status = cab_usage (
      "trace", name,
      diag.text[0]
	? diag.text
	: "no such analysis, and no NAME.so of it in the directories of CABPROF_ANALYSES");
  else if (cab_analysis_add (cab_law_begin (analysis, seed)) < 0
	   || cab_preflight_analyses (text, list, &diag) < 0)
    status = cab_usage ("trace", item, diag.text[0] ? diag.text : "there are too many analyses");
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

int
cab_trace_check (int argc, char **argv)
{
  char list[CAB_CHOICE_FULL_BYTES];
  const char *item = NULL, *path;
  uint64_t seed = 1;
  int status = 0;
  opterr = optind = 0;
  for (int c; !status && (c = getopt_long (argc, argv, ":h", long_options, NULL)) != -1;)
    switch (c)
      {
      case OPT_ANALYSIS: item = optarg; break;
      case OPT_SEED: seed = strtoull (optarg, NULL, 10); break;
      case 'h':
      case OPT_HELP: return cab_trace_help ();
      default: status = cab_arg_wrong ("trace", argv, c);
      }
  if (!status && !item)
    status = cab_usage ("trace", "--analysis", "is required");
  if (status || (status = cab_arg_trace ("trace", argc, argv, &path))
      || (status = stand_in_for (item, seed, list)))
    return status;
  return check_trace (path, item, list);
}
