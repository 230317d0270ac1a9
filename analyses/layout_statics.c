/* layout_statics.c - see layout_statics.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout_statics.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define FIRST (UINT64_C (1) << 58)   /* of the addresses that are given out */
#define ALIGN 32

struct cab_layout_statics
{
  struct cab_layout_variables variables;
  struct cab_layout_static *items;  /* by start */
  size_t n, last;                   /* last: the one that was found last */
  uint64_t top;
};

struct cab_layout_statics *
cab_layout_statics_new (const struct cab_layout_variables *variables)
{
  struct cab_layout_statics *statics = XCNEW (struct cab_layout_statics);
  statics->variables = *variables;
  statics->top = FIRST;
  return statics;
}

void
cab_layout_statics_free (struct cab_layout_statics *statics)
{
  if (!statics)
    return;
  for (size_t i = 0; i < statics->n; i++)
    free (statics->items[i].arrays);
  free (statics->items);
  free (statics);
}

/* How many of them begin at or before ADDRESS. */
static size_t
n_before (const struct cab_layout_statics *statics, uint64_t address)
{
  size_t low = 0, high = statics->n;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (statics->items[middle].start <= address)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static const struct cab_layout_static *
add (struct cab_layout_statics *statics, uint64_t start, uint64_t bytes, const struct cab_layout *l)
{
  size_t at = n_before (statics, start);
  struct cab_layout_static new = { start, bytes, l, XNEWVEC (uint64_t, l->arrays.n) };
  for (uint32_t i = 0; i < l->arrays.n; i++)
    {
      uint32_t align = l->arrays.items[i].align > ALIGN ? l->arrays.items[i].align : ALIGN;
      new.arrays[i] = (statics->top + align - 1) & -(uint64_t) align;
      statics->top = new.arrays[i] + bytes / l->structure->bytes * l->arrays.items[i].bytes;
    }
  statics->items = XRESIZEVEC (struct cab_layout_static, statics->items, statics->n + 1);
  memmove (&statics->items[at + 1], &statics->items[at], (statics->n++ - at) * sizeof *statics->items);
  statics->items[at] = new;
  return &statics->items[statics->last = at];
}

/* Does the member at OFFSET of LAYOUT lie at AT in it? */
static bool
fits (const struct cab_layout *l, uint64_t at, uint64_t offset, bool is_element)
{
  return at == offset || (is_element && cab_layout_unit_at (l, at) == cab_layout_unit_at (l, offset));
}

const struct cab_layout_static *
cab_layout_statics_find (struct cab_layout_statics *statics, uint64_t address, const struct cab_layout *l, uint64_t offset, bool is_element)
{
  uint64_t start, bytes;
  if (statics->n && address - statics->items[statics->last].start < statics->items[statics->last].bytes)
    return &statics->items[statics->last];
  size_t n = n_before (statics, address);
  if (n && address - statics->items[n - 1].start < statics->items[n - 1].bytes)
    return &statics->items[statics->last = n - 1];
  if (!l || !l->arrays.n || !statics->variables.find (statics->variables.data, address, &start, &bytes))
    return NULL;
  uint64_t size = l->structure->bytes;
  bool is_array = bytes / size >= 2 && bytes % size == 0 && fits (l, (address - start) % size, offset, is_element);
  return is_array ? add (statics, start, bytes, l) : NULL;
}
