/* layout_pieces.c - where bytes of structures are in structures of arrays (cab_layout_pieces of
 * layout_arrays.h), and how large the result is.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_pieces.h"

static uint64_t
round_up (uint64_t n, uint64_t align)
{
  return (n + align - 1) & -align;
}

const struct cab_layout_arrays *
cab_layout_becomes (const struct cab_layout *layout, uint64_t n)
{
  return n >= 2 && layout->arrays.n ? &layout->arrays
       : n && layout->whole.n ? &layout->whole
       : NULL;
}

uint64_t
cab_layout_begin_of (const struct cab_layout_arrays *arrays, uint32_t array, uint64_t n)
{
  uint64_t at = 0;
  for (uint32_t i = 0; i < array; i++)
    at = round_up (at + n * arrays->items[i].bytes, arrays->items[i + 1].align);
  return at;
}

uint32_t
cab_layout_bytes_in (const struct cab_layout *l, const struct cab_layout_arrays *arrays, uint32_t u)
{
  const struct cab_layout *inner = arrays->within ? arrays->within[u] : NULL;
  if (!inner)
    return l->units[u].bytes;
  uint64_t n = l->units[u].bytes / inner->structure->bytes;
  const struct cab_layout_arrays *becomes = cab_layout_becomes (inner, n);
  uint32_t last = becomes->n - 1;
  return round_up (cab_layout_begin_of (becomes, last, n) + n * becomes->items[last].bytes,
		   l->units[u].align);
}

bool
cab_layout_is_nested (const struct cab_layout *l, const struct cab_layout_arrays *arrays,
		      uint32_t u)
{
  const struct cab_layout *inner = arrays->within ? arrays->within[u] : NULL;
  return inner
      && cab_layout_becomes (inner, l->units[u].bytes / inner->structure->bytes) == &inner->arrays;
}

/* Where the pieces of a unit that is a structure of arrays itself go: into array number `array' of
   what contains it. */
struct inside
{
  const struct cab_layout_arrays *arrays;   /* of the unit */
  uint64_t n;                               /* elements of each array */
  uint32_t array;
  uint64_t at;                              /* where the unit begins */
  cab_layout_put_piece *put;
  void *data;
};

static void
put_inside (void *data, uint32_t array, uint64_t from, uint64_t to)
{
  const struct inside *inside = data;
  uint64_t at = inside->at + cab_layout_begin_of (inside->arrays, array, inside->n);
  inside->put (inside->data, inside->array, at + from, at + to);
}

/* A range that grows to cover what is put. */
struct range
{
  uint64_t from, to;
};

static void
cover (struct range *range, uint64_t from, uint64_t to)
{
  range->from = from < range->from ? from : range->from;
  range->to = to > range->to ? to : range->to;
}

/* Find the place of PART, a range of an instance, in unit U, which is at AT of an array.  RANGE is
   extended to cover it, unless it is in a part of a structure of arrays. */
static void
piece_of_unit (const struct cab_layout *l, const struct cab_layout_arrays *arrays, uint32_t u,
	       uint64_t at, struct range part, struct range *range, cab_layout_put_piece *put,
	       void *data)
{
  const struct cab_layout_unit *unit = &l->units[u];
  const struct cab_layout *inner = arrays->within ? arrays->within[u] : NULL;
  struct range in = { part.from > unit->offset ? part.from - unit->offset : 0,
		      part.to - unit->offset };
  if (part.to <= unit->offset || in.from >= unit->bytes)
    return;
  in.to = in.to < unit->bytes ? in.to : unit->bytes;
  if (inner && in.to - in.from < unit->bytes)
    {
      uint64_t n = unit->bytes / inner->structure->bytes;
      struct inside inside = { cab_layout_becomes (inner, n), n, arrays->array[u], at, put, data };
      cab_layout_pieces (inner, inside.arrays, in.from, in.to, put_inside, &inside);
    }
  else
    cover (range, at + in.from, inner ? at + cab_layout_bytes_in (l, arrays, u) : at + in.to);
}

/* Put the place of PART, a range of instance I: one range for each array that has any of it. */
static void
pieces_of_one (const struct cab_layout *l, const struct cab_layout_arrays *arrays, uint64_t i,
	       struct range part, cab_layout_put_piece *put, void *data)
{
  for (uint32_t a = 0; a < arrays->n; a++)
    {
      const struct cab_layout_array *array = &arrays->items[a];
      struct range range = { UINT64_MAX, 0 };
      for (uint32_t k = array->first; k < array->first + array->n; k++)
	{
	  uint32_t u = arrays->order[k];
	  piece_of_unit (l, arrays, u, i * array->bytes + arrays->offset[u], part, &range, put,
			 data);
	}
      if (range.to)
	put (data, a, range.from, range.to);
    }
}

void
cab_layout_pieces (const struct cab_layout *l, const struct cab_layout_arrays *arrays,
		   uint64_t from, uint64_t to, cab_layout_put_piece *put, void *data)
{
  uint64_t size = l->structure->bytes, first = from / size, last = to / size;
  if (from >= to)
    return;
  if (first == last)
    {
      pieces_of_one (l, arrays, first, (struct range) { from % size, to % size }, put, data);
      return;
    }
  if (from % size)
    pieces_of_one (l, arrays, first++, (struct range) { from % size, size }, put, data);
  for (uint32_t a = 0; a < arrays->n && first < last; a++)
    put (data, a, first * arrays->items[a].bytes, last * arrays->items[a].bytes);
  if (to % size)
    pieces_of_one (l, arrays, last, (struct range) { 0, to % size }, put, data);
}
