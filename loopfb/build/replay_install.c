/* replay_install.c - replace what the build has made by a variant.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/build/replay.h"
#include "loopfb/build/replay_args.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "loopfb/formats/file_hash.h"

/* Files that have been replaced: N of them, kept as BACKUP/0, BACKUP/1 and so on. */
struct install
{
  const struct cab_replay *replay;
  const struct cab_tree *tree;
  const char *backup;
  char **paths;
  int n;
  struct cab_diag *diag;
};

static char *
kept (const struct install *install, int i)
{
  char number[16];
  snprintf (number, sizeof number, "/%d", i);
  return concat (install->backup, number, NULL);
}

static bool
is_replaced (const struct install *install, const char *path)
{
  for (int i = 0; i < install->n; i++)
    if (!strcmp (install->paths[i], path))
      return true;
  return false;
}

/* Replace PATH by FROM, if PATH still has the contents that the build gave it. */
static int
replace (struct install *install, const char *from, const char *path, const char *hash)
{
  char whole[PATH_MAX];
  if (!realpath (path, whole) || is_replaced (install, whole))
    return 0;
  char *now = cab_file_hash (whole), *backup = kept (install, install->n);
  int result = 0;
  if (*hash && !strcmp (now, hash))
    {
      result = cab_copy_file (whole, backup, install->diag);
      install->paths = xrealloc (install->paths, (install->n + 1) * sizeof *install->paths);
      if (!result)
	install->paths[install->n++] = xstrdup (whole);
      if (!result)
	result = cab_copy_file (from, whole, install->diag);
    }
  free (now);
  free (backup);
  return result;
}

/* Install output I of command C, wherever the build has put it. */
static int
install_output (struct install *install, int c, int i)
{
  const struct cab_build_log *log = install->replay->graph->log;
  const struct cab_file *file = &log->v[c].outputs[i];
  char *from = cab_replay_output (install->replay->graph, install->tree, c, i);
  int result = replace (install, from, file->path, file->hash);
  for (int k = c + 1; k < log->n && !result; k++)
    for (int n = 0; n < log->v[k].n_inputs && !result; n++)
      if (!strcmp (log->v[k].inputs[n].hash, file->hash))
	result = replace (install, from, log->v[k].inputs[n].path, file->hash);
  free (from);
  return result;
}

static void
put_back (struct install *install)
{
  struct cab_diag ignored;
  for (int i = 0; i < install->n; i++)
    {
      char *backup = kept (install, i);
      cab_copy_file (backup, install->paths[i], &ignored);
      free (backup);
    }
}

int
cab_replay_install (const struct cab_replay *replay, const struct cab_tree *tree,
		    const char *backup, struct cab_diag *diag)
{
  const struct cab_build_log *log = replay->graph->log;
  struct install install = { replay, tree, backup, NULL, 0, diag };
  int result = 0;
  char *first = kept (&install, 0);
  cab_make_parents (first);
  free (first);
  for (int c = 0; c < log->n && !result; c++)
    for (int i = 0; i < log->v[c].n_outputs && replay->need[c] && !result; i++)
      result = install_output (&install, c, i);
  if (result < 0)
    put_back (&install);
  result = result < 0 ? result : install.n;
  for (int i = 0; i < install.n; i++)
    free (install.paths[i]);
  free (install.paths);
  return result;
}
