/* lines.c - how often each source line was executed, as gcov defines it for one function.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/lines.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/flow.h"
#include "analyses/profile/line_cycles.h"

/* A mention of a line by a block.  Sorting brings the mentions of one line together. */
struct mention
{
  const char *file;
  uint32_t line;
  uint32_t group;       /* function index + 1 if the function is counted separately, else 0 */
  uint32_t function, rank, block;
  bool belongs;
};

/* A function's counts; empty for those without a record. */
struct graph
{
  struct cab_flow flow;
  struct cab_arc *arcs;
  uint32_t n_arcs;
  uint64_t unfinished;
};

struct work
{
  const struct cab_model *model;
  struct graph *graphs;            /* by function index */
  bool *alone;                     /* by function index: it shares its first line with another
				      function */
  struct mention *mentions;
  size_t n, room;
  uint32_t last_rank;              /* of the function that is being added */
};

static int
by_start (const void *a, const void *b)
{
  const struct cab_function *x = *(struct cab_function *const *) a,
			    *y = *(struct cab_function *const *) b;
  int order = strcmp (x->file, y->file);
  return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static void
find_groups (struct work *w)
{
  uint32_t n = w->model->n_functions;
  struct cab_function **sorted = XNEWVEC (struct cab_function *, n + 1);
  if (n)
    memcpy (sorted, w->model->functions, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, by_start);
  for (uint32_t i = 1; i < n; i++)
    if (by_start (&sorted[i - 1], &sorted[i]) == 0 && sorted[i]->line)
      w->alone[sorted[i - 1]->index] = w->alone[sorted[i]->index] = true;
  free (sorted);
}

/* Return true if LINE is the greatest line of its file in BLOCK. */
static bool
is_greatest (const struct cab_block *block, const struct cab_line *line)
{
  for (uint32_t i = 0; i < block->n_lines; i++)
    if (block->lines[i].file == line->file && block->lines[i].line > line->line)
      return false;
  return true;
}

static void
mention_block (struct work *w, const struct cab_function *function, uint32_t b)
{
  const struct cab_record *r = function->record;
  const struct cab_block *block = &r->blocks[b];
  for (uint32_t i = 0; i < block->n_lines; i++)
    {
      const struct cab_line *l = &block->lines[i];
      bool own = w->alone[function->index] && l->file == r->file && l->line >= function->line
	      && l->line <= function->last_line;
      bool inner = b != CAB_BLOCK_ENTRY && block->rank != w->last_rank;
      if (w->n == w->room)
	w->mentions = XRESIZEVEC (struct mention, w->mentions, w->room = w->room * 2 + 1024);
      w->mentions[w->n++] = (struct mention) {
	r->files[l->file], l->line, own ? function->index + 1 : 0,  function->index,
	block->rank,	   b,	    inner && is_greatest (block, l)
      };
    }
}

static int
by_line (const void *a, const void *b)
{
  const struct mention *x = a, *y = b;
  int order = x->file == y->file ? 0 : strcmp (x->file, y->file);
  if (order)
    return order;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* The blocks of one function that belong to a line. */
struct local
{
  const struct cab_flow *flow;
  const struct cab_arc *arcs;     /* of the function, by source */
  uint32_t n_arcs;
  uint32_t n;
  uint32_t *blocks;               /* in the order of their layout */
  uint32_t *position;             /* by block of the function: its index in `blocks', or n */
};

/* Return the index of the first arc out of BLOCK, or out of a later block. */
static uint32_t
first_arc (const struct local *l, uint32_t block)
{
  uint32_t low = 0, high = l->n_arcs;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (l->arcs[middle].src < block)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Return how often control entered the line from elsewhere. */
static uint64_t
arrivals (const struct local *l)
{
  uint64_t count = 0;
  for (uint32_t i = 0; i < l->n; i++)
    count += l->flow->outside[l->blocks[i]];
  for (uint32_t i = 0; i < l->n_arcs; i++)
    if (l->position[l->arcs[i].dst] < l->n && l->position[l->arcs[i].src] == l->n)
      count += l->arcs[i].count;
  return count;
}

/* Return how often control went through cycles within the line. */
static uint64_t
cycles (const struct local *l)
{
  struct cab_line_graph g = { l->n, XNEWVEC (uint32_t, l->n + 1), XNEWVEC (uint32_t, l->n_arcs + 1),
			      XNEWVEC (uint64_t, l->n_arcs + 1) };
  uint32_t n = 0;
  for (uint32_t at = 0; at < l->n; at++)
    {
      g.first[at] = n;
      for (uint32_t i = first_arc (l, l->blocks[at]);
	   i < l->n_arcs && l->arcs[i].src == l->blocks[at]; i++)
	if (l->position[l->arcs[i].dst] < l->n)
	  {
	    g.to[n] = l->position[l->arcs[i].dst];
	    g.count[n++] = l->arcs[i].count;
	  }
    }
  g.first[l->n] = n;
  uint64_t count = cab_line_cycles (&g);
  free (g.first);
  free (g.to);
  free (g.count);
  return count;
}

/* Return the count of one line in one function, from its mentions [FIRST, LAST). */
static uint64_t
count_local (const struct work *w, const struct mention *first, const struct mention *last)
{
  const struct graph *g = &w->graphs[first->function];
  size_t n = last - first, n_blocks = w->model->functions[first->function]->record->n_blocks;
  struct local l = { .flow = &g->flow, .arcs = g->arcs, .n_arcs = g->n_arcs };
  l.blocks = XNEWVEC (uint32_t, n);
  l.position = XNEWVEC (uint32_t, n_blocks + 1);
  for (const struct mention *m = first; m < last; m++)
    if (m->belongs)
      l.blocks[l.n++] = m->block;
  for (size_t b = 0; b < n_blocks; b++)
    l.position[b] = l.n;
  for (uint32_t i = 0; i < l.n; i++)
    l.position[l.blocks[i]] = i;
  uint64_t count = arrivals (&l) + (l.n ? cycles (&l) : 0);
  free (l.blocks);
  free (l.position);
  return count;
}

/* Return the count of one line and one group, from its mentions [FIRST, LAST).  A function none of
   whose blocks belongs to the line counts by the executions of those that mention it: gcov leaves
   it out if a block of another function belongs to the line, and would lose what was inlined. */
static uint64_t
count_line (const struct work *w, const struct mention *first, const struct mention *last)
{
  uint64_t count = 0;
  for (const struct mention *m = first, *end; m < last; m = end)
    {
      uint64_t sum = 0;
      bool any = false;
      for (end = m; end < last && end->function == m->function; end++)
	{
	  sum += w->graphs[m->function].flow.block[end->block];
	  any |= end->belongs;
	}
      count += any ? count_local (w, m, end) : sum;
    }
  return count;
}

/* Return the number of unfinished activations of the functions that have [FIRST, LAST). */
static uint64_t
count_unfinished (const struct work *w, const struct mention *first, const struct mention *last)
{
  uint64_t sum = 0;
  for (const struct mention *m = first; m < last; m++)
    if (m == first || m->function != m[-1].function)
      sum += w->graphs[m->function].unfinished;
  return sum;
}

static struct cab_line_count *
collect (struct work *w, size_t *n_rows)
{
  struct cab_line_count *rows = XNEWVEC (struct cab_line_count, w->n + 1);
  *n_rows = 0;
  if (w->n)
    qsort (w->mentions, w->n, sizeof *w->mentions, by_line);
  for (size_t i = 0, k; i < w->n; i = k)
    {
      const struct mention *m = &w->mentions[i];
      for (k = i; k < w->n && w->mentions[k].line == m->line && w->mentions[k].group == m->group
		  && !strcmp (w->mentions[k].file, m->file);)
	k++;
      struct cab_line_count *row = *n_rows ? &rows[*n_rows - 1] : NULL;
      if (!row || row->line != m->line || strcmp (row->file, m->file))
	{
	  row = &rows[(*n_rows)++];
	  *row = (struct cab_line_count) { .file = m->file, .line = m->line };
	}
      row->count += count_line (w, m, w->mentions + k);
      row->unfinished += count_unfinished (w, m, w->mentions + k);
    }
  return rows;
}

static void
add_function (struct work *w, const struct cab_function *function)
{
  const struct cab_record *r = function->record;
  struct graph *g = &w->graphs[function->index];
  cab_flow_init (&g->flow, function);
  g->unfinished = cab_model_unfinished (function);
  g->arcs = cab_flow_arcs (&g->flow, r, &g->n_arcs);
  bool *made = cab_flow_made (r);
  w->last_rank = 0;
  for (uint32_t b = 0; b < r->n_blocks; b++)
    if (!made[b] && r->blocks[b].rank > w->last_rank)
      w->last_rank = r->blocks[b].rank;
  free (made);
  for (uint32_t b = 0; b < r->n_blocks; b++)
    mention_block (w, function, b);
}

struct cab_line_count *
cab_lines (const struct cab_model *model, const bool *wanted, size_t *n)
{
  struct work w = { .model = model };
  w.graphs = XCNEWVEC (struct graph, model->n_functions + 1);
  w.alone = XCNEWVEC (bool, model->n_functions + 1);
  find_groups (&w);
  for (uint32_t i = 0; i < model->n_functions; i++)
    if ((!wanted || wanted[i]) && model->functions[i]->record && model->functions[i]->paths
	&& !model->functions[i]->record->generated)
      add_function (&w, model->functions[i]);
  struct cab_line_count *rows = collect (&w, n);
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      cab_flow_fini (&w.graphs[i].flow);
      free (w.graphs[i].arcs);
    }
  free (w.graphs);
  free (w.alone);
  free (w.mentions);
  return rows;
}

struct cab_line_count *
cab_lines_of (const struct cab_function *function, size_t *n)
{
  struct cab_function alone = *function, *list = &alone;
  struct cab_model model = { .n_functions = 1, .functions = &list };
  alone.index = 0;
  return cab_lines (&model, NULL, n);
}
