/* layout_plan.c - the order of the units of a structure, and the parts to put them in.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hot units come first, each next to those with which it is used most.  Cold units go into a part
 * of their own if that makes the first part smaller in spite of the pointer to the other one.
 */
#include <stdlib.h>
#include <string.h>
#include "analyses/layout/layout.h"

#define POINTER 8

static uint32_t
round_up (uint32_t n, uint32_t align)
{
  return (n + align - 1) & -align;
}

/* Return the accesses for each 8 bytes that a unit takes: what it gains for its room in a cache. */
static double
density (const struct cab_layout_unit *unit)
{
  return unit->accesses / (double) (unit->bytes ? (unit->bytes + 7) / 8 : 1);
}

static void
find_cold (struct cab_layout *layout)
{
  double sum = 0;
  for (uint32_t i = 0; i < layout->n_units; i++)
    sum += density (&layout->units[i]);
  for (uint32_t i = 0; i < layout->n_units; i++)
    {
      struct cab_layout_unit *u = &layout->units[i];
      u->cold = !u->fixed && !u->inner && u->bytes && density (u) < sum / (2 * layout->n_units);
    }
}

const char *
cab_layout_used (const struct cab_layout *layout, uint32_t unit)
{
  const struct cab_layout_unit *u = &layout->units[unit];
  if (u->inner)
    return "nested";
  if (!u->accesses)
    return "unseen";
  return u->cold ? "cold" : u->accesses < CAB_LAYOUT_FEW ? "few" : "hot";
}

/* Return the reason.  Units that stay where they are must come first. */
const char *
cab_layout_why_not (const struct cab_layout *layout)
{
  bool moved = false;
  uint32_t free = 0;
  if (layout->structure->packed)
    return "it is packed";
  if (layout->structure->foreign)
    return "it is of a system's header, or the compiler's own";
  for (uint32_t i = 0; i < layout->n_units; i++)
    {
      const struct cab_layout_unit *u = &layout->units[i];
      if (u->fixed && moved)
	return "what the compiler has placed is between other members";
      if (!u->bytes && !u->fixed && i + 1 < layout->n_units)
	return "a member without a size is not the last";
      moved |= !u->fixed;
      free += !u->fixed;
    }
  return free < 2 ? "it has fewer than two members that may move"
       : !layout->accesses ? "nothing was accessed"
       : NULL;
}

/* Return how much unit U belongs to those of ORDER[0 .. N-1] that lie in the line being filled. */
static double
affinity (const struct cab_layout *layout, const uint32_t *order, uint32_t n, uint32_t u)
{
  double sum = 0;
  uint32_t bytes = 0;
  while (n-- && bytes < CAB_LAYOUT_LINE)
    {
      sum += layout->together[u * layout->n_units + order[n]];
      bytes += layout->units[order[n]].bytes;
    }
  return sum;
}

/* Return the next unit after ORDER[0 .. N-1], which end at END, out of those that TAKEN does not
   name: the one that needs the least padding, then the one that belongs to the others most, then
   the one with most accesses. */
static uint32_t
next_unit (const struct cab_layout *layout, const uint32_t *order, uint32_t n, const bool *taken,
	   uint32_t end)
{
  uint32_t best = layout->n_units;
  double best_affinity = 0;
  for (uint32_t u = 0; u < layout->n_units; u++)
    {
      const struct cab_layout_unit *unit = &layout->units[u],
				   *other = best < layout->n_units ? &layout->units[best] : NULL;
      if (taken[u])
	continue;
      uint32_t padding = -end & (unit->align - 1),
	       other_padding = other ? -end & (other->align - 1) : UINT32_MAX;
      double a = affinity (layout, order, n, u);
      bool more = other
	       && (a > best_affinity || (a == best_affinity && unit->accesses > other->accesses));
      if (padding != other_padding ? padding < other_padding : more)
	{
	  best = u;
	  best_affinity = a;
	}
    }
  return best;
}

/* Lay out the units that TAKEN does not name, from ORDER[N] on.  Return where they end. */
static uint32_t
lay_out (const struct cab_layout *layout, struct cab_layout_plan *plan, uint32_t n, bool *taken,
	 uint32_t end, uint32_t *align)
{
  uint32_t begin = n;
  for (uint32_t u;
       (u = next_unit (layout, plan->order + begin, n - begin, taken, end)) < layout->n_units; n++)
    {
      taken[u] = true;
      plan->order[n] = u;
      plan->offset[u] = round_up (end, layout->units[u].align);
      end = plan->offset[u] + layout->units[u].bytes;
      *align = *align > layout->units[u].align ? *align : layout->units[u].align;
    }
  return end;
}

/* Lay out the units at the front that stay there.  Return their number, and set *END to where they
   end. */
