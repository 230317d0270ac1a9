/* build_graph.c - which command of a recorded build made which input of which other.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/build/build_graph.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "loopfb/formats/file_hash.h"

static bool
same_path (const char *a, const char *b)
{
  char whole_a[PATH_MAX], whole_b[PATH_MAX];
  return !strcmp (a, b)
      || (realpath (a, whole_a) && realpath (b, whole_b) && !strcmp (whole_a, whole_b));
}

/* Return how well command C explains FILE: 0 not at all, 1 by the contents, 2 also by the last part
   of the name, 3 also by the path. */
static int
explains (const struct cab_build_command *c, const struct cab_file *file)
{
  int best = 0;
  for (int i = 0; i < c->n_outputs; i++)
    if (!strcmp (c->outputs[i].hash, file->hash))
      {
	int how = same_path (c->outputs[i].path, file->path) ? 3
		: !strcmp (lbasename (c->outputs[i].path), lbasename (file->path)) ? 2
		: 1;
	if (how > best)
	  best = how;
      }
  return best;
}

/* Return the command that made FILE, among the first N, or -1. */
static int
producer_of (const struct cab_build_log *log, const struct cab_file *file, int n)
{
  int best = 0, found = -1;
  for (int i = n - 1; i >= 0 && best < 3 && *file->hash; i--)
    {
      int how = explains (&log->v[i], file);
      if (how > best)
	best = how, found = i;
    }
  return found;
}

static hashval_t
hash_file (const void *entry)
{
  return htab_hash_string (((const struct cab_file *) entry)->path);
}

static int
equal_file (const void *a, const void *b)
{
  return !strcmp (((const struct cab_file *) a)->path, ((const struct cab_file *) b)->path);
}

static void
free_file (void *entry)
{
  struct cab_file *file = entry;
  free (file->path);
  free (file->hash);
  free (file);
}

void
cab_graph_init (struct cab_build_graph *graph, const struct cab_build_log *log)
{
  graph->log = log;
  graph->producer = xcalloc (log->n + 1, sizeof *graph->producer);
  graph->disk = htab_create (64, hash_file, equal_file, free_file);
  for (int c = 0; c < log->n; c++)
    {
      graph->producer[c] = xcalloc (log->v[c].n_inputs + 1, sizeof **graph->producer);
      for (int k = 0; k < log->v[c].n_inputs; k++)
	graph->producer[c][k] = producer_of (log, &log->v[c].inputs[k], c);
    }
}

void
cab_graph_fini (struct cab_build_graph *graph)
{
  for (int c = 0; graph->log && c < graph->log->n; c++)
    free (graph->producer[c]);
  free (graph->producer);
  if (graph->disk)
    htab_delete (graph->disk);
  memset (graph, 0, sizeof *graph);
}

static const char *
hash_now (const struct cab_build_graph *graph, const char *path)
{
  struct cab_file key = { (char *) path, NULL };
  struct cab_file **slot = (struct cab_file **) htab_find_slot (graph->disk, &key, INSERT);
  if (!*slot)
    {
      *slot = xmalloc (sizeof **slot);
      (*slot)->path = xstrdup (path);
      (*slot)->hash = cab_file_hash (path);
    }
  return (*slot)->hash;
}

int
cab_graph_link (const struct cab_build_graph *graph, int c)
{
  while (c >= 0 && graph->log->v[c].args.step == CAB_STEP_CHANGE && graph->log->v[c].n_inputs)
    c = graph->producer[c][0];
  return c;
}

int
cab_graph_program (const struct cab_build_graph *graph, const char *path)
{
  struct cab_file file = { (char *) path, cab_file_hash (path) };
  int c = producer_of (graph->log, &file, graph->log->n), made = c;
  free (file.hash);
  c = c < 0 ? c : cab_graph_link (graph, c);
  if (c < 0 || graph->log->v[c].args.step != CAB_STEP_LINK || graph->log->v[c].args.partial
      || graph->log->v[c].args.shared)
    return -1;
  return made;
}

/* Return one of the N files of LIST that had the contents of HASH and still has them on disk, or
   null. */
static const char *
find_among (const struct cab_build_graph *graph, const struct cab_file *list, int n,
	    const char *hash)
{
  for (int i = 0; i < n; i++)
    if (!strcmp (list[i].hash, hash) && !strcmp (hash_now (graph, list[i].path), hash))
      return list[i].path;
  return NULL;
}

const char *
cab_graph_on_disk (const struct cab_build_graph *graph, const struct cab_file *file)
{
  const char *found = NULL;
  if (!*file->hash)
    return NULL;
  if (!strcmp (hash_now (graph, file->path), file->hash))
    return file->path;
  for (int c = 0; c < graph->log->n && !found; c++)
    {
      const struct cab_build_command *command = &graph->log->v[c];
      found = find_among (graph, command->outputs, command->n_outputs, file->hash);
      if (!found)
	found = find_among (graph, command->inputs, command->n_inputs, file->hash);
    }
  return found;
}

bool
cab_graph_reaches (const struct cab_build_graph *graph, int c, int target)
{
  if (c == target)
    return true;
  for (int k = 0; k < graph->log->v[target].n_inputs; k++)
    if (graph->producer[target][k] >= c && cab_graph_reaches (graph, c, graph->producer[target][k]))
      return true;
  return false;
}

/* Return true if command C is hot, or depends on one that is.  KNOWN[c] is 0 if not yet known, 1 if
   so, 2 if not. */
static bool
is_on_way (const struct cab_build_graph *graph, const bool *hot, int c, char *known)
{
  bool on_way = hot[c];
  if (known[c])
    return known[c] == 1;
  for (int k = 0; k < graph->log->v[c].n_inputs; k++)
    if (graph->producer[c][k] >= 0 && is_on_way (graph, hot, graph->producer[c][k], known))
      on_way = true;
  known[c] = on_way ? 1 : 2;
  return on_way;
}

/* Mark C as needed, and with it the commands that made those of its inputs that are gone. */
static void
add_lost_inputs (const struct cab_build_graph *graph, int c, bool *need)
{
  need[c] = true;
  for (int k = 0; k < graph->log->v[c].n_inputs; k++)
    {
      int p = graph->producer[c][k];
      if (p >= 0 && !need[p] && !cab_graph_on_disk (graph, &graph->log->v[c].inputs[k]))
	add_lost_inputs (graph, p, need);
    }
}

int
cab_graph_need (const struct cab_build_graph *graph, const bool *hot, int target, bool *need)
{
  char *known = xcalloc (graph->log->n + 1, 1);
  int n = 0;
  memset (need, 0, graph->log->n * sizeof *need);
  if (is_on_way (graph, hot, target, known))
    for (int c = 0; c < graph->log->n; c++)
      need[c] = known[c] == 1;
  for (int c = graph->log->n - 1; c >= 0; c--)
    if (need[c])
      add_lost_inputs (graph, c, need);
  for (int c = 0; c < graph->log->n; c++)
    n += need[c];
  free (known);
  return n;
}
