/* pathnum.c - decides where paths are cut, and numbers them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "plugin/paths/pathwork.h"
#include "plugin/paths/pathinc.h"
#include <stdlib.h>
#include <string.h>

#define ENTRY 0u
#define EXIT 1u
#define NO_LIMIT UINT64_MAX
#define MAX_RESTORED 32u   /* joins that are tried uncut again; each try numbers the graph again */

static bool
is_sound (const struct cab_pathnum *g)
{
  if (g->n_blocks < 2)
    return false;
  for (uint32_t i = 0; i < g->n_edges; i++)
    {
      const struct cab_pn_edge *e = &g->edge[i];
      if (e->src >= g->n_blocks || e->src == EXIT)
	return false;
      if (!(e->flags & CAB_PN_NO_COUNT) && (e->dst >= g->n_blocks || e->dst == ENTRY))
	return false;
    }
  return true;
}

static void
clear_outputs (struct cab_pathnum *g)
{
  for (uint32_t i = 0; i < g->n_edges; i++)
    {
      struct cab_pn_edge *e = &g->edge[i];
      *e = (struct cab_pn_edge) {
	.src = e->src, .dst = e->dst, .flags = e->flags, .freq = e->freq
      };
    }
  for (uint32_t b = 0; b < g->n_blocks; b++)
    g->block[b] = (struct cab_pn_block) { .flags = g->block[b].flags };
  g->n_paths = 0;
  g->n_limit_joins = 0;
}

/* Return true if E's flags allow a path to run over it. */
static bool
is_ordinary (const struct cab_pn_edge *e)
{
  return !(e->flags & (CAB_PN_ABNORMAL | CAB_PN_NO_COUNT));
}

static int
work_init (struct cab_pn_work *w, struct cab_pathnum *g)
{
  size_t n = g->n_blocks, m = g->n_edges;
  uint32_t *at = calloc (3 * n + 2 * m + 4, sizeof *at);
  if (!at)
    return CAB_PN_NO_MEMORY;
  *w = (struct cab_pn_work) { .g = g, .memory = at };
  w->succ_at = at;
  w->pred_at = w->succ_at + n + 2;
  w->order = w->pred_at + n + 2;
  w->succ = w->order + n;
  w->pred = w->succ + m;
  return 0;
}

/* Index the edges by a counting sort, which keeps the caller's order within a block.  Counts are
   stored two places up, so that filling moves them into place. */
static void
index_edges (struct cab_pn_work *w)
{
  struct cab_pathnum *g = w->g;
  for (uint32_t i = 0; i < g->n_edges; i++)
    {
      w->succ_at[g->edge[i].src + 2]++;
      if (!(g->edge[i].flags & CAB_PN_NO_COUNT))
	w->pred_at[g->edge[i].dst + 2]++;
    }
  for (uint32_t b = 1; b < g->n_blocks; b++)
    {
      w->succ_at[b + 1] += w->succ_at[b];
      w->pred_at[b + 1] += w->pred_at[b];
    }
  for (uint32_t i = 0; i < g->n_edges; i++)
    {
      w->succ[w->succ_at[g->edge[i].src + 1]++] = i;
      if (!(g->edge[i].flags & CAB_PN_NO_COUNT))
	w->pred[w->pred_at[g->edge[i].dst + 1]++] = i;
    }
}

/* The depth-first search that orders the blocks and finds the back edges. */
struct search
{
  uint32_t *stack, *next, *root;
  uint8_t *state;   /* 0 new, 1 on the stack, 2 done */
  uint32_t depth, n_roots;
};

static void
add_head_start (struct cab_pn_work *w, struct search *s, uint32_t b)
{
  struct cab_pn_block *block = &w->g->block[b];
  if (b == EXIT || block->head_start)
    return;
  block->start = block->head_start = true;
  s->root[s->n_roots++] = b;
}

static void
enter (struct cab_pn_work *w, struct search *s, uint32_t b)
{
  w->g->block[b].reachable = true;
  s->state[b] = 1;
  s->next[b] = w->succ_at[b];
  s->stack[s->depth++] = b;
}

static void
look_at (struct cab_pn_work *w, struct search *s, struct cab_pn_edge *e)
{
  if (e->flags & CAB_PN_NO_COUNT)
    return;
  if (e->flags & CAB_PN_ABNORMAL)
    add_head_start (w, s, e->dst);
  else if (s->state[e->dst] == 0)
    enter (w, s, e->dst);
  else if (s->state[e->dst] == 1)
    {
      e->cut = CAB_PN_CUT_BACK;
      w->g->block[e->dst].header = true;
    }
}

