/* node_times.c - see node_times.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/node_times.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_contexts.h"
#include "analyses/live/an_tree.h"
#include "analyses/report/times.h"
#include "analyses/binary/dwarf_places.h"
#include "analyses/binary/image.h"

struct sample
{
  uint32_t node;               /* the node that was entered last */
  uint32_t process;            /* index in the model; n_processes: unknown */
  uint64_t address;
  struct cab_node_time time;
  const char *symbol;          /* null: the address is in no module with probes */
  const struct cab_dwarf_place *place;   /* null: there is no DWARF */
};

struct work
{
  struct cab_model *model;
  struct sample *samples;
  size_t n;
  struct cab_node_time runtime;
  struct cab_samples files;    /* what `record' says about the modules */
};

bool
cab_node_times_are_there (const struct cab_model *model)
{
  return cab_model_state (model, &cab_samples) && model->has_tree;
}

static void
collect (struct work *w)
{
  const struct cab_arena *state = cab_model_state (w->model, &cab_samples);
  struct cab_contexts_row row;
  size_t room = 0;
  for (uint64_t cursor = 0; cab_contexts_next (state, &cursor, &row);)
    {
      if (row.part == CAB_EV_ADDRESS_RUNTIME)
	{
	  w->runtime.n += row.n;
	  w->runtime.ns += row.sum;
	  continue;
	}
      if (w->n == room)
	w->samples = XRESIZEVEC (struct sample, w->samples, room = 2 * room + 256);
      w->samples[w->n++] = (struct sample) {
	.node = row.node < cab_tree_n (&w->model->tree) ? row.node : 0,
	.process = row.number && row.number <= w->model->n_processes ? row.number - 1
								     : w->model->n_processes,
	.address = row.part,
	.time = { row.n, row.sum }
      };
    }
}

/* Set *BIAS to the load bias of the file PATH in the process of S.  Return false if it was not
   loaded. */
static bool
bias_in (const struct work *w, const struct sample *s, const char *path, uint64_t *bias)
{
  const struct cab_process *p = s->process < w->model->n_processes
				? &w->model->processes[s->process]
				: NULL;
  for (uint32_t i = 0; p && i < p->n_modules; i++)
    if (!strcmp (p->modules[i].path, path))
      {
	*bias = p->modules[i].bias;
	return true;
      }
  return false;
}

/* Return true if IMAGE, read from PATH, is still the file that was sampled. */
static bool
is_same (const struct work *w, const char *path, const struct cab_image *image)
{
  for (uint32_t i = 0; i < w->files.n_modules; i++)
    if (!strcmp (w->files.modules[i].path, path))
      return !*w->files.modules[i].build_id
	  || !strcmp (w->files.modules[i].build_id, image->build_id);
  return true;
}

