/* layout_arrays.c - see layout_arrays.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout_arrays.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/layout.h"

static uint32_t
round_up (uint32_t n, uint32_t align)
{
  return (n + align - 1) & -align;
}

static const char *
why_not (const struct cab_layout *l)
{
  const char *why = cab_layout_why_not (l);
  if (why)
    return why;
  for (uint32_t u = 0; u < l->n_units; u++)
    if (l->units[u].fixed)
      return "it has a base or virtual functions";
  return l->units[l->n_units - 1].bytes ? NULL : "it ends in an array without a size";
}

/* How much A and B belong together: 1 or more, always; 0, never. */
static double
link_of (const struct cab_layout *l, uint32_t a, uint32_t b)
{
  const struct cab_layout_unit *x = &l->units[a], *y = &l->units[b];
  uint64_t most = x->accesses > y->accesses ? x->accesses : y->accesses;
  return x->inner || y->inner ? 0 : most ? l->together[a * l->n_units + b] / most : 1;
}

/* Groups in the making: each is known by its first unit. */
struct groups
{
  uint32_t n;
  uint32_t *of;        /* by unit: its group */
  double *link;        /* n * n, of groups: the least one of their units */
};

/* The two groups that belong together most; false: none do. */
static bool
closest (const struct groups *g, uint32_t *first, uint32_t *second)
{
  double best = 0;
  for (uint32_t a = 0; a < g->n; a++)
    for (uint32_t b = a + 1; b < g->n && g->of[a] == a; b++)
      if (g->of[b] == b && g->link[a * g->n + b] > best)
	{
	  best = g->link[a * g->n + b];
	  *first = a;
	  *second = b;
	}
  return best >= CAB_ARRAYS_TOGETHER;
}

static void
join (struct groups *g, uint32_t a, uint32_t b)
{
  for (uint32_t u = 0; u < g->n; u++)
    {
      double other = g->link[b * g->n + u];
      g->of[u] = g->of[u] == b ? a : g->of[u];
      if (other < g->link[a * g->n + u])
	g->link[a * g->n + u] = g->link[u * g->n + a] = other;
    }
}

static void
find_groups (const struct cab_layout *l, uint32_t *of)
{
  struct groups g = { l->n_units, of, XNEWVEC (double, (size_t) l->n_units * l->n_units) };
  for (uint32_t a = 0; a < g.n; a++)
    {
      of[a] = a;
      for (uint32_t b = 0; b < g.n; b++)
	g.link[a * g.n + b] = link_of (l, a, b);
    }
  for (uint32_t a, b; closest (&g, &a, &b);)
    join (&g, a, b);
  free (g.link);
}

/* The units of GROUP become the next array: those of the largest alignment first, so that none needs padding in front of it. */
static void
add_array (const struct cab_layout *l, struct cab_layout_arrays *arrays, const uint32_t *of, uint32_t group)
{
  struct cab_layout_array *array = &arrays->items[arrays->n];
  const struct cab_layout_array *last = arrays->n ? array - 1 : NULL;
  uint32_t end = 0;
  *array = (struct cab_layout_array) { .first = last ? last->first + last->n : 0, .align = 1 };
  for (uint32_t u = group; u < l->n_units; u++)
    if (of[u] == group && l->units[u].align > array->align)
      array->align = l->units[u].align;
  for (uint32_t align = array->align; align; align /= 2)
    for (uint32_t u = group; u < l->n_units; u++)
      if (of[u] == group && l->units[u].align == align)
	{
	  arrays->order[array->first + array->n++] = u;
	  arrays->array[u] = arrays->n;
	  arrays->offset[u] = round_up (end, align);
	  end = arrays->offset[u] + l->units[u].bytes;
	}
  array->bytes = round_up (end, array->align);
  arrays->n++;
}

void
cab_layout_make_arrays (struct cab_layout *layout, struct cab_names *names)
{
  struct cab_layout_arrays *arrays = &layout->arrays;
  uint32_t n = layout->n_units;
  *arrays = (struct cab_layout_arrays) { .why = why_not (layout) };
  if (arrays->why)
    return;
  uint32_t *of = XNEWVEC (uint32_t, n);
  arrays->items = cab_names_zero (names, n, sizeof *arrays->items);
  arrays->order = cab_names_zero (names, n, sizeof *arrays->order);
  arrays->array = cab_names_zero (names, n, sizeof *arrays->array);
  arrays->offset = cab_names_zero (names, n, sizeof *arrays->offset);
  find_groups (layout, of);
  for (uint32_t u = 0; u < n; u++)
    if (of[u] == u)
      add_array (layout, arrays, of, u);
  free (of);
  if (arrays->n == 1)
    *arrays = (struct cab_layout_arrays) { .why = "its members are all used together" };
}

/* What [FROM, TO) of instance I is: a range for each array that has any of it. */
static uint32_t
pieces_of_one (const struct cab_layout *l, uint64_t i, uint64_t from, uint64_t to, struct cab_layout_piece *pieces)
{
  const struct cab_layout_arrays *arrays = &l->arrays;
  uint32_t n = 0;
  for (uint32_t a = 0; a < arrays->n; a++)
    {
      const struct cab_layout_array *array = &arrays->items[a];
      struct cab_layout_piece piece = { a, UINT64_MAX, 0 };
      for (uint32_t k = array->first; k < array->first + array->n; k++)
	{
	  const struct cab_layout_unit *unit = &l->units[arrays->order[k]];
	  uint64_t low = from > unit->offset ? from : unit->offset;
	  uint64_t high = to < unit->offset + unit->bytes ? to : unit->offset + unit->bytes;
	  uint64_t at = i * array->bytes + arrays->offset[arrays->order[k]] - unit->offset;
	  if (low >= high)
	    continue;
	  piece.from = at + low < piece.from ? at + low : piece.from;
	  piece.to = at + high > piece.to ? at + high : piece.to;
	}
      if (piece.to)
	pieces[n++] = piece;
    }
  return n;
}

uint32_t
cab_layout_pieces (const struct cab_layout *l, uint64_t from, uint64_t to, struct cab_layout_piece *pieces)
{
  uint64_t size = l->structure->bytes, first = from / size, last = to / size;
  uint32_t n = 0;
  if (from >= to)
    return 0;
  if (first == last)
    return pieces_of_one (l, first, from % size, to % size, pieces);
  if (from % size)
    n = pieces_of_one (l, first++, from % size, size, pieces);
  for (uint32_t a = 0; a < l->arrays.n && first < last; a++)
    pieces[n++] = (struct cab_layout_piece) { a, first * l->arrays.items[a].bytes, last * l->arrays.items[a].bytes };
  return to % size ? n + pieces_of_one (l, last, 0, to % size, pieces + n) : n;
}
