/* replay_args.c - a recorded command's arguments, adapted to a private tree.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/build/replay_args.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "loopfb/build/replay_pad.h"
#include "loopfb/formats/file_hash.h"

struct words
{
  char **v;
  int n;
};

static void
add (struct words *words, char *word)
{
  words->v = xrealloc (words->v, (words->n + 2) * sizeof *words->v);
  words->v[words->n++] = word;
  words->v[words->n] = NULL;
}

/* Return PATH without "//", "/./" and "/x/../".  It names a private file, so the disk is not
   asked. */
static char *
plain_path (const char *path)
{
  char *result = xcalloc (1, strlen (path) + 2), *to = result;
  while (*path)
    {
      size_t n = strcspn (path, "/");
      if (n == 2 && !strncmp (path, "..", 2))
	{
	  while (to > result && *--to != '/')
	    continue;
	  *to = 0;
	}
      else if (n && !(n == 1 && *path == '.'))
	to += sprintf (to, "/%.*s", (int) n, path);
      path += n + (path[n] == '/');
    }
  return result;
}

static char *
private_path (const struct cab_tree *tree, int c, const char *kind, const char *path)
{
  char number[16], *plain = plain_path (path);
  snprintf (number, sizeof number, "/%d/", c);
  char *result = concat (tree->dir, number, kind, plain, NULL);
  free (plain);
  return result;
}

char *
cab_replay_output (const struct cab_build_graph *graph, const struct cab_tree *tree, int c, int i)
{
  return private_path (tree, c, "out", graph->log->v[c].outputs[i].path);
}

void
cab_make_parents (const char *path)
{
  char *copy = xstrdup (path);
  for (char *slash = copy + 1; (slash = strchr (slash, '/')); slash++)
    {
      *slash = 0;
      mkdir (copy, 0777);
      *slash = '/';
    }
  free (copy);
}

static int
copy_bytes (FILE *from, FILE *to)
{
  char buffer[65536];
  size_t n;
  while ((n = fread (buffer, 1, sizeof buffer, from)) > 0)
    if (fwrite (buffer, 1, n, to) != n)
      return -1;
  return ferror (from) ? -1 : 0;
}

int
cab_copy_file (const char *from, const char *to, struct cab_diag *diag)
{
  char *temporary = concat (to, ".cabprof", NULL);
  struct stat st;
  FILE *in = fopen (from, "re"), *out = in ? fopen (temporary, "we") : NULL;
  int result = out ? copy_bytes (in, out) : -1;
  if (in && !fstat (fileno (in), &st) && out)
    fchmod (fileno (out), st.st_mode & 07777);
  if (out && fclose (out) != 0)
    result = -1;
  if (!result && rename (temporary, to) < 0)
    result = -1;
  if (result < 0)
    snprintf (diag->text, sizeof diag->text, "%s: %s: check the disk and its permissions", to,
	      strerror (errno));
  if (result < 0 && out)
    unlink (temporary);
  if (in)
    fclose (in);
  free (temporary);
  return result;
}

/* Return the number of the output with the contents of C's input K, among those of the command that
   made it. */
static int
output_of_producer (const struct cab_build_graph *graph, int c, int k)
{
  const struct cab_build_command *p = &graph->log->v[graph->producer[c][k]];
  const char *hash = graph->log->v[c].inputs[k].hash;
  int found = 0;
  for (int i = 0; i < p->n_outputs; i++)
    if (!strcmp (p->outputs[i].hash, hash)
	&& (!found || !strcmp (p->outputs[i].path, graph->log->v[c].inputs[k].path)))
      found = i;
  return found;
}

/* Return the file to read for input K of C, to be freed, or null for the recorded one. */
static char *
stand_in (const struct cab_replay *replay, const struct cab_tree *tree, int c, int k)
{
  const struct cab_build_graph *graph = replay->graph;
  int p = graph->producer[c][k];
  const struct cab_file *file = &graph->log->v[c].inputs[k];
  if (p >= 0 && replay->need[p])
    return cab_replay_output (graph, tree, p, output_of_producer (graph, c, k));
  const char *path = cab_graph_on_disk (graph, file);
  return path && strcmp (path, file->path) ? xstrdup (path) : NULL;
}

