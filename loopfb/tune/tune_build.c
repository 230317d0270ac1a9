/* tune_build.c - record the user's build, and build variants of it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_build.h"
#include "loopfb/tune/tune_rebuild.h"
#include "loopfb/tune/tune_shell.h"
#include "loopfb/build/run_line.h"
#include "loopfb/tune/tune_hints.h"
#include "loopfb/tune/tune_places.h"
#include "loopfb/tune/tune_say.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"
#include "analyses/binary/image.h"
#include "loopfb/attribute/loop_table.h"
#include "loopfb/build/replay_args.h"
#include "loopfb/formats/file_hash.h"

static int
refuse_recording (const struct cab_tune *tune, const char *what, const char *advice)
{
  cab_say ("%s: %s: %s", tune->options.build, what, advice);
  return -1;
}

static int
read_log (struct cab_tune *tune)
{
  struct cab_diag diag;
  char *path = concat (tune->work, "/build.log", NULL);
  int result = cab_build_log_read (&tune->log, path, &diag), n = 0;
  free (path);
  if (result < 0)
    return cab_say ("%s", diag.text), -1;
  cab_graph_init (&tune->graph, &tune->log);
  tune->hot = xcalloc (tune->log.n + 1, sizeof *tune->hot);
  tune->need = xcalloc (tune->log.n + 1, sizeof *tune->need);
  tune->all = xcalloc (tune->log.n + 1, sizeof *tune->all);
  for (int c = 0; c < tune->log.n; c++)
    n += tune->log.v[c].args.sources.n > 0 && !tune->log.v[c].status;
  if (!n)
    return refuse_recording (
      tune, "no compilation was seen",
      "start from a clean tree (make clean; make); a compiler that is called by its path, \
or in a container, is not seen: name cabprof-gcc in its place (CC=cabprof-gcc), or use --rebuild");
  cab_tune_say ("recorded %d commands, %d of them compile", tune->log.n, n);
  return 0;
}

int
cab_tune_build (struct cab_tune *tune)
{
  char *none = concat (tune->work, "/none.hints", NULL),
       *log = concat (tune->work, "/build.log", NULL);
  int result = cab_tune_hints_write (tune, -1, none, false);
  if (!result && !tune->options.resume)
    {
      const char *command = tune->options.rebuild ? tune->options.rebuild : tune->options.build;
      cab_tune_say ("building: %s", command);
      tune->began = time (NULL);
      result = tune->options.rebuild ? cab_tune_rebuild (tune, -1)
				     : cab_tune_shell (tune, command, none, log);
    }
  free (none);
  free (log);
  return result || tune->options.rebuild ? result : read_log (tune);
}

static bool
is_built (void *host, const char *path)
{
  return cab_graph_program (&((struct cab_tune *) host)->graph, path) >= 0;
}

int
cab_tune_find_program (struct cab_tune *tune)
{
  const char *given = tune->options.program;
  if (tune->options.rebuild)
    return 0;
  if (strstr (tune->options.run, "LD_LIBRARY_PATH="))
    {
      cab_say ("%s: with LD_LIBRARY_PATH in it each variant would find the default's libraries: "
	       "export it before cabprof is called",
	       tune->options.run);
      return -1;
    }
  tune->program = given ? xstrdup (given)
			: cab_run_line_program (tune->options.run, is_built, tune);
  if (!tune->program && tune->options.resume)
    {
      cab_say ("%s: no word of it names a program as the build has left it: a tune that has ended "
	       "has put hints into it: start again, without --resume",
	       tune->options.run);
      return -1;
    }
  if (!tune->program)
    {
      cab_say ("%s: no word of it names a program that the build has linked: name it with "
	       "--program; a script then finds the variant in "
	       "$CABPROF_PROGRAM",
	       tune->options.run);
      return -1;
    }
  tune->target = cab_graph_program (&tune->graph, tune->program);
  if (tune->target < 0)
    {
      cab_say ("%s: the build has not linked it, or it has been changed since: name the program as "
	       "the linker wrote it",
	       tune->program);
      return -1;
    }
  char *hash = cab_file_hash (tune->program);
  const struct cab_build_command *command = &tune->log.v[tune->target];
  for (int i = 0; i < command->n_outputs; i++)
    if (!strcmp (command->outputs[i].hash, hash))
      tune->target_output = i;
  free (hash);
  return 0;
}

/* Return true if IMAGE is an object for link-time compilation, which has its loop table in the
   compiler's own form. */
static bool
is_for_lto (const struct cab_image *image)
{
  return cab_image_has_sections (image, ".gnu.lto_");
}

