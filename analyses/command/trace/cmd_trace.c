/* cmd_trace.c - cabprof trace: examine recorded traces.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/arguments.h"
#include "analyses/command/trace/cmd_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "analyses/command/command.h"

static const struct
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *summary;
} stages[] = {
  { "dump", cab_trace_dump, "print each event and each access" },
  { "stat", cab_trace_stat, "count events by kind and thread, and what one takes" },
  { "filter", cab_trace_filter, "pass on the rows that are asked for" },
  { "replay", cab_trace_replay, "make the profile that analyses would have made live" },
  { "check", cab_trace_check, "hold an analysis to the laws that analyses obey" },
  { NULL, NULL, NULL }
};

int
cab_trace_help (void)
{
  fputs ("Usage: cabprof trace STAGE [OPTION...] TRACE\n"
	 "Read a trace of events; - is standard input.  Stages:\n\n", stdout);
  for (int i = 0; stages[i].name; i++)
    printf ("  %-8s %s\n", stages[i].name, stages[i].summary);
  fputs (
    "\ndump and stat:\n"
    "  --format=FORMAT        text (default), tsv or json (dump: a line for each row)\n\n"
    "filter, which writes rows that all hold for what is asked:\n"
    "  --format=FORMAT        rows (default); packed: whole chunks of a packed trace, by process, "
    "thread and time alone\n"
    "  --compress=HOW         none (default), predicted, or zstd, of packed ones\n"
    "  --process=N            of process N of the trace, from 1\n"
    "  --thread=N             of thread N of its process, from 1\n"
    "  --function=GLOB        in functions, as people write them or as the assembler does\n"
    "  --file=GLOB            at places in files; a name also matches by its last components\n"
    "  --variable=GLOB        accesses of variables or type.field, as the source calls them\n"
    "  --kind=KIND,...        call, tail, under, path, last, loop, read, write, modify, allocated, "
    "released, moved\n"
    "  --address=FROM-TO      accesses that touch a byte of [FROM, TO); hexadecimal\n"
    "  --time=FROM-TO         of chunks published in [FROM, TO), ns as `dump --format=tsv' shows "
    "them\n"
    "  -o FILE                write there, not to standard output\n\n"
    "replay, of a packed trace:\n"
    "  -d DIR                 the profile; it must not exist\n"
    "  --analyses=NAME+...    as in CABPROF_OPTIONS (default: those that the program ran with)\n\n"
    "check, of a packed trace: events are fed in pieces, states are cut off, resumed and merged; "
    "status 1 if a law is broken\n"
    "  --analysis=NAME        one of cabprof's, or PATH/NAME.so, with its arguments\n"
    "  --seed=N               where to cut (default 1)\n",
    stdout);
  return CAB_EXIT_GOOD;
}

int
cab_cmd_trace (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "";
  if (!strcmp (name, "--help") || !strcmp (name, "-h"))
    return cab_trace_help ();
  for (int i = 0; stages[i].name; i++)
    if (!strcmp (name, stages[i].name))
      return stages[i].run (argc - 1, argv + 1);
  return cab_usage ("trace", *name ? name : "stage",
		    *name ? "no such stage (dump, stat, filter, replay, check)"
			  : "is missing (dump, stat, filter, replay, check)");
}

bool
cab_trace_format (int argc, char **argv, enum cab_format *format, const char **path, int *status)
{
  enum { OPT_FORMAT = 256 };
  static const struct option long_options[] = {
    { "format", required_argument, NULL, OPT_FORMAT },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 }
  };
  *status = 0;
  opterr = optind = 0;
  for (int c; !*status && (c = getopt_long (argc, argv, ":h", long_options, NULL)) != -1;)
    switch (c)
      {
      case OPT_FORMAT: *status = cab_arg_format ("trace", optarg, format); break;
      case 'h': *status = cab_trace_help (); return false;
      default: *status = cab_arg_wrong ("trace", argv, c);
      }
  if (!*status)
    *status = cab_arg_trace ("trace", argc, argv, path);
  return !*status;
}

int
cab_trace_file (const char *path, int *fd)
{
  *fd = strcmp (path, "-") ? open (path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (*fd >= 0)
    return 0;
  cab_say ("%s: cannot open: %s: give a trace that `cabprof record --trace=FILE' wrote", path,
	   strerror (errno));
  return CAB_EXIT_FAILED;
}

static void
close_file (int fd)
{
  if (fd != STDIN_FILENO)
    close (fd);
}

int
cab_trace_begin (struct cab_rows_reader *reader, const char *path, int *fd)
{
  struct cab_diag diag;
  int status = cab_trace_file (path, fd);
  if (status || cab_source_open (reader, *fd, path, &diag) == 0)
    return status;
  cab_say ("%s", diag.text);
  close_file (*fd);
  return CAB_EXIT_FAILED;
}

void
cab_trace_modules (const struct cab_rows_reader *reader, uint32_t process, uint32_t *n_told,
		   int (*add) (void *to, const char *path, uint64_t load_bias,
			       struct cab_diag *diag),
		   void *to)
{
  struct cab_diag diag;
  const struct cab_part *part = &cab_source_packed (reader)->processes[process - 1]->part;
  for (; *n_told < part->header->n_modules; ++*n_told)
    {
      const struct cab_part_module *module = &part->modules[*n_told];
      if (add (to, cab_part_string (part, module->path), module->load_bias, &diag) < 0)
	cab_say ("%s", diag.text);
    }
}

int
cab_trace_finish (struct cab_rows_reader *reader, const char *path, int fd, int result,
		  const struct cab_diag *diag)
{
  const struct cab_trace_reader *packed = cab_source_packed (reader);
  uint64_t unknown;
  cab_source_lost (reader, &unknown);
  uint32_t unended = packed && result == CAB_ROWS_END ? cab_trace_unended (packed) : 0;
  if (result < 0)
    cab_say ("%s", diag->text);
  if (unknown)
    cab_say (
      "%s: %ju events are of functions whose records are not in the trace: they are left out", path,
      (uintmax_t) unknown);
  if (unended)
    cab_say ("%s: %u of %u processes have no end in it: they were killed, or the trace was cut "
	     "off: what is there is whole",
	     path, unended, packed->n_processes);
  bool empty = packed && result == CAB_ROWS_END && !packed->n_processes;
  if (empty)
    cab_say ("%s: no process is in it: compile the program with -fplugin=cabprof, or see whether "
	     "the trace was cut off",
	     path);
  cab_rows_close (reader);
  close_file (fd);
  return result < 0 || unended || empty ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
}