/* Make TREE/C/in/PATH a link to FILE, and return its name, or null. */
static char *
link_input (const struct cab_tree *tree, int c, const char *path, const char *file)
{
  char *name = private_path (tree, c, "in", path);
  cab_make_parents (name);
  unlink (name);
  if (symlink (file, name) < 0)
    {
      free (name);
      return NULL;
    }
  return name;
}

static int
input_number (const struct cab_build_command *command, const char *path)
{
  char *whole = cab_absolute (command->cwd, path);
  int found = -1;
  for (int k = 0; k < command->n_inputs && found < 0; k++)
    if (!strcmp (command->inputs[k].path, whole))
      found = k;
  free (whole);
  return found;
}

/* Arguments in which parts are being replaced. */
struct change
{
  const struct cab_replay *replay;
  const struct cab_tree *tree;
  int c;
  char **argv;      /* changed so far; entries are null where an argument is left out */
};

/* Replace the bytes of an argument that NAMED describes by TEXT.  Within one argument the parts
   have to be replaced from the last to the first. */
static void
replace (struct change *change, const struct cab_named *named, const char *text)
{
  char *old = change->argv[named->arg], *head = xstrndup (old, named->from);
  change->argv[named->arg] = concat (head, text, old + named->from + named->n, NULL);
  free (head);
  free (old);
}

static void
replace_inputs (struct change *change, const struct cab_named_list *list)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  for (int i = list->n - 1; i >= 0; i--)
    {
      int k = input_number (command, list->v[i].path);
      char *file = k >= 0 ? stand_in (change->replay, change->tree, change->c, k) : NULL;
      char *name = file ? link_input (change->tree, change->c, command->inputs[k].path, file)
			: NULL;
      if (name)
	replace (change, &list->v[i], name);
      free (name);
      free (file);
    }
}

/* Link the libraries that -l finds, where they have been replaced, into directories of our own.
   add_library_dir puts each of them before the -L that it stands for. */
static void
replace_libraries (struct change *change)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  int n_named = command->args.sources.n + command->args.inputs.n;
  for (int k = n_named; k < command->n_inputs && command->args.step == CAB_STEP_LINK; k++)
    {
      char *file = stand_in (change->replay, change->tree, change->c, k);
      free (file ? link_input (change->tree, change->c, command->inputs[k].path, file) : NULL);
      free (file);
    }
}

/* Prepare the OUTPUT of an archiver or of a tool that changes files: put the file, as it was before
   the command, at its private place. */
static int
begin_in_place (struct change *change, const struct cab_named *named, const char *output,
		struct cab_diag *diag)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  int k = input_number (command, named->path);
  bool was_there = k >= 0 && *command->inputs[k].hash;
  char *file = was_there ? stand_in (change->replay, change->tree, change->c, k) : NULL;
  int result = 0;
  /* If the recorded contents are nowhere any more, the present ones are used: an archiver replaces
     members by name. */
  if (was_there)
    result = cab_copy_file (file ? file : command->inputs[k].path, output, diag);
  else
    unlink (output);
  free (file);
  return result;
}

static int
replace_outputs (struct change *change, int source, struct cab_diag *diag)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  int result = 0;
  for (int i = 0; i < command->args.outputs.n && !result; i++)
    {
      const struct cab_named *named = &command->args.outputs.v[i];
      char *output = private_path (change->tree, change->c, "out", command->outputs[i].path);
      cab_make_parents (output);
      if (command->args.step == CAB_STEP_ARCHIVE || command->args.step == CAB_STEP_CHANGE)
	result = begin_in_place (change, named, output, diag);
      if (named->arg >= 0)
	replace (change, named, output);
      else if (source < 0 || source == i)
	{
	  change->argv[command->argc] = xstrdup ("-o");
	  change->argv[command->argc + 1] = xstrdup (output);
	}
      free (output);
    }
  return result;
}

static void
leave_out (struct change *change, int i)
{
  free (change->argv[i]);
  change->argv[i] = NULL;
}

