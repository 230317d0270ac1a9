/* build_log.c - read what the wrappers have recorded of a build.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/formats/build_log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

static void
append (char ***list, int *n, char *text)
{
  *list = xrealloc (*list, (*n + 2) * sizeof **list);
  (*list)[(*n)++] = text;
  (*list)[*n] = NULL;
}

/* Append the file of TEXT, which is "path \t hash"; the hash has no tab, a path may have one. */
static void
append_file (struct cab_file **list, int *n, char *text)
{
  char *tab = strrchr (text, '\t');
  if (!tab)
    return;
  *tab = 0;
  *list = xrealloc (*list, (*n + 1) * sizeof **list);
  (*list)[(*n)++] = (struct cab_file) { text, tab + 1 };
}

static void
take (struct cab_build_command *command, char *text)
{
  char *value = text + 1;
  switch (*text)
    {
    case 'p': command->program = value; break;
    case 'd': command->cwd = value; break;
    case 'n': command->tool = atoi (value); break;
    case 's': command->status = atoi (value); break;
    case 'a': append (&command->argv, &command->argc, value); break;
    case 'e': append (&command->env, &command->n_env, value); break;
    case 'i': append_file (&command->inputs, &command->n_inputs, value); break;
    case 'o': append_file (&command->outputs, &command->n_outputs, value); break;
    default: break;
    }
}

static void
command_fini (struct cab_build_command *command)
{
  cab_args_fini (&command->args);
  free (command->argv);
  free (command->env);
  free (command->inputs);
  free (command->outputs);
}

/* Read one record from *AT on, and move *AT past it; return false if it is torn. */
static bool
read_record (struct cab_build_log *log, char **at, const char *end)
{
  struct cab_build_command command = { .program = NULL };
  bool whole = false;
  for (char *s = *at + strlen (*at) + 1, *next; s < end && !whole && strcmp (s, CAB_BUILD_MARK);
       s = *at = next)
    {
      next = s + strlen (s) + 1;
      whole = !strcmp (s, CAB_BUILD_END);
      if (!whole)
	take (&command, s);   /* splits files in two at the tab */
    }
  if (!whole || !command.program || !command.cwd || !command.argc)
    {
      command_fini (&command);
      return false;
    }
  cab_args_parse (&command.args, command.tool, command.argc, command.argv);
  log->v = xrealloc (log->v, (log->n + 1) * sizeof *log->v);
  log->v[log->n++] = command;
  return true;
}

static char *
read_all (FILE *file, size_t *n)
{
  char *text = NULL;
  size_t got;
  *n = 0;
  do
    {
      text = xrealloc (text, *n + 65537);
      got = fread (text + *n, 1, 65536, file);
      *n += got;
    }
  while (got);
  text[*n] = 0;
  return text;
}

int
cab_build_log_read (struct cab_build_log *log, const char *path, struct cab_diag *diag)
{
  FILE *file = fopen (path, "re");
  size_t n;
  memset (log, 0, sizeof *log);
  if (!file && errno == ENOENT)
    return 0;
  if (!file)
    {
      snprintf (diag->text, sizeof diag->text, "%s: %s: check its permissions", path,
		strerror (errno));
      return -1;
    }
  log->text = read_all (file, &n);
  fclose (file);
  for (char *at = log->text; at < log->text + n && !strcmp (at, CAB_BUILD_MARK);)
    if (!read_record (log, &at, log->text + n))
      break;
  return 0;
}

void
cab_build_log_fini (struct cab_build_log *log)
{
  for (int i = 0; i < log->n; i++)
    command_fini (&log->v[i]);
  free (log->v);
  free (log->text);
  memset (log, 0, sizeof *log);
}
