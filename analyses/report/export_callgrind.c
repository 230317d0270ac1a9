/* export_callgrind.c - functions, lines and calls in callgrind's format.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/export.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/lines.h"
#include "analyses/report/report.h"
#include "analyses/profile/source.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_tree.h"

/* Calls from one site (or from somewhere in a function) to a function.  Functions are index + 1. */
struct arc
{
  uint32_t caller, site, callee;
  uint64_t count, calls;   /* calls: inclusive */
  double executions;       /* inclusive */
};

struct graph
{
  FILE *to;
  struct cab_model *model;
  const struct cab_export_options *options;
  double *mean;            /* line executions per call, by function + 1 */
  struct arc *arcs;
  uint32_t n_arcs, room;
  htab_t files;            /* names that were already written: struct numbered */
  unsigned n_files;
  bool *named;             /* functions that were already written, by index + 1 */
  uint64_t executions, calls;
};

struct numbered
{
  const char *name;
  unsigned number;
};

static hashval_t
hash_name (const void *p)
{
  return htab_hash_string (((const struct numbered *) p)->name);
}

static int
equal_name (const void *a, const void *b)
{
  return !strcmp (((const struct numbered *) a)->name, ((const struct numbered *) b)->name);
}

/* Write KEY=(NUMBER), followed by NAME unless it is null, since it was written before. */
static void
put_name (const struct graph *g, const char *key, unsigned number, const char *name)
{
  fprintf (g->to, "%s=(%u)%s", key, number, name ? " " : "");
  cab_export_text (name ? name : "", g->to);
  putc ('\n', g->to);
}

/* Return where FILE is, as a path that is valid from anywhere; if it is not found, the path where
   it was compiled. */
static const char *
whole_path (struct graph *g, const char *file)
{
  struct cab_names *names = &g->model->names;
  char *found = cab_source_find (g->model, g->options->dirs, g->options->n_dirs, file),
       *real = found ? realpath (found, NULL) : NULL;
  const char *path = real ? cab_names_copy (names, real, strlen (real)) : file;
  for (uint32_t i = 0; !real && *file != '/' && i < g->model->n_notes; i++)
    {
      const struct cab_note *note = &g->model->notes[i].note;
      if (note->kind == 'U' && *note->field[1] && !strcmp (note->field[0], file))
	path = cab_names_format (names, "%s/%s", note->field[1], file);
    }
  free (found);
  free (real);
  return path;
}

/* Write the number of FILE, and its name where it is new. */
static void
put_file (struct graph *g, const char *key, const char *file)
{
  struct numbered wanted = { *file ? file : "???", 0 };
  void **slot = htab_find_slot (g->files, &wanted, INSERT);
  bool known = *slot != NULL;
  if (!known)
    {
      struct numbered *entry = XNEW (struct numbered);
      *entry = (struct numbered) { wanted.name, ++g->n_files };
      *slot = entry;
    }
  put_name (g, key, ((struct numbered *) *slot)->number,
	    known ? NULL
	    : *file ? whole_path (g, file)
	    : wanted.name);
}

static void
put_function (struct graph *g, const char *key, uint32_t function)
{
  struct cab_report_options text = { .format = CAB_FORMAT_TEXT };
  bool known = g->named[function];
  g->named[function] = true;
  put_name (g, key, function,
	    known ? NULL : cab_report_name (g->model, &text, g->model->functions[function - 1]));
}

static void
put_costs (struct graph *g, uint32_t line, uint64_t executions, uint64_t calls)
{
  if (g->model->has_paths)
    fprintf (g->to, "%u %" PRIu64 " %" PRIu64 "\n", line, executions, calls);
  else
    fprintf (g->to, "%u %" PRIu64 "\n", line, calls);
}

/* Return the line executions of FUNCTION per call. */
static double
mean_of (const struct cab_function *function)
{
  uint64_t calls = function->record && function->paths ? cab_model_calls (function) : 0, sum = 0;
  size_t n = 0;
  if (!calls)
    return 0;
  struct cab_line_count *rows = cab_lines_of (function, &n);
  for (size_t i = 0; i < n; i++)
    sum += rows[i].count;
  free (rows);
  return (double) sum / calls;
}