/* Leave out options that request further files, which would be written into the user's tree. */
static void
leave_out_side_files (struct change *change)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  for (int i = 1; i < command->argc; i++)
    {
      int n = change->argv[i] ? cab_args_side_file (change->argv[i]) : 0;
      if (!n && cab_args_takes_value (CAB_TOOL_GCC, command->argv[i]))
	i++;
      for (int k = 0; k < n && i + k < command->argc; k++)
	leave_out (change, i + k);
    }
}

static bool
has_fortran (const struct cab_args *args)
{
  for (int i = 0; i < args->sources.n; i++)
    {
      const char *dot = strrchr (args->sources.v[i].path, '.');
      if (dot && (strchr ("fF", dot[1])))
	return true;
    }
  return false;
}

/* Make a Fortran compilation write its modules to a directory of its own, and read those of others
   where they are. */
static void
move_modules (struct change *change, struct words *words)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  if (!has_fortran (&command->args))
    return;
  char *dir = private_path (change->tree, change->c, "mod", "/x");
  cab_make_parents (dir);
  dir[strlen (dir) - 2] = 0;
  add (words, concat ("-J", dir, NULL));
  free (dir);
  for (int i = 1; i < command->argc; i++)
    if (change->argv[i] && change->argv[i][0] == '-' && change->argv[i][1] == 'J')
      change->argv[i][1] = 'I';
}

/* Add a -L of our own directory for inputs before each -L, where there is one. */
static void
add_library_dir (struct change *change, int arg, struct words *words)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  const struct cab_named_list *dirs = &command->args.dirs;
  for (int d = 0; d < dirs->n; d++)
    if (arg == dirs->v[d].arg - (dirs->v[d].from == 0))
      {
	char *whole = cab_absolute (command->cwd, dirs->v[d].path),
	     *name = private_path (change->tree, change->c, "in", whole);
	if (!access (name, R_OK))
	  add (words, concat ("-L", name, NULL));
	free (name);
	free (whole);
      }
}

static void
leave_out_other_sources (struct change *change, int source)
{
  const struct cab_named_list *sources = &change->replay->graph->log->v[change->c].args.sources;
  for (int i = 0; i < sources->n && source >= 0; i++)
    if (i != source)
      leave_out (change, sources->v[i].arg);
}

/* Add the option by which files beside the output have the names that they have without -o. */
static void
keep_names (struct change *change, struct words *words)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  const struct cab_named *output = command->args.outputs.n ? command->args.outputs.v : NULL;
  const char *path = output && output->arg >= 0 ? output->path : NULL;
  add (words, xstrdup ("-dumpdir"));
  if (command->args.step == CAB_STEP_LINK)
    add (words, concat (path ? path : "a", "-", NULL));
  else
    add (words, path ? xstrndup (path, lbasename (path) - path) : xstrdup (""));
}

/* Return true if argument I of a link is an object that a hot command has made. */
static bool
is_hot_object (const struct change *change, int i)
{
  const struct cab_build_graph *graph = change->replay->graph;
  const struct cab_build_command *command = &graph->log->v[change->c];
  const struct cab_named_list *inputs = &command->args.inputs;
  for (int k = 0; k < inputs->n && change->replay->hot; k++)
    if (inputs->v[k].arg == i && inputs->v[k].from == 0)
      {
	int number = input_number (command, inputs->v[k].path);
	int producer = number < 0 ? -1 : graph->producer[change->c][number];
	return producer >= 0 && change->replay->hot[producer]
	    && graph->log->v[producer].args.step == CAB_STEP_COMPILE;
      }
  return false;
}

/* Add padding in front of argument I of a link: of the first one, and of hot objects.  An option
   that names a language (-x) would hold for padding, too, so there is none behind it. */
static void
add_padding (struct change *change, int i, struct words *words, struct cab_diag *diag)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  bool named = false;
  if (!change->tree->place || command->tool != CAB_TOOL_GCC
      || command->args.step != CAB_STEP_LINK || command->args.partial)
    return;
  for (int k = 1; k < i && k < command->argc && !named; k++)
    named = !strncmp (command->argv[k], "-x", 2);
  if (!named && (i == 1 || (i < command->argc && is_hot_object (change, i))))
    {
      char *pad = cab_replay_pad (change->tree, change->c, i, diag);
      if (pad)
	add (words, pad);
    }
}

