/* line_cycles.c - count how often control cycled among the blocks of a line.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line may have any number of blocks, as macros make them.  So nothing here is recursive, and
 * there is no table of pairs of blocks.
 */
#include "analyses/profile/line_cycles.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define NONE UINT32_MAX

/* A block on the path of the search. */
struct frame
{
  uint32_t at, next;         /* block, and the arc to look at next */
  bool found;                /* a cycle goes through this block */
};

struct search
{
  struct cab_line_graph *g;
  uint32_t *part;            /* by block: its strongly connected part, which cycles do not leave */
  uint32_t *source;          /* by arc */
  uint32_t *in_first, *in;   /* arcs that lead to a block: in[in_first[block]] to in[in_first[block
				+ 1] - 1] */
  uint32_t start;
  bool *blocked;
  bool *waits;               /* by arc: its source is unblocked when its target is */
  struct frame *frames;
  uint32_t *path, depth;     /* arcs from the start to the current block */
  uint32_t used_up;          /* the first position on the path whose arc is used up, or NONE */
  uint32_t *stack;           /* blocks to be unblocked */
  uint64_t sum;
};

/* The state of Tarjan's search for strongly connected parts. */
struct parts
{
  uint32_t *index, *low, *stack, n_stack, n_indices, n_parts;
  struct frame *frames;
  uint32_t depth;
};

static void
enter_part (struct parts *p, const struct search *s, uint32_t at)
{
  p->index[at] = p->low[at] = p->n_indices++;
  p->stack[p->n_stack++] = at;
  p->frames[p->depth++] = (struct frame) { at, s->g->first[at], false };
}

/* Finish AT, whose arcs have all been followed.  It and the blocks above it on the stack are a part
   if none of them leads further back. */
static void
leave_part (struct parts *p, struct search *s, uint32_t at)
{
  p->depth--;
  if (p->depth)
    {
      uint32_t above = p->frames[p->depth - 1].at;
      p->low[above] = p->low[at] < p->low[above] ? p->low[at] : p->low[above];
    }
  if (p->low[at] != p->index[at])
    return;
  while (s->part[at] == NONE)
    s->part[p->stack[--p->n_stack]] = p->n_parts;
  p->n_parts++;
}

static void
find_parts_from (struct parts *p, struct search *s, uint32_t root)
{
  const struct cab_line_graph *g = s->g;
  enter_part (p, s, root);
  while (p->depth)
    {
      struct frame *f = &p->frames[p->depth - 1];
      if (f->next == g->first[f->at + 1])
	{
	  leave_part (p, s, f->at);
	  continue;
	}
      uint32_t arc = f->next++, to = g->to[arc];
      if (!g->count[arc])
	continue;
      if (p->index[to] == NONE)
	enter_part (p, s, to);
      else if (s->part[to] == NONE && p->index[to] < p->low[f->at])
	p->low[f->at] = p->index[to];
    }
}

static void
find_parts (struct search *s)
{
  uint32_t n = s->g->n;
  struct parts p = { .index = XNEWVEC (uint32_t, n + 1),
		     .low = XNEWVEC (uint32_t, n + 1),
		     .stack = XNEWVEC (uint32_t, n + 1),
		     .frames = XNEWVEC (struct frame, n + 1) };
  memset (p.index, 0xff, n * sizeof *p.index);
  memset (s->part, 0xff, n * sizeof *s->part);
  for (uint32_t b = 0; b < n; b++)
    if (p.index[b] == NONE)
      find_parts_from (&p, s, b);
  free (p.index);
  free (p.low);
  free (p.stack);
  free (p.frames);
}

/* Sort the arcs by their targets. */
static void
find_incoming (struct search *s)
{
  const struct cab_line_graph *g = s->g;
  uint32_t n_arcs = g->first[g->n];
  memset (s->in_first, 0, (g->n + 2) * sizeof *s->in_first);
  for (uint32_t i = 0; i < n_arcs; i++)
    s->in_first[g->to[i] + 2]++;
  for (uint32_t b = 0; b < g->n; b++)
    s->in_first[b + 2] += s->in_first[b + 1];
  for (uint32_t b = 0; b < g->n; b++)
    for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++)
      {
	s->source[i] = b;
	s->in[s->in_first[g->to[i] + 1]++] = i;
      }
}

/* Return true if ARC may be on a cycle from the start: it is not used up, stays in the part, and
   does not lead to a block before the start. */
static bool
goes_on (const struct search *s, uint32_t arc)
{
  uint32_t to = s->g->to[arc];
  return s->g->count[arc] && to >= s->start && s->part[to] == s->part[s->start];
}

