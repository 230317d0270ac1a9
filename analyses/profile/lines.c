/* lines.c - how often each source line was executed, as gcov defines it for one function.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/lines.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/flow.h"
#include "analyses/profile/line_cycles.h"
#include "analyses/profile/partial/estimated.h"

/* A mention of a line by a block.  Sorting brings the mentions of one line together. */
struct mention
{
  const char *file;
  uint32_t line;
  uint32_t group;       /* function index + 1 if the function is counted separately, else 0 */
  uint32_t function, rank, block;
  bool belongs;
};

/* Numbers by block and arc of a function. */
struct numbers
{
  struct cab_flow flow;
  struct cab_arc *arcs;
};

/* A function's counts; empty for those without a record. */
struct graph
{
  struct numbers counts;
  struct numbers within;    /* half the intervals of the paths, summed up as the counts are; empty
			       if `all' is 0 */
  uint64_t all;             /* that of all paths together; 0: the counts are exact */
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

/* Return how often a path can reach the line, at most: it has each block at most once, and control
   enters the line by some of them.  A path that is cut in a cycle within the line may count once
   more. */
static uint32_t
most_arrivals (const struct local *l)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->n; i++)
    {
      bool enters = l->flow->outside[l->blocks[i]] != 0;
      for (uint32_t k = 0; k < l->n_arcs && !enters; k++)
	enters = l->arcs[k].dst == l->blocks[i] && l->arcs[k].count
	      && l->position[l->arcs[k].src] == l->n;
      n += enters;
    }
  return n + (cycles (l) != 0);
}

/* Add to ROW the number of one line in one function, from its mentions [FIRST, LAST). */
static void
count_local (const struct work *w, const struct mention *first, const struct mention *last,
	     struct cab_line_count *row)
{
  const struct graph *g = &w->graphs[first->function];
  size_t n = last - first, n_blocks = w->model->functions[first->function]->record->n_blocks;
  struct local l = { .flow = &g->counts.flow, .arcs = g->counts.arcs, .n_arcs = g->n_arcs };
  l.blocks = XNEWVEC (uint32_t, n);
  l.position = XNEWVEC (uint32_t, n_blocks + 1);
  for (const struct mention *m = first; m < last; m++)
    if (m->belongs)
      l.blocks[l.n++] = m->block;
  for (size_t b = 0; b < n_blocks; b++)
    l.position[b] = l.n;
  for (uint32_t i = 0; i < l.n; i++)
    l.position[l.blocks[i]] = i;
  row->count += arrivals (&l) + (l.n ? cycles (&l) : 0);
  if (g->all)
    {
      uint64_t all = most_arrivals (&l) * g->all;
      l.flow = &g->within.flow;
      l.arcs = g->within.arcs;
      uint64_t sum = arrivals (&l) + (l.n ? cycles (&l) : 0);
      row->within += sum < all ? sum : all;
    }
  free (l.blocks);
  free (l.position);
}

/* Add to ROW the executions of the blocks of one function that mention the line, from the mentions
   [FIRST, LAST). */
static void
count_mentions (const struct work *w, const struct mention *first, const struct mention *last,
		struct cab_line_count *row)
{
  const struct graph *g = &w->graphs[first->function];
  uint64_t sum = 0, all = 0;
  for (const struct mention *m = first; m < last; m++)
    {
      row->count += g->counts.flow.block[m->block];
      sum += g->all ? g->within.flow.block[m->block] : 0;
      all += g->all;
    }
  row->within += sum < all ? sum : all;
}

/* Add to ROW the numbers of one line and one group, from its mentions [FIRST, LAST).  A function
   none of whose blocks belongs to the line counts by the executions of those that mention it: gcov
   leaves it out if a block of another function belongs to the line, and would lose what was
   inlined. */
static void
count_line (const struct work *w, const struct mention *first, const struct mention *last,
	    struct cab_line_count *row)
{
  for (const struct mention *m = first, *end; m < last; m = end)
    {
      bool any = false;
      for (end = m; end < last && end->function == m->function; end++)
	any |= end->belongs;
      (any ? count_local : count_mentions) (w, m, end, row);
    }
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
      count_line (w, m, w->mentions + k, row);
      row->unfinished += count_unfinished (w, m, w->mentions + k);
    }
  return rows;
}

/* Fill NUMBERS, a graph's with *N arcs, from the paths of FUNCTION. */
static void
count_numbers (struct numbers *numbers, const struct cab_function *function, uint32_t *n)
{
  cab_flow_init (&numbers->flow, function);
  numbers->arcs = cab_flow_arcs (&numbers->flow, function->record, n);
}

/* Add the intervals of FUNCTION's paths to G, if its paths are estimates. */
static void
add_within (struct work *w, struct graph *g, const struct cab_function *function)
{
  struct cab_function slack = *function;
  slack.paths = cab_model_paths_within (w->model, function);
  if (!slack.paths)
    return;
  g->all = cab_model_all_paths_within (w->model, function);
  count_numbers (&g->within, &slack, &g->n_arcs);
  free (slack.paths);
}

static void
add_function (struct work *w, const struct cab_function *function)
{
  const struct cab_record *r = function->record;
  struct graph *g = &w->graphs[function->index];
  count_numbers (&g->counts, function, &g->n_arcs);
  add_within (w, g, function);
  g->unfinished = cab_model_unfinished (w->model, function);
  bool *made = cab_flow_made (r);
  w->last_rank = 0;
  for (uint32_t b = 0; b < r->n_blocks; b++)
    if (!made[b] && r->blocks[b].rank > w->last_rank)
      w->last_rank = r->blocks[b].rank;
  free (made);
  for (uint32_t b = 0; b < r->n_blocks; b++)
    mention_block (w, function, b);
}

static void
numbers_fini (struct numbers *numbers)
{
  cab_flow_fini (&numbers->flow);
  free (numbers->arcs);
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
      numbers_fini (&w.graphs[i].counts);
      numbers_fini (&w.graphs[i].within);
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
