/* layout_nested.c - see layout_nested.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_nested.h"
#include "analyses/layout/layout_pieces.h"

static uint64_t
round_up (uint64_t n, uint64_t align)
{
  return (n + align - 1) & -align;
}

/* Return true if the byte at AT of an L is the member at OFFSET. */
static bool
fits (const struct cab_layout *l, uint64_t at, uint64_t offset, bool is_element)
{
  return at == offset
      || (is_element && cab_layout_unit_at (l, at) == cab_layout_unit_at (l, offset));
}

/* Return true if the byte at AT of an L is the member at OFFSET of an INNER in an array in L. */
static bool
has_at (const struct cab_layout *l, uint64_t at, const struct cab_layout *inner, uint64_t offset,
	bool is_element)
{
  uint32_t u = cab_layout_unit_at (l, at);
  const struct cab_layout *in = u < l->n_units && l->whole.n ? l->whole.within[u] : NULL;
  if (!in)
    return false;
  at = (at - l->units[u].offset) % in->structure->bytes;
  return in == inner ? fits (in, at, offset, is_element)
		     : has_at (in, at, inner, offset, is_element);
}

static bool
consists_of (const struct cab_layout *l, uint64_t bytes)
{
  return bytes % l->structure->bytes == 0 && cab_layout_becomes (l, bytes / l->structure->bytes);
}

const struct cab_layout *
cab_layouts_fitting (const struct cab_layouts *layouts, uint64_t bytes, uint64_t at,
		     const struct cab_layout *inner, uint64_t offset, bool is_element)
{
  if (consists_of (inner, bytes) && fits (inner, at % inner->structure->bytes, offset, is_element))
    return inner;
  for (uint32_t i = 0; i < layouts->n; i++)
    {
      const struct cab_layout *l = &layouts->items[i];
      if (l->whole.n && consists_of (l, bytes)
	  && has_at (l, at % l->structure->bytes, inner, offset, is_element))
	return l;
    }
  return NULL;
}

/* Make one array of the units of L, in their order. */
static void
make_whole (struct cab_layouts *layouts, struct cab_layout *l, const struct cab_layout **within)
{
  struct cab_layout_arrays *whole = &l->whole;
  uint32_t n = l->n_units, end = 0;
  bool moves = false;
  whole->within = within;
  whole->items = cab_names_zero (&layouts->names, 1, sizeof *whole->items);
  whole->order = cab_names_zero (&layouts->names, n, sizeof *whole->order);
  whole->array = cab_names_zero (&layouts->names, n, sizeof *whole->array);
  whole->offset = cab_names_zero (&layouts->names, n, sizeof *whole->offset);
  for (uint32_t u = 0; u < n; u++)
    {
      const struct cab_layout_unit *unit = &l->units[u];
      whole->order[u] = u;
      whole->offset[u] = moves ? round_up (end, unit->align) : unit->offset;
      end = whole->offset[u] + cab_layout_bytes_in (l, whole, u);
      moves |= cab_layout_bytes_in (l, whole, u) != unit->bytes;
    }
  uint32_t bytes = moves ? round_up (end, l->structure->align) : l->structure->bytes;
  whole->items[0] = (struct cab_layout_array) { 0, n, bytes, l->structure->align };
  whole->n = 1;
}

/* Return the layout of the structures of which unit U of L is an array and which become arrays in
   it, or null. */
static struct cab_layout *
changed_in (struct cab_layouts *layouts, const struct cab_layout *l, uint32_t u)
{
  const struct cab_layout_unit *unit = &l->units[u];
  struct cab_layout *inner = unit->inner && unit->n == 1 ? cab_layouts_find (layouts, unit->element)
							 : NULL;
  uint32_t size = inner ? inner->structure->bytes : 1;
  return inner && unit->bytes % size == 0 && cab_layout_becomes (inner, unit->bytes / size) ? inner
											    : NULL;
}

/* Note that L holds structures of INNER that become arrays.  L is noted once; later holders come
   first. */
static void
note_holder (struct cab_layouts *layouts, struct cab_layout *inner, const struct cab_layout *l)
{
  if (inner->holders && inner->holders->layout == l)
    return;
  struct cab_layout_holder *holder = cab_names_zero (&layouts->names, 1, sizeof *holder);
  *holder = (struct cab_layout_holder) { l, inner->holders };
  inner->holders = holder;
}

static void
nest (struct cab_layouts *layouts, struct cab_layout *l)
{
  bool any = false;
  if (l->is_nested)
    return;
  l->is_nested = true;
  const struct cab_layout **within = cab_names_zero (&layouts->names, l->n_units, sizeof *within);
  for (uint32_t u = 0; u < l->n_units; u++)
    if (l->units[u].inner && l->units[l->n_units - 1].bytes
	&& cab_layouts_find (layouts, l->units[u].element))
      {
	nest (layouts, cab_layouts_find (layouts, l->units[u].element));
	struct cab_layout *inner = changed_in (layouts, l, u);
	within[u] = inner;
	any |= inner != NULL;
	if (inner)
	  note_holder (layouts, inner, l);
      }
  if (!any)
    return;
  make_whole (layouts, l, within);
  l->arrays.within = within;
  for (uint32_t i = 0; i < l->arrays.n; i++)
    cab_layout_place_units (l, &l->arrays, &l->arrays.items[i]);
}

void
cab_layouts_nest (struct cab_layouts *layouts)
{
  for (uint32_t i = 0; i < layouts->n; i++)
    nest (layouts, &layouts->items[i]);
}