static void
add_arc (struct graph *g, struct arc arc)
{
  if (g->n_arcs == g->room)
    g->arcs = XRESIZEVEC (struct arc, g->arcs, g->room = g->room * 2 + 1024);
  g->arcs[g->n_arcs++] = arc;
}

/* The tree, with the data that a walk needs. */
struct tree
{
  uint32_t n;
  uint32_t *child, *next;   /* first child, next sibling */
  uint64_t *calls;          /* inclusive */
  double *executions;
  uint32_t *active;         /* by function + 1: activations on the way down to the current node */
};

static void
sum_up (const struct graph *g, struct tree *t)
{
  for (uint32_t i = t->n; i-- > 1;)
    {
      const struct cab_tree_node *node = cab_tree_at (&g->model->tree, i);
      t->calls[i] += node->count;
      t->executions[i] += node->count * g->mean[node->callee];
      t->calls[node->parent] += t->calls[i];
      t->executions[node->parent] += t->executions[i];
      t->next[i] = t->child[node->parent];
      t->child[node->parent] = i;
    }
}

/* Enter node I and add its arc.  The caller is the function that contains the site or, where that
   is not known, the function above. */
static void
enter (struct graph *g, struct tree *t, uint32_t i)
{
  const struct cab_model *model = g->model;
  const struct cab_tree_node *node = cab_tree_at (&model->tree, i);
  bool known = node->site && node->site <= model->n_sites;
  uint32_t above = node->parent ? cab_tree_at (&model->tree, node->parent)->callee : 0;
  bool again = t->active[node->callee]++ > 0;
  uint32_t caller = known ? model->sites[node->site].function + 1 : above;
  if (caller && node->count)
    add_arc (g, (struct arc) { caller, known ? node->site : 0, node->callee, node->count,
			       again ? 0 : t->calls[i], again ? 0 : t->executions[i] });
}

/* Walk down and up again without recursion, since a tree may be a million levels deep. */
static void
walk_tree (struct graph *g, struct tree *t)
{
  for (uint32_t i = t->child[0]; i;)
    {
      enter (g, t, i);
      if (t->child[i])
	{
	  i = t->child[i];
	  continue;
	}
      while (i && !t->next[i])
	{
	  t->active[cab_tree_at (&g->model->tree, i)->callee]--;
	  i = cab_tree_at (&g->model->tree, i)->parent;
	}
      if (i)
	{
	  t->active[cab_tree_at (&g->model->tree, i)->callee]--;
	  i = t->next[i];
	}
    }
}

static void
arcs_of_tree (struct graph *g)
{
  struct tree t = { .n = cab_tree_n (&g->model->tree) };
  t.child = XCNEWVEC (uint32_t, t.n + 1);
  t.next = XCNEWVEC (uint32_t, t.n + 1);
  t.calls = XCNEWVEC (uint64_t, t.n + 1);
  t.executions = XCNEWVEC (double, t.n + 1);
  t.active = XCNEWVEC (uint32_t, g->model->n_functions + 1);
  sum_up (g, &t);
  walk_tree (g, &t);
  free (t.child);
  free (t.next);
  free (t.calls);
  free (t.executions);
  free (t.active);
}

/* Add arcs from counts of calls.  Without a tree nothing is known of what is below a call. */
static void
arcs_of_calls (struct graph *g)
{
  const struct cab_model *model = g->model;
  struct cab_calls_row row;
  for (uint64_t cursor = 0; cab_calls_next (&model->calls, &cursor, &row);)
    if (row.count && row.site && row.site <= model->n_sites)
      add_arc (g, (struct arc) { model->sites[row.site].function + 1, row.site, row.callee,
				 row.count, 0, 0 });
}