static uint32_t
lay_out_fixed (const struct cab_layout *layout, struct cab_layout_plan *plan, uint32_t *end)
{
  uint32_t n = 0;
  for (*end = 0; n < layout->n_units && layout->units[n].fixed; n++)
    {
      plan->order[n] = n;
      plan->offset[n] = layout->units[n].offset;
      *end = plan->offset[n] + layout->units[n].bytes;
    }
  return n;
}

static void
lay_out_last (const struct cab_layout *layout, struct cab_layout_plan *plan, uint32_t *n,
	      uint32_t *end)
{
  uint32_t last = layout->n_units - 1;
  if (layout->units[last].bytes)
    return;
  plan->order[(*n)++] = last;
  *end = plan->offset[last] = round_up (*end, layout->units[last].align);
}

/* Make a plan of KIND.  It is judged by the size of its first part. */
static void
try_plan (const struct cab_layout *layout, struct cab_layout_plan *plan, enum cab_layout_kind kind)
{
  uint32_t n_units = layout->n_units, end;
  bool taken[n_units], later[n_units];
  plan->kind = kind;
  plan->align = kind == CAB_LAYOUT_SPLIT ? POINTER : 1;
  plan->cold_bytes = 0;
  plan->cold_align = 1;
  uint32_t n_fixed = lay_out_fixed (layout, plan, &end), n_hot = n_fixed, n_cold = 0;
  for (uint32_t u = 0; u < n_units; u++)
    {
      bool away = u < n_fixed || !layout->units[u].bytes, cold = !away && layout->units[u].cold;
      taken[u] = away || cold;
      later[u] = !cold;
      n_cold += cold;
      n_hot += !away && !cold;
    }
  if (n_fixed && plan->align < layout->structure->align)
    plan->align = layout->structure->align;
  end = lay_out (layout, plan, n_fixed, taken, end, &plan->align);
  if (kind == CAB_LAYOUT_SPLIT)
    {
      plan->pointer = round_up (end, POINTER);
      end = plan->pointer + POINTER;
      lay_out_last (layout, plan, &n_hot, &end);
      plan->cold_bytes = lay_out (layout, plan, n_hot, later, 0, &plan->cold_align);
      plan->cold_bytes = round_up (plan->cold_bytes, plan->cold_align);
      plan->n_hot = n_hot;
    }
  else
    {
      end = lay_out (layout, plan, n_hot, later, end, &plan->align);
      n_hot += n_cold;
      lay_out_last (layout, plan, &n_hot, &end);
      plan->n_hot = n_units;
    }
  plan->bytes = round_up (end, plan->align);
}

static bool
any_cold (const struct cab_layout *layout)
{
  for (uint32_t u = 0; u < layout->n_units; u++)
    if (layout->units[u].cold)
      return true;
  return false;
}

/* Return the number of lines that the hot units take in a structure that begins at a line.  OFFSET
   is by unit; null means as they are. */
static uint32_t
hot_lines (const struct cab_layout *layout, const uint32_t *offset)
{
  uint32_t n_lines = layout->structure->bytes / CAB_LAYOUT_LINE + 2, n = 0;
  bool *used = calloc (n_lines, sizeof *used);
  for (uint32_t u = 0; used && u < layout->n_units; u++)
    {
      uint32_t at = offset ? offset[u] : layout->units[u].offset, bytes = layout->units[u].bytes;
      if (!layout->units[u].cold && bytes)
	for (uint32_t line = at / CAB_LAYOUT_LINE;
	     line <= (at + bytes - 1) / CAB_LAYOUT_LINE && line < n_lines; line++)
	  {
	    n += !used[line];
	    used[line] = true;
	  }
    }
  free (used);
  return n;
}

/* Propose another order if it is smaller or has fewer hot lines. */
static void
make_order (struct cab_layout *layout)
{
  struct cab_layout_plan *plan = &layout->plan;
  try_plan (layout, plan, CAB_LAYOUT_ORDER);
  if (plan->bytes < layout->structure->bytes
      || hot_lines (layout, plan->offset) < hot_lines (layout, NULL))
    return;
  plan->kind = CAB_LAYOUT_KEEP;
  plan->why = "no better order";
}

void
cab_layout_make_plan (struct cab_layout *layout, struct cab_names *names)
{
  struct cab_layout_plan *plan = &layout->plan;
  find_cold (layout);
  cab_layout_make_arrays (layout, names);
  *plan = (struct cab_layout_plan) { .why = cab_layout_why_not (layout) };
  plan->order = cab_names_zero (names, layout->n_units, sizeof *plan->order);
  plan->offset = cab_names_zero (names, layout->n_units, sizeof *plan->offset);
  if (plan->why)
    return;
  if (any_cold (layout))
    {
      try_plan (layout, plan, CAB_LAYOUT_SPLIT);
      if (plan->bytes < layout->structure->bytes && plan->cold_bytes > POINTER)
	return;
    }
  make_order (layout);
}

void
cab_layout_forbid_split (struct cab_layout *layout)
{
  if (layout->plan.kind == CAB_LAYOUT_SPLIT)
    make_order (layout);
}
