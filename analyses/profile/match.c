/* match.c - match the functions of two profiles.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/match.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

static int
by_identity (const void *a, const void *b)
{
  const struct cab_function *x = *(struct cab_function *const *) a,
			    *y = *(struct cab_function *const *) b;
  int order = strcmp (x->assembler, y->assembler);
  order = order ? order : strcmp (x->file, y->file);
  order = order ? order : x->beside - y->beside;
  return order ? order : x->checksum < y->checksum ? -1 : x->checksum > y->checksum;
}

static void
sort_side (struct cab_match *match, int side)
{
  const struct cab_model *model = match->model[side];
  match->of[side] = XNEWVEC (struct cab_function *, model->n_functions + 1);
  match->pair_of[side] = XCNEWVEC (uint32_t, model->n_functions + 1);
  memcpy (match->of[side], model->functions, model->n_functions * sizeof *match->of[side]);
  qsort (match->of[side], model->n_functions, sizeof *match->of[side], by_identity);
}

/* Return how many trailing components of A and B agree, plus one if all do; at least 1 means that
   the files' names agree. */
static unsigned
common_suffix (const char *a, const char *b)
{
  size_t i = strlen (a), k = strlen (b);
  unsigned n = 0;
  while (i && k && a[i - 1] == b[k - 1])
    {
      i--;
      k--;
      n += a[i] == '/';
    }
  return n + ((!i || a[i - 1] == '/') && (!k || b[k - 1] == '/') && (!i || !k || a[i] != '/'))
       + (!i && !k);
}

/* The functions of one assembler name and one file on one side: N of them from FIRST on. */
struct run
{
  uint32_t first, n;
  bool taken;
};

static uint32_t
runs_of (const struct cab_match *match, int side, uint32_t first, uint32_t end, struct run *runs)
{
  uint32_t n = 0;
  for (uint32_t i = first; i < end; i++)
    if (n && !strcmp (match->of[side][i]->file, match->of[side][i - 1]->file))
      runs[n - 1].n++;
    else
      runs[n++] = (struct run) { .first = i, .n = 1 };
  return n;
}

/* Return how many builds the functions of RUN are.  A row that records accesses only is beside one
   of them, if there is any. */
static uint32_t
builds_in (const struct cab_match *match, int side, const struct run *run)
{
  uint32_t n = 0;
  while (n < run->n && !match->of[side][run->first + n]->beside)
    n++;
  return n ? n : run->n;
}

static void
add_pair (struct cab_match *match, struct run *a, struct run *b)
{
  struct run *runs[2] = { a, b };
  struct cab_pair *pair = &match->pairs[match->n_pairs];
  *pair = (struct cab_pair) { 0 };
  for (int side = 0; side < 2; side++)
    if (runs[side])
      {
	runs[side]->taken = true;
	pair->first[side] = runs[side]->first;
	pair->n[side] = builds_in (match, side, runs[side]);
	for (uint32_t i = 0; i < runs[side]->n; i++)
	  match->pair_of[side][match->of[side][pair->first[side] + i]->index] = match->n_pairs;
      }
  match->n_pairs++;
}

/* Pair the two runs that are left with the most components alike, at least one.  Return false if
   there are none. */
static bool
take_best (struct cab_match *match, struct run *a, uint32_t n_a, struct run *b, uint32_t n_b)
{
  struct run *best_a = NULL, *best_b = NULL;
  unsigned most = 0;
  for (uint32_t i = 0; i < n_a; i++)
    for (uint32_t k = 0; k < n_b && !a[i].taken; k++)
      {
	unsigned alike = b[k].taken ? 0
				    : common_suffix (match->of[0][a[i].first]->file,
						     match->of[1][b[k].first]->file);
	if (alike > most)
	  {
	    most = alike;
	    best_a = &a[i];
	    best_b = &b[k];
	  }
      }
  if (most)
    add_pair (match, best_a, best_b);
  return most > 0;
}

