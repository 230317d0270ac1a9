/* arguments.c - see arguments.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/arguments.h"
#include <errno.h>
#include <getopt.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/command.h"
#include "loopfb/formats/pattern.h"
#include "rt/common/snapshot.h"
#include "analyses/profile/programs.h"

int
cab_arg_format (const char *subcommand, const char *name, enum cab_format *format)
{
  *format = cab_table_format (name);
  return *format ? 0 : cab_usage (subcommand, name, "no such format (text, tsv, json)");
}

int
cab_arg_limit (const char *subcommand, const char *text, long *limit)
{
  char *end;
  errno = 0;
  *limit = strtol (text, &end, 10);
  return *text && !*end && !errno && *limit >= 0
	 ? 0
	 : cab_usage (subcommand, text, "not a number of rows");
}

int
cab_arg_pattern (const char *subcommand, const char *text, const char **pattern)
{
  char words[200];
  const char *wrong = cab_pattern_wrong (text);
  *pattern = text;
  if (!wrong)
    return 0;
  snprintf (words, sizeof words, "bad regular expression: %s", wrong);
  return cab_usage (subcommand, text, words);
}

int
cab_arg_wrong (const char *subcommand, char **argv, int c)
{
  /* In a cluster such as -xy getopt has not moved on yet, and only optopt has the letter. */
  char letter[3] = { '-', optopt, 0 };
  const char *option = optopt > 0 && optopt < 256 ? letter : argv[optind - 1];
  return cab_usage (subcommand, option, c == ':' ? "a value is missing" : "no such option");
}

int
cab_arg_open (struct cab_model *model, const char *dir, bool by_thread, const char *program)
{
  return cab_arg_open_region (model, dir, by_thread, program, NULL);
}

void
cab_arg_snapshots (const char *dir, char *names, size_t bytes)
{
  char *path = concat (dir, "/" CAB_SNAPSHOTS_DIR, NULL);
  struct dirent **list = NULL;
  int n = scandir (path, &list, NULL, alphasort);
  size_t at = 0;
  *names = 0;
  for (int i = 0; i < n; i++)
    {
      if (cab_snapshot_is_name (list[i]->d_name) && at < bytes)
	at += snprintf (names + at, bytes - at, "%s%s", at ? ", " : "", list[i]->d_name);
      free (list[i]);
    }
  free (list);
  free (path);
}

const char *
cab_arg_snapshot (const char *dir, const char *name)
{
  static char *path;
  char names[256];
  struct stat s;
  if (!name)
    return dir;
  free (path);
  path = concat (dir, "/" CAB_SNAPSHOTS_DIR "/", name, NULL);
  if (cab_snapshot_is_name (name) && stat (path, &s) == 0)
    return path;
  cab_arg_snapshots (dir, names, sizeof names);
  cab_say ("%s: there is no snapshot %s: %s%s", dir, name,
	   *names ? "there are "
		  : "call cabprof_snapshot in the program, or use `cabprof ctl PID snapshot'",
	   names);
  return NULL;
}

int
cab_arg_open_region (struct cab_model *model, const char *dir, bool by_thread, const char *program,
		     const char *region)
{
  struct cab_diag diag;
  if (cab_model_open_region (model, dir, by_thread, program, region, &diag) == 0)
    return 0;
  cab_say ("%s", diag.text);
  return CAB_EXIT_FAILED;
}

bool cab_arg_running_is_known;

int
cab_arg_problems (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_problems; i++)
    cab_say ("%s", model->problems[i]);
  for (uint32_t i = 0; i < model->n_unborn; i++)
    cab_say ("%s", model->unborn[i]);
  for (uint32_t i = 0; i < model->n_processes; i++)
    if (model->processes[i].state == CAB_PROCESS_RUNNING && !cab_arg_running_is_known)
      cab_say ("%s: process %ju is still running: its counts are those of this moment",
	       model->processes[i].part, (uintmax_t) model->processes[i].pid);
  if (model->others)
    cab_say ("%s: this is %s, the program that did most; also there: %s: give --program=NAME, or "
	     "--program=" CAB_ALL_PROGRAMS,
	     model->dir, model->program, model->others);
  return model->n_problems ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
}

void
cab_arg_write (struct cab_table *table, enum cab_format format, long limit, const char *profile)
{
  struct cab_style style;
  cab_table_limit (table, limit);
  if (format == CAB_FORMAT_TSV)
    cab_table_tsv (table, stdout);
  else if (format == CAB_FORMAT_JSON)
    cab_table_json (table, profile, stdout);
  else
    {
      cab_style_of (&style, stdout);
      cab_table_text (table, &style, stdout);
    }
}

int
cab_arg_no_column (const struct cab_table *table, const char *name, enum cab_format format)
{
  char names[256] = "";
  size_t n = 0;
  for (int c = 0; c < table->n_columns && n < sizeof names; c++)
    if (!table->columns[c].formats || table->columns[c].formats & format)
      n += snprintf (names + n, sizeof names - n, "%s%s", n ? ", " : "", table->columns[c].name);
  cab_say ("--sort=%s: %s has no such column: sort by %s", name, table->name, names);
  return CAB_EXIT_USAGE;
}

/* Return true if standard input has a sender, as a pipe or a redirected file has. */
static bool
has_input (void)
{
  struct stat st;
  return fstat (STDIN_FILENO, &st) == 0
      && (S_ISFIFO (st.st_mode) || S_ISREG (st.st_mode) || S_ISSOCK (st.st_mode));
}

int
cab_arg_trace (const char *subcommand, int argc, char **argv, const char **path)
{
  if (optind == argc && !has_input ())
    return cab_usage (subcommand, "trace", "is missing (- is standard input)");
  if (optind + 1 < argc)
    return cab_usage (subcommand, argv[optind + 1], "one trace at a time");
  *path = optind < argc ? argv[optind] : "-";
  return 0;
}

static int
refuse (const char *path, int error)
{
  cab_say ("%s: cannot write: %s: name another file", path, strerror (error));
  return CAB_EXIT_FAILED;
}

static void
forget (struct cab_output *output)
{
  free (output->path);
  free (output->temporary);
  *output = (struct cab_output) { 0 };
}

int
cab_output_open (struct cab_output *output, const char *path)
{
  struct stat st;
  *output = (struct cab_output) { .to = stdout };
  if (!path || !strcmp (path, "-"))
    return 0;
  bool exists = stat (path, &st) == 0;
  char *target = exists ? realpath (path, NULL) : NULL;   /* the file that a symbolic link leads
							     to */
  output->path = target ? target : xstrdup (path);
  if (exists && S_ISDIR (st.st_mode))
    errno = EISDIR, output->to = NULL;
  else if (exists && !S_ISREG (st.st_mode))
    output->to = fopen (path, "w");
  else
    {
      output->temporary = xasprintf ("%s.tmp-%ld", output->path, (long) getpid ());
      output->to = fopen (output->temporary, "wx");
    }
  if (output->to)
    return 0;
  int error = errno;
  forget (output);
  return refuse (path, error);
}

int
cab_output_close (struct cab_output *output, bool keep)
{
  int status = 0, error = 0;
  if (output->to == stdout)
    return 0;
  errno = 0;
  if (fflush (output->to) != 0 || ferror (output->to))
    error = errno ? errno : EIO;
  if (fclose (output->to) != 0 && !error)
    error = errno;
  if (!error && keep && output->temporary && rename (output->temporary, output->path) < 0)
    error = errno;
  if (output->temporary && (error || !keep))
    unlink (output->temporary);
  if (error)
    status = refuse (output->path, error);
  forget (output);
  return status;
}
