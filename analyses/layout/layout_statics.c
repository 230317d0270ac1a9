/* layout_statics.c - see layout_statics.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_statics.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout_nested.h"
#include "analyses/layout/layout_pieces.h"

#define FIRST (UINT64_C (1) << 58)   /* the first of the addresses that are given out */
#define ALIGN 32
#define WIDE (UINT64_C (1) << 59)    /* the first address of local variables that take more room
					than they did */

struct cab_layout_statics
{
  struct cab_layout_variables variables;
  struct cab_layout_static *items;  /* by start */
  size_t n, last;                   /* last: the latest that was found */
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

/* Return how many variables begin at or before ADDRESS. */
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

/* Remove variable AT. */
static void
drop (struct cab_layout_statics *statics, size_t at)
{
  free (statics->items[at].arrays);
  memmove (&statics->items[at], &statics->items[at + 1],
	   (--statics->n - at) * sizeof *statics->items);
  statics->last = 0;
}

static const struct cab_layout_static *
add (struct cab_layout_statics *statics, const struct cab_layout_static *new)
{
  size_t at = n_before (statics, new->start);
  statics->items = XRESIZEVEC (struct cab_layout_static, statics->items, statics->n + 1);
  memmove (&statics->items[at + 1], &statics->items[at],
	   (statics->n++ - at) * sizeof *statics->items);
  statics->items[at] = *new;
  return &statics->items[statics->last = at];
}

static const struct cab_layout_static *
add_static (struct cab_layout_statics *statics, uint64_t start, uint64_t bytes,
	    const struct cab_layout *l)
{
  uint64_t n = bytes / l->structure->bytes;
  const struct cab_layout_arrays *becomes = cab_layout_becomes (l, n);
  struct cab_layout_static new = {
    start, bytes, false, l, becomes, XNEWVEC (uint64_t, becomes->n)
  };
  for (uint32_t i = 0; i < becomes->n; i++)
    {
      uint32_t align = becomes->items[i].align > ALIGN ? becomes->items[i].align : ALIGN;
      new.arrays[i] = (statics->top + align - 1) & -(uint64_t) align;
      statics->top = new.arrays[i] + n * becomes->items[i].bytes;
    }
  return add (statics, &new);
}

void
cab_layout_statics_begin (struct cab_layout_statics *statics, uint64_t start, uint64_t bytes,
			  const struct cab_layout *l)
{
  uint64_t n = l && bytes % l->structure->bytes == 0 ? bytes / l->structure->bytes : 0;
  const struct cab_layout_arrays *becomes = n ? cab_layout_becomes (l, n) : NULL;
  for (size_t i = n_before (statics, start + bytes - 1);
       i-- && start < statics->items[i].start + statics->items[i].bytes;)
    if (statics->items[i].is_local)
      drop (statics, i);
  if (!becomes)
    return;
  struct cab_layout_static new = { start, bytes, true, l, becomes, XNEWVEC (uint64_t, becomes->n) };
  uint64_t end = cab_layout_begin_of (becomes, becomes->n - 1, n)
	       + n * becomes->items[becomes->n - 1].bytes;
  for (uint32_t i = 0; i < becomes->n; i++)
    new.arrays[i] = (end <= bytes ? start : WIDE + 2 * start) + cab_layout_begin_of (becomes, i, n);
  add (statics, &new);
}

void
cab_layout_statics_end (struct cab_layout_statics *statics, uint64_t start)
{
  size_t n = n_before (statics, start);
  if (n && statics->items[n - 1].start == start && statics->items[n - 1].is_local)
    drop (statics, n - 1);
}

const struct cab_layout_static *
cab_layout_statics_find (struct cab_layout_statics *statics, uint64_t address,
			 const struct cab_layout *l, uint64_t offset, bool is_element)
{
  uint64_t start, bytes;
  if (statics->n
      && address - statics->items[statics->last].start < statics->items[statics->last].bytes)
    return &statics->items[statics->last];
  size_t n = n_before (statics, address);
  if (n && address - statics->items[n - 1].start < statics->items[n - 1].bytes)
    return &statics->items[statics->last = n - 1];
  if (!l || !cab_layout_becomes (l, 2)
      || !statics->variables.find (statics->variables.data, address, &start, &bytes))
    return NULL;
  l = cab_layouts_fitting (statics->variables.layouts, bytes, address - start, l, offset,
			   is_element);
  return l ? add_static (statics, start, bytes, l) : NULL;
}