static char **
collect (struct change *change, struct cab_diag *diag)
{
  const struct cab_build_command *command = &change->replay->graph->log->v[change->c];
  struct words words = { NULL, 0 };
  bool splits_dwarf = false;
  add (&words, change->argv[0]);
  if (command->tool == CAB_TOOL_GCC)
    move_modules (change, &words);
  for (int i = 1; i < command->argc + 2; i++)
    {
      add_library_dir (change, i, &words);
      add_padding (change, i, &words, diag);
      if (change->argv[i])
	add (&words, change->argv[i]);
      splits_dwarf |= change->argv[i] && !strcmp (change->argv[i], "-gsplit-dwarf");
    }
  /* The second file that -gsplit-dwarf writes would be in the tree, which is removed. */
  if (splits_dwarf)
    add (&words, xstrdup ("-gno-split-dwarf"));
  if (change->tree->keeps_names && command->args.sources.n)
    keep_names (change, &words);
  for (const char *const *flag = change->tree->flags; *flag && command->args.sources.n; flag++)
    add (&words, xstrdup (*flag));
  free (change->argv);
  return words.v;
}

char **
cab_replay_args (const struct cab_replay *replay, const struct cab_tree *tree, int c, int source,
		 struct cab_diag *diag)
{
  const struct cab_build_command *command = &replay->graph->log->v[c];
  struct change change = { replay, tree, c, xcalloc (command->argc + 3, sizeof (char *)) };
  for (int i = 0; i < command->argc; i++)
    change.argv[i] = xstrdup (command->argv[i]);
  replace_inputs (&change, &command->args.inputs);
  replace_inputs (&change, &command->args.sources);
  replace_libraries (&change);
  int failed = replace_outputs (&change, source, diag);
  leave_out_other_sources (&change, source);
  if (command->tool == CAB_TOOL_GCC)
    leave_out_side_files (&change);
  char **result = collect (&change, diag);
  if (failed || *diag->text)
    {
      freeargv (result);
      return NULL;
    }
  return result;
}

/* Return VALUE, which is a PATH, without DIR. */
static char *
without_dir (const char *value, const char *dir)
{
  char *result = xcalloc (1, strlen (value) + 1), *to = result;
  while (value)
    {
      size_t n = strcspn (value, ":");
      if (!dir || strlen (dir) != n || strncmp (value, dir, n))
	to += sprintf (to, "%s%.*s", to > result ? ":" : "", (int) n, value);
      value = value[n] ? value + n + 1 : NULL;
    }
  return result;
}

static bool
is_set_by (const char *entry, const struct cab_build_command *command)
{
  size_t n = strcspn (entry, "=");
  for (int i = 0; i < command->n_env; i++)
    if (!strncmp (command->env[i], entry, n) && (!command->env[i][n] || command->env[i][n] == '='))
      return true;
  return !strncmp (entry, CAB_FEEDBACK "=", strlen (CAB_FEEDBACK) + 1)
      || !strncmp (entry, CAB_BUILD_LOG "=", strlen (CAB_BUILD_LOG) + 1);
}

char **
cab_replay_environment (const struct cab_replay *replay, const struct cab_tree *tree, int c)
{
  const struct cab_build_command *command = &replay->graph->log->v[c];
  struct words words = { NULL, 0 };
  for (char **entry = environ; *entry; entry++)
    if (!is_set_by (*entry, command))
      add (&words, xstrdup (*entry));
  for (int i = 0; i < command->n_env; i++)
    if (!strncmp (command->env[i], "PATH=", 5))
      {
	char *path = without_dir (command->env[i] + 5, replay->own_path);
	add (&words, concat ("PATH=", path, NULL));
	free (path);
      }
    else if (strchr (command->env[i], '='))
      add (&words, xstrdup (command->env[i]));
  add (&words, concat (CAB_FEEDBACK "=", tree->hints, NULL));
  return words.v;
}