/* Return true if an arc leads back to the start, from it or a later block. */
static bool
may_begin (const struct search *s)
{
  for (uint32_t k = s->in_first[s->start]; k < s->in_first[s->start + 1]; k++)
    if (goes_on (s, s->in[k]) && s->source[s->in[k]] >= s->start
	&& s->part[s->source[s->in[k]]] == s->part[s->start])
      return true;
  return false;
}

static void
take_cycle (struct search *s)
{
  uint64_t *count = s->g->count, least = UINT64_MAX;
  for (uint32_t i = 0; i < s->depth; i++)
    least = count[s->path[i]] < least ? count[s->path[i]] : least;
  s->sum += least;
  for (uint32_t i = 0; i < s->depth; i++)
    {
      count[s->path[i]] -= least;
      if (!count[s->path[i]] && i < s->used_up)
	s->used_up = i;
    }
}

/* Unblock AT, and transitively each block that waits for one that is unblocked. */
static void
unblock (struct search *s, uint32_t at)
{
  uint32_t n = 0;
  s->blocked[at] = false;
  s->stack[n++] = at;
  while (n)
    {
      uint32_t block = s->stack[--n];
      for (uint32_t k = s->in_first[block]; k < s->in_first[block + 1]; k++)
	{
	  uint32_t arc = s->in[k];
	  if (s->waits[arc] && s->blocked[s->source[arc]])
	    {
	      s->blocked[s->source[arc]] = false;
	      s->stack[n++] = s->source[arc];
	    }
	  s->waits[arc] = false;
	}
    }
}

static void
enter (struct search *s, uint32_t at, uint32_t n_frames)
{
  s->blocked[at] = true;
  s->frames[n_frames] = (struct frame) { at, s->g->first[at], false };
}

/* Go back from the last of the N_FRAMES blocks, since all its arcs have been followed. */
static void
leave (struct search *s, uint32_t n_frames)
{
  const struct frame *f = &s->frames[n_frames - 1];
  if (f->found)
    unblock (s, f->at);
  else
    for (uint32_t i = s->g->first[f->at]; i < s->g->first[f->at + 1]; i++)
      s->waits[i] |= goes_on (s, i);
  if (n_frames == 1)
    return;
  s->frames[n_frames - 2].found |= f->found;
  s->depth--;
  if (s->used_up >= s->depth)
    s->used_up = NONE;
}

/* Take the cycles that go through the start and through no block before it. */
static void
search_from_start (struct search *s)
{
  uint32_t n_frames = 1;
  s->depth = 0;
  s->used_up = NONE;
  enter (s, s->start, 0);
  while (n_frames)
    {
      struct frame *f = &s->frames[n_frames - 1];
      if (f->next == s->g->first[f->at + 1])
	{
	  leave (s, n_frames--);
	  continue;
	}
      uint32_t arc = f->next++, to = s->g->to[arc];
      if (!goes_on (s, arc))
	continue;
      if (to == s->start)
	{
	  s->path[s->depth++] = arc;
	  take_cycle (s);
	  s->depth--;
	  if (s->used_up >= s->depth)
	    s->used_up = NONE;
	  f->found = true;
	}
      else if (s->used_up == NONE && !s->blocked[to])
	{
	  s->path[s->depth++] = arc;
	  enter (s, to, n_frames++);
	}
    }
}

uint64_t
cab_line_cycles (struct cab_line_graph *g)
{
  uint32_t n = g->n, n_arcs = g->first[n];
  struct search s = { .g = g,
		      .part = XNEWVEC (uint32_t, n + 1),
		      .source = XNEWVEC (uint32_t, n_arcs + 1),
		      .in_first = XNEWVEC (uint32_t, n + 2),
		      .in = XNEWVEC (uint32_t, n_arcs + 1),
		      .blocked = XNEWVEC (bool, n + 1),
		      .waits = XNEWVEC (bool, n_arcs + 1),
		      .frames = XNEWVEC (struct frame, n + 1),
		      .path = XNEWVEC (uint32_t, n + 1),
		      .stack = XNEWVEC (uint32_t, n + 1) };
  find_parts (&s);
  find_incoming (&s);
  for (s.start = 0; s.start < n; s.start++)
    if (may_begin (&s))
      {
	memset (s.blocked, 0, n);
	memset (s.waits, 0, n_arcs);
	search_from_start (&s);
      }
  void *all[] = {
    s.part, s.source, s.in_first, s.in, s.blocked, s.waits, s.frames, s.path, s.stack
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free (all[i]);
  return s.sum;
}