/* Return true if the file at PATH holds a loop that is tuned, or may hold one. */
static bool
has_hot_loops (const struct cab_tune *tune, const char *path)
{
  struct cab_loop_table table;
  struct cab_image image;
  struct cab_diag diag;
  bool found = false;
  if (cab_image_open (&image, path, &diag) == 0)
    {
      found = is_for_lto (&image);
      cab_image_close (&image);
    }
  cab_loop_table_init (&table);
  if (cab_loop_table_add_elf (&table, path, &diag) >= 0)
    for (int i = 0; i < tune->n_loops && !found; i++)
      found = cab_loop_table_find (&table, tune->loops[i].key) != CAB_NO_LOOP;
  cab_loop_table_fini (&table);
  return found;
}

/* Return true if command C compiles a part of the program. */
static bool
compiles (const struct cab_tune *tune, int c)
{
  const struct cab_build_command *command = &tune->log.v[c];
  return !command->status && command->args.sources.n && !command->args.from_stdin
      && cab_graph_reaches (&tune->graph, c, tune->target);
}

/* Return true if command C, which compiles, compiles a tuned loop: its outputs tell.  If none of
   them is left, it may. */
static bool
is_hot (const struct cab_tune *tune, int c)
{
  const struct cab_build_command *command = &tune->log.v[c];
  bool asked = false;
  for (int i = 0; i < command->n_outputs; i++)
    {
      const char *path = cab_graph_on_disk (&tune->graph, &command->outputs[i]);
      asked |= path != NULL;
      if (path && has_hot_loops (tune, path))
	return true;
    }
  return !asked;
}

/* Check that each source of the commands that are run again is unchanged. */
static int
check_sources (const struct cab_tune *tune)
{
  for (int c = 0; c < tune->log.n; c++)
    for (int k = 0; k < tune->log.v[c].args.sources.n && tune->need[c]; k++)
      {
	const struct cab_file *file = &tune->log.v[c].inputs[k];
	if (tune->graph.producer[c][k] < 0 && !cab_graph_on_disk (&tune->graph, file))
	  {
	    cab_say ("%s: %s: start again, without --resume", file->path,
		     access (file->path, F_OK) ? "is gone since the build"
					       : "has changed since the build");
	    return -1;
	  }
      }
  return 0;
}

int
cab_tune_find_hot (struct cab_tune *tune)
{
  int n = 0;
  if (tune->options.rebuild)
    return 0;
  for (int c = 0; c < tune->log.n; c++)
    {
      tune->hot[c] = compiles (tune, c) && (!tune->n_loops || is_hot (tune, c));
      n += tune->hot[c];
    }
  int n_need = cab_graph_need (&tune->graph, tune->hot, tune->target, tune->need);
  if (!n || !n_need)
    {
      cab_say ("%s: no recorded compilation of the loops that matter leads to it: is the build's "
	       "tree clean? (make clean; make)",
	       tune->program);
      return -1;
    }
  cab_tune_say ("%d of %d commands are given again for each variant (%d compile loops that matter)",
		n_need, tune->log.n, n);
  return check_sources (tune);
}

static void
progress (void *host, int done, int of)
{
  (void) host;
  if (isatty (2))
    fprintf (stderr, "\rcabprof: tune: building variants: %d of %d commands%s", done, of,
	     done == of ? "\n" : "");
}

/* Return the name of the file that marks a tree as complete: a copy of the tree's hints. */
static char *
done_file (const struct cab_tune_variant *variant)
{
  return concat (variant->dir, "/done", NULL);
}

/* Write the hints of variant V, and note whether its tree is there already, made with the same
   hints. */
static int
prepare (struct cab_tune *tune, int v)
{
  struct cab_tune_variant *variant = &tune->variants[v];
  char *done = done_file (variant);
  cab_make_parents (variant->hints);
  int result = cab_tune_hints_write (tune, v, variant->hints, false);
  if (!result && !access (done, F_OK))
    {
      char *was = cab_file_hash (done), *is = cab_file_hash (variant->hints);
      variant->built = !strcmp (was, is);
      variant->place = CAB_TUNE_PLACE_UNKNOWN;
      free (was);
      free (is);
    }
  free (done);
  return result;
}

struct cab_tree
cab_tune_tree_of (const struct cab_tune_variant *variant)
{
  struct cab_tree tree = { .dir = variant->dir, .hints = variant->hints,
			   .keeps_names = variant->whole };
  memcpy (tree.flags, variant->flags, sizeof variant->flags);
  return tree;
}

/* Make the N trees TREES by the commands in NEED. */
static int
build_trees (struct cab_tune *tune, const bool *need, const struct cab_tree *trees, int n)
{
  struct cab_replay replay = { .graph = &tune->graph, .need = need, .own_path = tune->own_path,
			       .jobs = tune->options.jobs, .progress = progress };
  struct cab_diag diag;
  cab_tune_say ("building %d variant%s", n, n == 1 ? "" : "s");
  int result = cab_replay_run (&replay, trees, n, &diag);
  if (result == -1)
    cab_say ("%s", diag.text);
  return result;
}

