/* lines.c - how often was each source line executed, by gcov's definition?
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lines.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/flow.h"

/* A block mentions a line; the rows of one line come together by sorting. */
struct mention
{
  const char *file;
  uint32_t line;
  uint32_t group;       /* function index + 1 if the function is accounted for by itself, else 0 */
  uint32_t function, block;
  bool belongs;
};

struct work
{
  const struct cab_model *model;
  struct cab_flow *flows;          /* by function index; those without a record are empty */
  bool *alone;                     /* functions that share their first line with another */
  struct mention *mentions;
  size_t n, room;
};

static int
by_start (const void *a, const void *b)
{
  const struct cab_function *x = *(struct cab_function *const *) a, *y = *(struct cab_function *const *) b;
  int order = strcmp (x->file, y->file);
  return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static void
find_groups (struct work *w)
{
  uint32_t n = w->model->n_functions;
  struct cab_function **sorted = XNEWVEC (struct cab_function *, n + 1);
  memcpy (sorted, w->model->functions, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, by_start);
  for (uint32_t i = 1; i < n; i++)
    if (by_start (&sorted[i - 1], &sorted[i]) == 0 && sorted[i]->line)
      w->alone[sorted[i - 1]->index] = w->alone[sorted[i]->index] = true;
  free (sorted);
}

/* Is this the greatest line of its file in the block? */
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
      bool own = w->alone[function->index] && l->file == r->file && l->line >= function->line && l->line <= function->last_line;
      bool inner = b != CAB_BLOCK_ENTRY && b + 1 != r->n_blocks;
      if (w->n == w->room)
	w->mentions = XRESIZEVEC (struct mention, w->mentions, w->room = w->room * 2 + 1024);
      w->mentions[w->n++] = (struct mention) { r->files[l->file], l->line, own ? function->index + 1 : 0, function->index, b,
					       inner && is_greatest (block, l) };
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
  return x->block < y->block ? -1 : x->block > y->block;
}

/* The blocks of one function that belong to a line, and a search for elementary cycles in them (Johnson 1975). */
struct local
{
  const struct cab_record *r;
  const struct cab_flow *flow;
  uint32_t n;
  uint32_t *blocks;               /* ascending */
  uint64_t *left;                 /* per edge of the record: what cycles have not used up */
  uint32_t start;                 /* position of the block that cycles are searched from */
  bool *blocked, *waits;          /* waits[i * n + k]: unblocking i unblocks k */
  const struct cab_edge **path;
  uint32_t depth;
  uint64_t count;
};

/* Position of BLOCK, or n. */
static uint32_t
position (const struct local *l, uint32_t block)
{
  uint32_t low = 0, high = l->n;
  while (low < high)
    {
      uint32_t middle = (low + high) / 2;
      if (l->blocks[middle] < block)
	low = middle + 1;
      else
	high = middle;
    }
  return low < l->n && l->blocks[low] == block ? low : l->n;
}

static void
take_cycle (struct local *l)
{
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < l->depth; i++)
    {
      uint64_t left = l->left[cab_flow_index (l->r, l->path[i])];
      least = left < least ? left : least;
    }
  l->count += least;
  for (uint32_t i = 0; i < l->depth; i++)
    l->left[cab_flow_index (l->r, l->path[i])] -= least;
}

static bool
path_used_up (const struct local *l)
{
  for (uint32_t i = 0; i < l->depth; i++)
    if (!l->left[cab_flow_index (l->r, l->path[i])])
      return true;
  return false;
}

static void
unblock (struct local *l, uint32_t at)
{
  if (!l->blocked[at])
    return;
  l->blocked[at] = false;
  for (uint32_t k = 0; k < l->n; k++)
    if (l->waits[(size_t) at * l->n + k])
      {
	l->waits[(size_t) at * l->n + k] = false;
	unblock (l, k);
      }
}

/* Where edge E leads within the line's blocks; n: out of them, back before the start, or it is used up. */
static uint32_t
target (const struct local *l, const struct cab_edge *e)
{
  uint64_t left = l->left[cab_flow_index (l->r, e)];
  uint32_t at = left && left != CAB_FLOW_UNKNOWN ? position (l, e->dst) : l->n;
  return at < l->start ? l->n : at;
}

static int
by_destination (const void *a, const void *b)
{
  const struct cab_edge *x = *(const struct cab_edge *const *) a, *y = *(const struct cab_edge *const *) b;
  return x->dst != y->dst ? (x->dst < y->dst ? -1 : 1) : (x < y ? -1 : x > y);
}