static struct run *
only_one_left (struct run *runs, uint32_t n)
{
  struct run *left = NULL;
  for (uint32_t i = 0; i < n; i++)
    if (!runs[i].taken)
      {
	if (left)
	  return NULL;
	left = &runs[i];
      }
  return left;
}

/* Match all functions of one assembler name: [FIRST[side], END[side]). */
static void
match_name (struct cab_match *match, const uint32_t *first, const uint32_t *end)
{
  struct run *runs[2];
  uint32_t n[2];
  for (int side = 0; side < 2; side++)
    {
      runs[side] = XNEWVEC (struct run, end[side] - first[side] + 1);
      n[side] = runs_of (match, side, first[side], end[side], runs[side]);
    }
  while (take_best (match, runs[0], n[0], runs[1], n[1]))
    continue;
  struct run *a = only_one_left (runs[0], n[0]), *b = only_one_left (runs[1], n[1]);
  if (a && b)
    add_pair (match, a, b);
  for (int side = 0; side < 2; side++)
    {
      for (uint32_t i = 0; i < n[side]; i++)
	if (!runs[side][i].taken)
	  add_pair (match, side ? NULL : &runs[0][i], side ? &runs[1][i] : NULL);
      free (runs[side]);
    }
}

static uint32_t
end_of_name (const struct cab_match *match, int side, uint32_t first, const char *name)
{
  while (first < match->model[side]->n_functions
	 && !strcmp (match->of[side][first]->assembler, name))
    first++;
  return first;
}

void
cab_match_init (struct cab_match *match, const struct cab_model *a, const struct cab_model *b)
{
  uint32_t first[2] = { 0, 0 }, end[2];
  *match = (struct cab_match) { .model = { a, b } };
  sort_side (match, 0);
  sort_side (match, 1);
  match->pairs = XNEWVEC (struct cab_pair, a->n_functions + b->n_functions + 1);
  while (first[0] < a->n_functions || first[1] < b->n_functions)
    {
      const char *x = first[0] < a->n_functions ? match->of[0][first[0]]->assembler : NULL;
      const char *y = first[1] < b->n_functions ? match->of[1][first[1]]->assembler : NULL;
      const char *name = !x || (y && strcmp (y, x) < 0) ? y : x;
      for (int side = 0; side < 2; side++)
	end[side] = end_of_name (match, side, first[side], name);
      match_name (match, first, end);
      memcpy (first, end, sizeof first);
    }
}

void
cab_match_fini (struct cab_match *match)
{
  for (int side = 0; side < 2; side++)
    {
      free (match->of[side]);
      free (match->pair_of[side]);
    }
  free (match->pairs);
  *match = (struct cab_match) { 0 };
}

const struct cab_function *
cab_match_face (const struct cab_match *match, const struct cab_pair *pair)
{
  int side = pair->n[1] > 0;
  return match->of[side][pair->first[side]];
}

/* Return true if A and B have the same graph.  Edges with their values determine the number of each
   path. */
static bool
same_graph (const struct cab_record *a, const struct cab_record *b)
{
  bool same = a->n_blocks == b->n_blocks && a->n_edges == b->n_edges && a->n_starts == b->n_starts
	   && a->n_paths == b->n_paths;
  for (uint32_t i = 0; same && i < a->n_edges; i++)
    {
      const struct cab_edge *x = &a->edges[i], *y = &b->edges[i];
      same = x->src == y->src && x->dst == y->dst && x->flags == y->flags && x->value == y->value;
    }
  for (uint32_t i = 0; same && i < a->n_starts; i++)
    same = a->starts[i].block == b->starts[i].block && a->starts[i].base == b->starts[i].base;
  return same;
}

bool
cab_match_same_shape (const struct cab_match *match, const struct cab_pair *pair)
{
  if (pair->n[0] != 1 || pair->n[1] != 1)
    return false;
  const struct cab_record *a = match->of[0][pair->first[0]]->record,
			  *b = match->of[1][pair->first[1]]->record;
  return a && b && same_graph (a, b);
}
