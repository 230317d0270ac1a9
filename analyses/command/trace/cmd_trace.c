/* cmd_trace.c - cabprof trace: examine recorded traces.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/arguments.h"
#include "analyses/command/trace/cmd_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
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

/* Print the help of all stages.  Return CAB_EXIT_GOOD. */
static int
help (void)
{
  static char option[] = "--help";
  fputs ("Usage: cabprof trace STAGE [OPTION...] TRACE\n"
	 "Read a trace of events; - is standard input.  Stages:\n\n", stdout);
  for (int i = 0; stages[i].name; i++)
    cab_arguments_row (stages[i].name, stages[i].summary);
  for (int i = 0; stages[i].name; i++)
    {
      char *argv[] = { (char *) stages[i].name, option, NULL };
      putchar ('\n');
      stages[i].run (2, argv);
    }
  return CAB_EXIT_GOOD;
}

int
cab_cmd_trace (int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "";
  if (!strcmp (name, "--help") || !strcmp (name, "-h"))
    return help ();
  for (int i = 0; stages[i].name; i++)
    if (!strcmp (name, stages[i].name))
      return stages[i].run (argc - 1, argv + 1);
  return cab_usage ("trace", *name ? name : "stage",
		    *name ? "no such stage (dump, stat, filter, replay, check)"
			  : "is missing (dump, stat, filter, replay, check)");
}

int
cab_trace_format (const char *subcommand, const char *about, int argc, char **argv,
		  enum cab_format *format, const char **path)
{
  char **words;
  const struct cab_argument options[] = {
    CAB_ARGUMENT_FORMAT (format)
  };
  const struct cab_arguments arguments = {
    subcommand, "[OPTION...] TRACE", about, .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  return status ? status : cab_arguments_trace (subcommand, words, path);
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