static int
by_address (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

/* Find the lines of the N samples at ADDRESS in the module at PATH.  A program without DWARF has
   only symbols. */
static void
find_places (struct work *w, const char *path, uint64_t *address, uint32_t n)
{
  struct cab_dwarf_place *place;
  struct cab_diag diag;
  uint32_t distinct = 0;
  uint64_t bias;
  qsort (address, n, sizeof *address, by_address);
  for (uint32_t i = 0; i < n; i++)
    if (!distinct || address[distinct - 1] != address[i])
      address[distinct++] = address[i];
  place = cab_names_zero (&w->model->names, distinct + 1, sizeof *place);
  if (cab_dwarf_places (path, address, distinct, place, &w->model->names, &diag) < 0)
    return;
  for (size_t i = 0; i < w->n; i++)
    if (w->samples[i].symbol && !w->samples[i].place && bias_in (w, &w->samples[i], path, &bias))
      {
	uint64_t key = w->samples[i].address - bias;
	const uint64_t *found = bsearch (&key, address, distinct, sizeof key, by_address);
	w->samples[i].place = found ? &place[found - address] : NULL;
      }
}

static void
look_up (struct work *w, const char *path)
{
  struct cab_image image;
  struct cab_diag diag;
  uint64_t bias, *address = XNEWVEC (uint64_t, w->n + 1);
  uint32_t n = 0;
  if (cab_image_open (&image, path, &diag) < 0)
    cab_model_problem (w->model, "%s", diag.text);
  else if (!is_same (w, path, &image))
    cab_model_problem (
      w->model,
      "%s: it was rebuilt since it was sampled: times by calling context are guesses; record again",
      path);
  else
    for (size_t i = 0; i < w->n; i++)
      {
	struct sample *s = &w->samples[i];
	if (s->symbol || !bias_in (w, s, path, &bias))
	  continue;
	const struct cab_image_symbol *symbol = cab_image_symbol (&image, s->address - bias);
	if (!symbol)
	  continue;
	s->symbol = cab_names_copy (&w->model->names, symbol->name, strlen (symbol->name));
	address[n++] = s->address - bias;
      }
  cab_image_close (&image);
  if (n)
    find_places (w, path, address, n);
  free (address);
}

/* Look up each module once, even if several processes had it. */
static void
look_up_all (struct work *w)
{
  const struct cab_model *m = w->model;
  const char **done = NULL;
  size_t n = 0, k;
  for (uint32_t i = 0; i < m->n_processes; i++)
    for (uint32_t j = 0; j < m->processes[i].n_modules; j++)
      {
	const char *path = m->processes[i].modules[j].path;
	for (k = 0; k < n && strcmp (done[k], path); k++)
	  continue;
	if (k < n)
	  continue;
	done = XRESIZEVEC (const char *, done, n + 1);
	done[n++] = path;
	look_up (w, path);
      }
  free (done);
}

/* Return true if SYMBOL is the function NAME, or a part or version that the compiler made of it. */
static bool
is_of (const char *symbol, const char *name)
{
  size_t n = strlen (name);
  return !strncmp (symbol, name, n)
      && (!symbol[n] || (symbol[n] == '.' && strncmp (symbol + n, "._omp_fn", 8)));
}

/* Return true if S is in code of FUNCTION, inlined or not. */
static bool
is_in (const struct sample *s, const struct cab_function *function)
{
  bool found = is_of (s->symbol, function->assembler);
  for (uint32_t i = 0; !found && s->place && i < s->place->n_frames; i++)
    found = is_of (s->place->frames[i].function, function->assembler);
  return found;
}

/* Return the innermost activation whose function S is in; 0 if there is none. */
static uint32_t
node_of (const struct cab_model *model, const struct sample *s)
{
  uint32_t node = s->symbol ? s->node : 0;
  while (node)
    {
      const struct cab_tree_node *at = cab_tree_at (&model->tree, node);
      if (at->callee && at->callee <= model->n_functions
	  && is_in (s, model->functions[at->callee - 1]))
	break;
      node = at->parent;
    }
  return node;
}

static void
add (struct cab_node_time *to, const struct cab_node_time *from)
{
  to->n += from->n;
  to->ns += from->ns;
}

void
cab_node_times_open (struct cab_node_times *times, struct cab_model *model)
{
  struct work w = { .model = model };
  *times = (struct cab_node_times) { .n_nodes = 0 };
  if (!cab_node_times_are_there (model))
    return;
  times->n_nodes = cab_tree_n (&model->tree);
  times->self = XCNEWVEC (struct cab_node_time, (size_t) times->n_nodes + 1);
  cab_times_read (&w.files, model);
  collect (&w);
  look_up_all (&w);
  times->runtime = w.runtime;
  for (size_t i = 0; i < w.n; i++)
    {
      const struct sample *s = &w.samples[i];
      uint32_t node = node_of (model, s);
      add (&times->self[node ? node : s->node], &s->time);
      add (&times->all, &s->time);
      if (!node && s->node)
	add (&times->assumed, &s->time);
    }
  cab_samples_fini (&w.files);
  free (w.samples);
}

void
cab_node_times_close (struct cab_node_times *times)
{
  free (times->self);
  times->self = NULL;
  times->n_nodes = 0;
}