static int
by_caller (const void *a, const void *b)
{
  const struct arc *x = a, *y = b;
  if (x->caller != y->caller)
    return x->caller < y->caller ? -1 : 1;
  if (x->site != y->site)
    return x->site < y->site ? -1 : 1;
  return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void
add_up_arcs (struct graph *g)
{
  uint32_t n = 0;
  if (g->n_arcs)
    qsort (g->arcs, g->n_arcs, sizeof *g->arcs, by_caller);
  for (uint32_t i = 0; i < g->n_arcs; i++)
    if (n && by_caller (&g->arcs[n - 1], &g->arcs[i]) == 0)
      {
	g->arcs[n - 1].count += g->arcs[i].count;
	g->arcs[n - 1].calls += g->arcs[i].calls;
	g->arcs[n - 1].executions += g->arcs[i].executions;
      }
    else
      g->arcs[n++] = g->arcs[i];
  g->n_arcs = n;
}

static void
put_arc (struct graph *g, const struct arc *arc, const char **file)
{
  const struct cab_model *model = g->model;
  const struct cab_function *caller = model->functions[arc->caller - 1],
			    *callee = model->functions[arc->callee - 1];
  const struct cab_call_site *place = arc->site ? model->sites[arc->site].place : NULL;
  const char *in = place && place->file < caller->record->n_files
		   ? caller->record->files[place->file]
		   : caller->file;
  if (strcmp (in, *file))
    put_file (g, "fi", *file = in);
  put_file (g, "cfi", callee->file);
  put_function (g, "cfn", arc->callee);
  fprintf (g->to, "calls=%" PRIu64 " %u\n", arc->count, callee->line);
  put_costs (g, place ? place->line : caller->line, (uint64_t) (arc->executions + 0.5), arc->calls);
}

/* Write function I (index + 1) and what it calls: the arcs from *ARC on. */
static void
put_body (struct graph *g, uint32_t i, uint32_t *arc)
{
  const struct cab_function *function = g->model->functions[i - 1];
  const char *file = function->file;
  uint64_t calls = cab_model_calls (function);
  size_t n = 0;
  struct cab_line_count *rows = function->record && function->paths ? cab_lines_of (function, &n)
								    : NULL;
  put_file (g, "fl", file);
  put_function (g, "fn", i);
  put_costs (g, function->line, 0, calls);
  g->calls += calls;
  for (size_t k = 0; k < n; k++)
    if (rows[k].count)
      {
	if (strcmp (file, rows[k].file))
	  put_file (g, "fi", file = rows[k].file);
	put_costs (g, rows[k].line, rows[k].count, 0);
	g->executions += rows[k].count;
      }
  for (; *arc < g->n_arcs && g->arcs[*arc].caller == i; (*arc)++)
    put_arc (g, &g->arcs[*arc], &file);
  free (rows);
}

static void
put_head (const struct graph *g)
{
  const struct cab_model *model = g->model;
  fprintf (g->to, "# callgrind format\nversion: 1\ncreator: cabprof-" CABPROF_VERSION "\n");
  if (model->n_processes)
    {
      fputs ("cmd: ", g->to);
      cab_export_text (model->processes[0].command, g->to);
      putc ('\n', g->to);
    }
  if (model->has_paths)
    fputs ("desc: Executions below a call: the mean of each function that was called, by its calls "
	   "in this context\n",
	   g->to);
  fprintf (g->to, "positions: line\n%sevent: Calls : Function calls\nevents: %sCalls\n\n",
	   model->has_paths ? "event: Executions : Line executions\n" : "",
	   model->has_paths ? "Executions " : "");
}

int
cab_export_callgrind (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		      struct cab_diag *diag)
{
  struct graph g = { .to = to, .model = model, .options = options };
  uint32_t arc = 0;
  (void) diag;
  g.mean = XCNEWVEC (double, model->n_functions + 1);
  g.named = XCNEWVEC (bool, model->n_functions + 1);
  g.files = htab_create (64, hash_name, equal_name, free);
  for (uint32_t i = 0; i < model->n_functions; i++)
    g.mean[i + 1] = mean_of (model->functions[i]);
  if (model->has_tree)
    arcs_of_tree (&g);
  else if (model->has_calls)
    arcs_of_calls (&g);
  add_up_arcs (&g);
  put_head (&g);
  for (uint32_t i = 1; i <= model->n_functions; i++)
    put_body (&g, i, &arc);
  fprintf (to, "\ntotals: ");
  if (model->has_paths)
    fprintf (to, "%" PRIu64 " ", g.executions);
  fprintf (to, "%" PRIu64 "\n", g.calls);
  htab_delete (g.files);
  free (g.mean);
  free (g.named);
  free (g.arcs);
  return 0;
}
