/* pathinc.c - where paths are counted, what probes add on edges, and which paths need no register.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A path is counted as soon as nothing about it is undecided: no branch lies ahead, and no way to
 * leave it.  At that edge either it is the only path so far, and its number is a constant, or the
 * register holds its number.  If paths were counted as late as their end, where others have joined,
 * fewer would be alone.
 *
 * Each block gets a potential; an edge adds its value and the difference of its ends'
 * potentials, for which a start and an end compensate.  So any potentials are right; those that
 * make the increments of a maximum spanning forest zero are cheap.  Starts and ends absorb
 * their constants for nothing and hence take no part in the forest.
 */
#include "plugin/paths/pathinc.h"
#include <stdlib.h>

struct place
{
  struct cab_pn_work *w;
  struct cab_pn_item *item;   /* n_edges items */
  /* The following are per block. */
  uint64_t *to;               /* partial paths that lead here from starts, saturated */
  uint64_t *prefix;           /* where `to' is 1: the number so far of that path */
  uint64_t *pot;              /* potential relative to the parent's */
  uint64_t *shift;            /* what its starts add and its ends subtract */
  uint32_t *parent, *size;
  bool *safe;                 /* a path that is here will end, in the same way as any other that is
				 here */
  bool *done;                 /* a path that is here has been counted */
  bool *needs;                /* the register leads from here to a count point */
};

static int
compare (const void *left, const void *right)
{
  const struct cab_pn_item *a = left, *b = right;
  if (a->first != b->first)
    return a->first < b->first ? -1 : 1;
  if (a->second != b->second)
    return a->second < b->second ? -1 : 1;
  if (a->third != b->third)
    return a->third < b->third ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

void
cab_pn_sort (struct cab_pn_item *item, uint32_t n)
{
  if (n)
    qsort (item, n, sizeof *item, compare);
}

/* Return the root of B's component; set *POTENTIAL to B's potential relative to it. */
static uint32_t
find (const struct place *p, uint32_t b, uint64_t *potential)
{
  uint64_t sum = 0;
  for (; p->parent[b] != b; b = p->parent[b])
    sum += p->pot[b];
  *potential = sum;
  return b;
}

/* Join the components of E's ends so that E adds nothing, unless they are one component already.
   The smaller one becomes the child, so trees stay flat. */
static void
join_ends (struct place *p, const struct cab_pn_edge *e)
{
  uint64_t at_src, at_dst;
  uint32_t a = find (p, e->src, &at_src), b = find (p, e->dst, &at_dst);
  if (a == b)
    return;
  uint64_t difference = at_src + e->value - at_dst;
  if (p->size[a] >= p->size[b])
    {
      p->parent[b] = a;
      p->pot[b] = difference;
      p->size[a] += p->size[b];
    }
  else
    {
      p->parent[a] = b;
      p->pot[a] = -difference;
      p->size[b] += p->size[a];
    }
}

/* Return true if code on E needs a block of its own. */
static bool
is_critical (const struct cab_pn_work *w, const struct cab_pn_edge *e)
{
  return w->succ_at[e->src + 1] - w->succ_at[e->src] > 1
      && w->pred_at[e->dst + 1] - w->pred_at[e->dst] > 1;
}

/* Count the partial paths from starts to each block.  The order is reverse postorder, so a block is
   complete before it passes its sum on. */
static void
count_arrivals (struct place *p)
{
  const struct cab_pn_work *w = p->w;
  for (uint32_t i = w->n_order; i-- > 0;)
    {
      uint32_t b = w->order[i];
      if (w->g->block[b].start)
	{
	  p->to[b] = cab_pn_add (p->to[b], 1);
	  p->prefix[b] = w->g->block[b].base;
	}
      for (uint32_t k = w->succ_at[b]; k < w->succ_at[b + 1]; k++)
	{
	  const struct cab_pn_edge *e = &w->g->edge[w->succ[k]];
	  if (!e->live || e->ending)
	    continue;
	  p->to[e->dst] = cab_pn_add (p->to[e->dst], p->to[b]);
	  p->prefix[e->dst] = p->prefix[b] + e->value;
	}
    }
}

/* Find the blocks where nothing can leave a path any more: they have no such statement, and only
   edges that lead to an end in the same way. */
static void
find_safe_blocks (struct place *p)
{
  const struct cab_pn_work *w = p->w;
  for (uint32_t i = 0; i < w->n_order; i++)
    {
      uint32_t b = w->order[i];
      bool safe = !w->g->block[b].start && !(w->g->block[b].flags & CAB_PN_MAY_LEAVE);
      for (uint32_t k = w->succ_at[b]; k < w->succ_at[b + 1]; k++)
	{
	  const struct cab_pn_edge *e = &w->g->edge[w->succ[k]];
	  safe = safe && e->live && (e->ending || p->safe[e->dst]);
	}
      p->safe[b] = safe;
    }
}

/* Find the blocks in which a path has been counted already: one way leads on, and nothing leaves
   it.  No path starts in such a block, because it would not have been counted. */
static void
find_done_blocks (struct place *p)
{
  const struct cab_pathnum *g = p->w->g;
  find_safe_blocks (p);
  for (uint32_t b = 0; b < g->n_blocks; b++)
    p->done[b] = !g->plain_registers && p->safe[b] && g->block[b].n_paths == 1;
}

/* Return true if the paths that take E are counted on it. */
static bool
is_count_point (const struct place *p, const struct cab_pn_edge *e)
{
  return e->live && !p->done[e->src] && (e->ending || p->done[e->dst]);
}

/* Decide where paths are counted, and where the register is needed: before a count point that
   several paths share. */
static void
place_counts (struct place *p)
{
  const struct cab_pn_work *w = p->w;
  for (uint32_t i = 0; i < w->n_order; i++)
    {
      uint32_t b = w->order[i];
      for (uint32_t k = w->succ_at[b]; k < w->succ_at[b + 1]; k++)
	{
	  struct cab_pn_edge *e = &w->g->edge[w->succ[k]];
	  if (!is_count_point (p, e))
	    {
	      p->needs[b] |= e->live && !e->ending && p->needs[e->dst];
	      continue;
	    }
	  e->has_number = p->to[b] == 1;
	  e->number = e->has_number ? p->prefix[b] + e->value : 0;
	  e->end_reg = !e->has_number;
	  p->needs[b] |= e->end_reg;
	}
    }
}

/* Return true if the register is carried over E. */
static bool
carries_register (const struct place *p, const struct cab_pn_edge *e)
{
  return e->live && !e->ending && p->needs[e->dst];
}

/* Make the forest by Kruskal's algorithm: the hottest edges first, among equal ones those where
   code costs most. */
static void
make_forest (struct place *p)
{
  struct cab_pathnum *g = p->w->g;
  uint32_t n = 0;
  for (uint32_t b = 0; b < g->n_blocks; b++)
    {
      p->parent[b] = b;
      p->size[b] = 1;
    }
  for (uint32_t i = 0; i < g->n_edges; i++)
    if (carries_register (p, &g->edge[i]))
      p->item[n++] = (struct cab_pn_item) { .first = ~g->edge[i].freq,
					    .second = !is_critical (p->w, &g->edge[i]),
					    .index = i };
  cab_pn_sort (p->item, n);
  for (uint32_t i = 0; i < n; i++)
    join_ends (p, &g->edge[p->item[i].index]);
}

/* Choose the shifts so that the hottest end of each component adds nothing. */
static void
choose_shifts (struct place *p)
{
  struct cab_pathnum *g = p->w->g;
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->n_edges; i++)
    if (g->edge[i].end_reg)
      p->item[n++] = (struct cab_pn_item) { .first = g->edge[i].freq,
					    .second = ~(uint64_t) i,
					    .index = i };
  cab_pn_sort (p->item, n);
  for (uint32_t i = 0; i < n; i++)
    {
      const struct cab_pn_edge *e = &g->edge[p->item[i].index];
      uint64_t potential;
      uint32_t root = find (p, e->src, &potential);
      p->shift[root] = e->value + potential;
    }
}