static void
search_from (struct cab_pn_work *w, struct search *s, uint32_t root)
{
  enter (w, s, root);
  while (s->depth)
    {
      uint32_t b = s->stack[s->depth - 1];
      if (s->next[b] < w->succ_at[b + 1])
	look_at (w, s, &w->g->edge[w->succ[s->next[b]++]]);
      else
	{
	  s->state[b] = 2;
	  w->order[w->n_order++] = b;
	  s->depth--;
	}
    }
}

static int
search_graph (struct cab_pn_work *w)
{
  size_t n = w->g->n_blocks;
  uint32_t *memory = calloc (3 * n + n / 4 + 2, sizeof *memory);
  if (!memory)
    return CAB_PN_NO_MEMORY;
  struct search s = { .stack = memory,
		      .next = memory + n,
		      .root = memory + 2 * n,
		      .state = (uint8_t *) (memory + 3 * n) };
  w->g->block[ENTRY].start = true;
  search_from (w, &s, ENTRY);
  for (uint32_t b = 0; b < n; b++)
    if (w->g->block[b].flags & CAB_PN_FORCED_START)
      add_head_start (w, &s, b);
  /* The search may append further roots to the list. */
  for (uint32_t i = 0; i < s.n_roots; i++)
    if (s.state[s.root[i]] == 0)
      search_from (w, &s, s.root[i]);
  free (memory);
  return 0;
}

static uint8_t
why_cut (const struct cab_pathnum *g, const struct cab_pn_edge *e)
{
  const struct cab_pn_block *dst = &g->block[e->dst];
  if (e->dst == EXIT)
    return CAB_PN_CUT_NONE;
  if (e->flags & CAB_PN_CUT)
    return CAB_PN_CUT_CALLER;
  if (e->cut)
    return e->cut;
  if (dst->head_start)
    return CAB_PN_CUT_FORCED;
  return dst->header && g->cut_loop_entries ? CAB_PN_CUT_HEADER : CAB_PN_CUT_NONE;
}

static void
cut_edges (struct cab_pathnum *g)
{
  for (uint32_t i = 0; i < g->n_edges; i++)
    {
      struct cab_pn_edge *e = &g->edge[i];
      if (!is_ordinary (e) || !g->block[e->src].reachable)
	continue;
      e->cut = why_cut (g, e);
      if (e->cut)
	g->block[e->dst].start = true;
    }
}

/* Return the number of edges into B over which paths continue into B. */
static uint32_t
count_through (const struct cab_pn_work *w, uint32_t b)
{
  uint32_t n = 0;
  for (uint32_t i = w->pred_at[b]; i < w->pred_at[b + 1]; i++)
    {
      const struct cab_pn_edge *e = &w->g->edge[w->pred[i]];
      n += is_ordinary (e) && !e->cut && w->g->block[e->src].reachable;
    }
  return n;
}

/* Change the edges into B that are cut for reason FROM to reason TO. */
static void
switch_join (struct cab_pn_work *w, uint32_t b, uint8_t from, uint8_t to)
{
  for (uint32_t i = w->pred_at[b]; i < w->pred_at[b + 1]; i++)
    {
      struct cab_pn_edge *e = &w->g->edge[w->pred[i]];
      if (is_ordinary (e) && e->cut == from && w->g->block[e->src].reachable)
	e->cut = to;
    }
}

static void
number_block (struct cab_pn_work *w, uint32_t b)
{
  struct cab_pathnum *g = w->g;
  uint64_t sum = 0;
  for (uint32_t i = w->succ_at[b]; i < w->succ_at[b + 1]; i++)
    {
      struct cab_pn_edge *e = &g->edge[w->succ[i]];
      if (!is_ordinary (e))
	continue;
      e->ending = e->cut || e->dst == EXIT;
      uint64_t n = e->ending ? 1 : g->block[e->dst].n_paths;
      e->live = n != 0;
      e->value = sum;
      sum = cab_pn_add (sum, n);
    }
  g->block[b].n_paths = sum;
}

/* Number all blocks, and cut each join from which more than LIMIT ways lead on.  STARTED has the
   starts from before any limit.  Return the total number of paths. */
static uint64_t
number_blocks (struct cab_pn_work *w, uint64_t limit, const bool *started)
{
  uint64_t total = 0;
  for (uint32_t i = 0; i < w->n_order; i++)
    {
      uint32_t b = w->order[i];
      struct cab_pn_block *block = &w->g->block[b];
      if (b == EXIT)
	continue;
      number_block (w, b);
      if (limit != NO_LIMIT && block->n_paths > limit)
	{
	  uint32_t through = count_through (w, b);
	  if (through && through + started[b] > 1)
	    {
	      switch_join (w, b, CAB_PN_CUT_NONE, CAB_PN_CUT_LIMIT);
	      block->start = true;
	    }
	}
      if (block->start)
	total = cab_pn_add (total, block->n_paths);
    }
  return total;
}

