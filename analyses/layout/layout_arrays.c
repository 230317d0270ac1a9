/* layout_arrays.c - see layout_arrays.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_arrays.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout_pieces.h"

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

/* Return how much A and B belong together: always, if 1 or more; never, if 0. */
static double
link_of (const struct cab_layout *l, uint32_t a, uint32_t b)
{
  const struct cab_layout_unit *x = &l->units[a], *y = &l->units[b];
  uint64_t most = x->accesses > y->accesses ? x->accesses : y->accesses;
  return x->inner || y->inner ? 0 : most ? l->together[a * l->n_units + b] / most : 1;
}

/* Groups that are being formed, each identified by its first unit. */
struct groups
{
  uint32_t n;
  uint32_t *of;        /* by unit: its group */
  double *link;        /* n * n, between groups: the least link of their units */
};

/* Find the two groups that belong together most.  Return false if none do. */
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

void
cab_layout_place_units (const struct cab_layout *l, struct cab_layout_arrays *arrays,
			struct cab_layout_array *item)
{
  uint32_t end = 0;
  for (uint32_t k = item->first; k < item->first + item->n; k++)
    {
      uint32_t u = arrays->order[k];
      arrays->offset[u] = round_up (end, l->units[u].align);
      end = arrays->offset[u] + cab_layout_bytes_in (l, arrays, u);
    }
  item->bytes = round_up (end, item->align);
}

/* Make the next array from the units of GROUP, those of the largest alignment first, so that none
   needs padding before it. */
static void
add_array (const struct cab_layout *l, struct cab_layout_arrays *arrays, const uint32_t *of,
	   uint32_t group)
{
  struct cab_layout_array *array = &arrays->items[arrays->n];
  const struct cab_layout_array *last = arrays->n ? array - 1 : NULL;
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
	}
  cab_layout_place_units (l, arrays, array);
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