static void
mark_built (struct cab_tune *tune, struct cab_tune_variant *variant)
{
  struct cab_diag diag;
  char *done = done_file (variant);
  variant->built = true;
  variant->place = 0;
  tune->n_builds++;
  cab_copy_file (variant->hints, done, &diag);
  free (done);
}

/* Build variant V by the commands in NEED, unless it is built. */
static int
build_by (struct cab_tune *tune, int v, const bool *need)
{
  struct cab_tune_variant *variant = &tune->variants[v];
  int result = prepare (tune, v);
  if (result || variant->built)
    return result;
  struct cab_tree tree = cab_tune_tree_of (variant);
  result = build_trees (tune, need, &tree, 1);
  if (!result)
    mark_built (tune, variant);
  return result;
}

int
cab_tune_build_one (struct cab_tune *tune, int v)
{
  int result = build_by (tune, v, tune->need);
  tune->variants[v].failed = result && result != CAB_INTERRUPTED;
  return result;
}

int
cab_tune_build_whole (struct cab_tune *tune, int v)
{
  bool *compile = xcalloc (tune->log.n + 1, sizeof *compile);
  for (int c = 0; c < tune->log.n; c++)
    compile[c] = compiles (tune, c);
  cab_graph_need (&tune->graph, compile, tune->target, tune->all);
  free (compile);
  return build_by (tune, v, tune->all);
}

bool
cab_tune_is_lto (const struct cab_tune *tune)
{
  bool found = false;
  for (int c = 0; c < tune->log.n && !found; c++)
    for (int i = 0; i < tune->log.v[c].n_outputs && tune->hot[c] && !found; i++)
      {
	const char *path = cab_graph_on_disk (&tune->graph, &tune->log.v[c].outputs[i]);
	struct cab_image image;
	struct cab_diag diag;
	if (!path || cab_image_open (&image, path, &diag) < 0)
	  continue;
	found = is_for_lto (&image);
	cab_image_close (&image);
      }
  return found;
}

int
cab_tune_build_variants (struct cab_tune *tune)
{
  struct cab_tree *trees = xcalloc (tune->n_variants + 1, sizeof *trees);
  int n = 0, result = 0;
  for (int v = 0; v < tune->n_variants && !result; v++)
    {
      struct cab_tune_variant *variant = &tune->variants[v];
      if (!variant->built && !variant->whole && !variant->failed)
	result = prepare (tune, v);
      if (result || variant->built || variant->whole || variant->failed)
	continue;
      trees[n++] = cab_tune_tree_of (variant);
      if (tune->options.rebuild)
	cab_tune_say ("rebuilding with hints `%s'", variant->name);
      if (tune->options.rebuild)
	result = cab_tune_rebuild (tune, v);
    }
  if (!result && n && !tune->options.rebuild)
    result = build_trees (tune, tune->need, trees, n);
  for (int v = 0; v < tune->n_variants && !result; v++)
    if (!tune->variants[v].built && !tune->variants[v].whole && !tune->variants[v].failed)
      mark_built (tune, &tune->variants[v]);
  free (trees);
  return result;
}

char *
cab_tune_program (const struct cab_tune *tune, int variant)
{
  if (variant < 0)
    return xstrdup (tune->program);
  if (tune->options.rebuild)
    return concat (tune->variants[variant].dir, "/", lbasename (tune->program), NULL);
  struct cab_tree tree = { .dir = tune->variants[variant].dir };
  return cab_replay_output (&tune->graph, &tree, tune->target, tune->target_output);
}

/* A program that was copied from where the linker wrote it (make install) is replaced, too. */
int
cab_tune_install (struct cab_tune *tune, int variant)
{
  if (tune->options.rebuild)
    return cab_tune_rebuild (tune, variant);
  if (cab_tune_place (tune, variant, 0) < 0)
    return -1;
  const bool *need = tune->variants[variant].whole ? tune->all : tune->need;
  struct cab_replay replay = { .graph = &tune->graph, .need = need, .own_path = tune->own_path,
			       .jobs = tune->options.jobs };
  struct cab_tree tree = { .dir = tune->variants[variant].dir,
			   .hints = tune->variants[variant].hints };
  struct cab_diag diag;
  char *backup = concat (tune->work, "/backup", NULL), *from = cab_tune_program (tune, variant),
       *now = cab_file_hash (tune->program);
  char *was = xstrdup (tune->log.v[tune->target].outputs[tune->target_output].hash);
  int n = cab_replay_install (&replay, &tree, backup, &diag);
  char *then = cab_file_hash (tune->program);
  if (n >= 0 && !strcmp (now, then) && !strcmp (now, was)
      && cab_copy_file (from, tune->program, &diag) < 0)
    n = -1;
  if (n < 0)
    cab_say ("%s", diag.text);
  else
    cab_tune_say ("%d file%s of the build replaced by what the hints give", n, n == 1 ? "" : "s");
  free (backup);
  free (from);
  free (now);
  free (was);
  free (then);
  return n < 0 ? -1 : 0;
}