static void
take_back_limit (struct cab_pn_work *w, const bool *started)
{
  for (uint32_t i = 0; i < w->g->n_edges; i++)
    if (w->g->edge[i].cut == CAB_PN_CUT_LIMIT)
      w->g->edge[i].cut = CAB_PN_CUT_NONE;
  for (uint32_t b = 0; b < w->g->n_blocks; b++)
    w->g->block[b].start = started[b];
}

/* List the joins that the limit cut, hottest first, in JOIN; return their number. */
static uint32_t
list_cut_joins (struct cab_pn_work *w, struct cab_pn_item *join)
{
  uint32_t n = 0;
  for (uint32_t b = 0; b < w->g->n_blocks; b++)
    {
      uint64_t freq = 0;
      bool cut = false;
      for (uint32_t i = w->pred_at[b]; i < w->pred_at[b + 1]; i++)
	if (w->g->edge[w->pred[i]].cut == CAB_PN_CUT_LIMIT)
	  {
	    cut = true;
	    freq = cab_pn_add (freq, w->g->edge[w->pred[i]].freq);
	  }
      if (cut)
	join[n++] = (struct cab_pn_item) { .first = ~freq, .index = b };
    }
  cab_pn_sort (join, n);
  return n;
}

/* Restore the hottest joins as far as the paths still fit, because a threshold cuts more than it
   must. */
static void
restore_hot_joins (struct cab_pn_work *w, const bool *started, struct cab_pn_item *join)
{
  uint32_t n = list_cut_joins (w, join);
  w->g->n_limit_joins = n;
  for (uint32_t i = 0; i < n && i < MAX_RESTORED; i++)
    {
      uint32_t b = join[i].index;
      switch_join (w, b, CAB_PN_CUT_LIMIT, CAB_PN_CUT_NONE);
      w->g->block[b].start = started[b];
      if (number_blocks (w, NO_LIMIT, started) <= w->g->max_paths)
	w->g->n_limit_joins--;
      else
	{
	  switch_join (w, b, CAB_PN_CUT_NONE, CAB_PN_CUT_LIMIT);
	  w->g->block[b].start = true;
	}
    }
  number_blocks (w, NO_LIMIT, started);
}

static int
fit_with (struct cab_pn_work *w, bool *started, struct cab_pn_item *join)
{
  for (uint32_t b = 0; b < w->g->n_blocks; b++)
    started[b] = w->g->block[b].start;
  for (uint64_t limit = w->g->max_paths;; limit /= 2)
    {
      take_back_limit (w, started);
      if (number_blocks (w, limit, started) <= w->g->max_paths)
	break;
      if (limit == 0)
	return CAB_PN_TOO_MANY;
    }
  restore_hot_joins (w, started, join);
  return 0;
}

static int
fit_limit (struct cab_pn_work *w)
{
  bool *started = malloc (w->g->n_blocks * sizeof *started);
  struct cab_pn_item *join = malloc (w->g->n_blocks * sizeof *join);
  int error = started && join ? fit_with (w, started, join) : CAB_PN_NO_MEMORY;
  free (started);
  free (join);
  return error;
}

static void
give_bases (struct cab_pathnum *g)
{
  for (uint32_t b = 0; b < g->n_blocks; b++)
    if (g->block[b].start)
      {
	g->block[b].base = g->n_paths;
	g->n_paths += g->block[b].n_paths;
      }
}

static int
run (struct cab_pn_work *w)
{
  struct cab_pathnum *g = w->g;
  int error;
  index_edges (w);
  if ((error = search_graph (w)))
    return error;
  cut_edges (g);
  if (number_blocks (w, NO_LIMIT, NULL) > g->max_paths && (error = fit_limit (w)))
    return error;
  give_bases (g);
  return cab_pn_place (w);
}

int
cab_pathnum_run (struct cab_pathnum *g)
{
  struct cab_pn_work w;
  if (!is_sound (g))
    return CAB_PN_BAD_GRAPH;
  clear_outputs (g);
  int error = work_init (&w, g);
  if (error)
    return error;
  error = run (&w);
  free (w.memory);
  return error;
}

const char *
cab_pathnum_error (int error)
{
  switch (error)
    {
    case 0:
      return "no error";
    case CAB_PN_BAD_GRAPH:
      return "its flow graph is malformed";
    case CAB_PN_NO_MEMORY:
      return "no memory to number its paths";
    case CAB_PN_TOO_MANY:
      return "it has too many paths even if they are cut at every join";
    default:
      return "its paths cannot be numbered";
    }
}