static bool
circuit (struct local *l, uint32_t at)
{
  const struct cab_block *block = &l->r->blocks[l->blocks[at]];
  const struct cab_edge **order = XNEWVEC (const struct cab_edge *, block->n_edges + 1);
  bool found = false;
  for (uint32_t i = 0; i < block->n_edges; i++)
    order[i] = &block->edges[i];
  qsort (order, block->n_edges, sizeof *order, by_destination);
  l->blocked[at] = true;
  for (uint32_t i = 0; i < block->n_edges; i++)
    {
      uint32_t to = target (l, order[i]);
      if (to == l->n)
	continue;
      l->path[l->depth++] = order[i];
      if (to == l->start)
	{
	  take_cycle (l);
	  found = true;
	}
      else if (!path_used_up (l) && !l->blocked[to])
	found |= circuit (l, to);
      l->depth--;
    }
  if (found)
    unblock (l, at);
  else
    for (uint32_t i = 0; i < block->n_edges; i++)
      if (target (l, order[i]) != l->n)
	l->waits[(size_t) target (l, order[i]) * l->n + at] = true;
  free (order);
  return found;
}

/* How often control came to the line from elsewhere. */
static uint64_t
arrivals (const struct local *l)
{
  uint64_t count = 0;
  for (uint32_t i = 0; i < l->n; i++)
    count += l->flow->outside[l->blocks[i]];
  for (uint32_t i = 0; i < l->r->n_edges; i++)
    if (l->flow->edge[i] != CAB_FLOW_UNKNOWN && position (l, l->r->edges[i].dst) < l->n && position (l, l->r->edges[i].src) == l->n)
      count += l->flow->edge[i];
  return count;
}

/* The mentions [FIRST, LAST) are of one function and belong to one line. */
static uint64_t
count_local (const struct work *w, const struct mention *first, const struct mention *last)
{
  const struct cab_function *function = w->model->functions[first->function];
  struct local l = { .r = function->record, .flow = &w->flows[first->function] };
  size_t n = last - first;
  l.blocks = XNEWVEC (uint32_t, n);
  for (const struct mention *m = first; m < last; m++)
    if (m->belongs)
      l.blocks[l.n++] = m->block;
  l.left = xmemdup (l.flow->edge, l.r->n_edges * sizeof *l.left, (l.r->n_edges + 1) * sizeof *l.left);
  l.blocked = XNEWVEC (bool, n);
  l.waits = XNEWVEC (bool, n * n);
  l.path = XNEWVEC (const struct cab_edge *, n + 1);
  for (l.start = 0; l.start < l.n; l.start++)
    {
      memset (l.blocked, 0, n);
      memset (l.waits, 0, n * n);
      circuit (&l, l.start);
    }
  uint64_t count = arrivals (&l) + l.count;
  free (l.blocks);
  free (l.left);
  free (l.blocked);
  free (l.waits);
  free (l.path);
  return count;
}

/* The mentions [FIRST, LAST) are of one line, and of one group. */
static uint64_t
count_line (const struct work *w, const struct mention *first, const struct mention *last)
{
  uint64_t sum = 0, entered = 0;
  bool any = false;
  for (const struct mention *m = first; m < last; m++)
    {
      sum += w->flows[m->function].block[m->block];
      any |= m->belongs;
    }
  for (const struct mention *m = first, *end; any && m < last; m = end)
    {
      for (end = m; end < last && end->function == m->function;)
	end++;
      entered += count_local (w, m, end);
    }
  return any ? entered : sum;
}

static struct cab_line_count *
collect (struct work *w, size_t *n_rows)
{
  struct cab_line_count *rows = XNEWVEC (struct cab_line_count, w->n + 1);
  *n_rows = 0;
  qsort (w->mentions, w->n, sizeof *w->mentions, by_line);
  for (size_t i = 0, k; i < w->n; i = k)
    {
      const struct mention *m = &w->mentions[i];
      for (k = i; k < w->n && w->mentions[k].line == m->line && w->mentions[k].group == m->group && !strcmp (w->mentions[k].file, m->file);)
	k++;
      struct cab_line_count *row = *n_rows ? &rows[*n_rows - 1] : NULL;
      if (!row || row->line != m->line || strcmp (row->file, m->file))
	{
	  row = &rows[(*n_rows)++];
	  *row = (struct cab_line_count) { m->file, m->line, 0 };
	}
      row->count += count_line (w, m, w->mentions + k);
    }
  return rows;
}

struct cab_line_count *
cab_lines (const struct cab_model *model, size_t *n)
{
  struct work w = { .model = model };
  w.flows = XCNEWVEC (struct cab_flow, model->n_functions + 1);
  w.alone = XCNEWVEC (bool, model->n_functions + 1);
  find_groups (&w);
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      const struct cab_function *function = model->functions[i];
      if (!function->record || !function->paths)
	continue;
      cab_flow_init (&w.flows[i], function);
      for (uint32_t b = 0; b < function->record->n_blocks; b++)
	mention_block (&w, function, b);
    }
  struct cab_line_count *rows = collect (&w, n);
  for (uint32_t i = 0; i < model->n_functions; i++)
    cab_flow_fini (&w.flows[i]);
  free (w.flows);
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
  return cab_lines (&model, n);
}
