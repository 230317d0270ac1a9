/* main.c - the cabprof command.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analyses/live/user_analysis.h"
#include "analyses/command/own_crash.h"
#include "analyses/base/progress.h"

static const struct
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *summary;
} commands[] = {
  { "record", cab_cmd_record, "run a program, its profile in a directory of its own" },
  { "tune", cab_cmd_tune, "find the unroll factors that make a program faster, and prove it" },
  { "report", cab_cmd_report,
    "print what a profile holds: methods, calls, tree, paths, loops, accesses, cache, sharing, "
    "..." },
  { "annotate", cab_cmd_annotate, "print source with the count of each line and the hottest path" },
  { "diff", cab_cmd_diff, "rank what changed from one profile to another" },
  { "merge", cab_cmd_merge, "make one profile of several, so that reports add up" },
  { "trials", cab_cmd_trials, "say which hints on loops were faster, in trials within one run" },
  { "hints", cab_cmd_hints, "print what a hints file says, or make a patch of it" },
  { "export", cab_cmd_export,
    "write a profile for other programs: lcov, callgrind, pprof, flame graphs, GCC" },
  { "cache", cab_cmd_cache, "simulate caches over a trace of accesses, as cachegrind does" },
  { "offenders", cab_cmd_offenders,
    "say which accesses of a trace miss in the caches that it was marked with" },
  { "data", cab_cmd_data, "count accesses by variable and allocation, from a trace" },
  { "deps", cab_cmd_deps, "make a patch that runs loops in parallel, where a profile allows it" },
  { "layout", cab_cmd_layout, "propose better layouts of structures, with a chart" },
  { "timeline", cab_cmd_timeline,
    "print when functions ran, and how long: list, slowest, latencies" },
  { "trace", cab_cmd_trace, "look into recorded events, filter them, make a profile of them" },
  { "ctl", cab_cmd_ctl, "pause, resume, flush or copy the profile of a running process" },
  { "top", cab_cmd_top, "show a report of a running process, again and again" },
  { "info", cab_cmd_info, "say what a profile or a binary is made of" },
  { "doctor", cab_cmd_doctor, "try what this machine can do" },
  { NULL, NULL, NULL }
};

int
cab_usage (const char *subcommand, const char *what, const char *wrong)
{
  cab_say ("%s: %s: see `cabprof %s --help'", *what ? what : "an empty value", wrong, subcommand);
  return CAB_EXIT_USAGE;
}

static int
help (void)
{
  printf ("Usage: cabprof COMMAND [OPTION...]\n"
	  "Exact profiles of paths, calls, contexts, loops and accesses to memory, of programs "
	  "compiled with\ngcc -fplugin=cabprof.\n\n");
  for (int i = 0; commands[i].name; i++)
    printf ("  %-10s %s\n", commands[i].name, commands[i].summary);
  printf ("\n`cabprof COMMAND --help' explains a command; `cabprof --cflags' prints what to "
	  "compile\nwith, `cabprof --libs --static' what a static program needs.  A program that "
	  "is run by hand writes its profile to ./" CAB_DEFAULT_DIR
	  ";\n`cabprof report' reads it there.\n");
  return CAB_EXIT_GOOD;
}

static int
dispatch (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "--help";
  if (!strcmp (name, "--help") || !strcmp (name, "-h") || !strcmp (name, "help"))
    {
      help ();
      return argc > 1 ? CAB_EXIT_GOOD : CAB_EXIT_USAGE;
    }
  if (!strcmp (name, "--version"))
    {
      puts ("cabprof " CABPROF_VERSION);
      return CAB_EXIT_GOOD;
    }
  if (!strcmp (name, "--cflags"))
    return cab_print_cflags (argc - 2, argv + 2);
  if (!strcmp (name, "--libs"))
    return cab_print_libs (argc - 2, argv + 2);
  for (int i = 0; commands[i].name; i++)
    if (!strcmp (name, commands[i].name))
      return commands[i].run (argc - 1, argv + 1);
  cab_say ("%s: no such command: see `cabprof --help'", name);
  return CAB_EXIT_USAGE;
}

int
main (int argc, char **argv)
{
  setlocale (LC_CTYPE, "");
  cab_user_watch = cab_own_crash_watch;
  int status = dispatch (argc, argv);
  if ((fflush (stdout) != 0 || ferror (stdout)) && status == CAB_EXIT_GOOD)
    {
      cab_say ("standard output: cannot write: check the disk or the reader of the pipe");
      status = CAB_EXIT_FAILED;
    }
  return status;
}