static void
place_edge (const struct place *p, struct cab_pn_edge *e)
{
  uint64_t at_src, at_dst;
  uint32_t root = find (p, e->src, &at_src);
  if (e->end_reg)
    e->end_add = e->value + at_src - p->shift[root];
  else if (carries_register (p, e))
    {
      find (p, e->dst, &at_dst);
      e->inc = e->value + at_src - at_dst;
    }
}

static void
place_registers (struct place *p)
{
  struct cab_pathnum *g = p->w->g;
  make_forest (p);
  choose_shifts (p);
  for (uint32_t i = 0; i < g->n_edges; i++)
    place_edge (p, &g->edge[i]);
  for (uint32_t b = 0; b < g->n_blocks; b++)
    if (g->block[b].start && p->needs[b])
      {
	uint64_t potential;
	uint32_t root = find (p, b, &potential);
	g->block[b].use_reg = true;
	g->block[b].start_reg = g->block[b].base - potential + p->shift[root];
      }
}

int
cab_pn_place (struct cab_pn_work *w)
{
  size_t n = w->g->n_blocks;
  uint64_t *wide = calloc (n * 4, sizeof *wide);
  uint32_t *narrow = calloc (n * 2, sizeof *narrow);
  bool *flags = calloc (n * 3, sizeof *flags);
  struct cab_pn_item *item = calloc (w->g->n_edges + (size_t) 1, sizeof *item);
  bool have = wide && narrow && flags && item;
  if (have)
    {
      struct place p = { .w = w,
			 .item = item,
			 .to = wide,
			 .prefix = wide + n,
			 .pot = wide + 2 * n,
			 .shift = wide + 3 * n,
			 .parent = narrow,
			 .size = narrow + n,
			 .safe = flags,
			 .done = flags + n,
			 .needs = flags + 2 * n };
      count_arrivals (&p);
      find_done_blocks (&p);
      place_counts (&p);
      place_registers (&p);
    }
  free (wide);
  free (narrow);
  free (flags);
  free (item);
  return have ? 0 : CAB_PN_NO_MEMORY;
}
