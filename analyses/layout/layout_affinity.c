/* layout_affinity.c - see layout_affinity.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_affinity.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout_instances.h"

/* An access to a member. */
struct use
{
  const struct cab_layout *layout;   /* null: no access yet */
  uint64_t base;
  uint32_t unit;
};

struct thread
{
  struct use uses[CAB_AFFINITY_NEAR];
  unsigned next;                     /* counts accesses; modulo CAB_AFFINITY_NEAR, the index of the
					oldest one */
};

struct cab_affinity
{
  uint32_t n_threads;
  struct thread *threads;
  struct cab_instances_seen *seen;
  uint64_t n, unknown;
};

struct cab_affinity *
cab_affinity_new (void)
{
  struct cab_affinity *affinity = XCNEW (struct cab_affinity);
  affinity->seen = cab_instances_seen_new ();
  return affinity;
}

void
cab_affinity_free (struct cab_affinity *affinity)
{
  cab_instances_seen_free (affinity->seen);
  free (affinity->threads);
  free (affinity);
}

static struct thread *
thread_of (struct cab_affinity *affinity, uint32_t thread)
{
  if (thread >= affinity->n_threads)
    {
      uint32_t n = thread + 1;
      affinity->threads = XRESIZEVEC (struct thread, affinity->threads, n);
      memset (affinity->threads + affinity->n_threads, 0,
	      (n - affinity->n_threads) * sizeof *affinity->threads);
      affinity->n_threads = n;
    }
  return &affinity->threads[thread];
}

/* Set *BASE to the start of the latest instance that has ADDRESS in the array UNIT.  Return false
   if no recent one has. */
static bool
base_near (const struct thread *t, const struct cab_layout *l, uint32_t unit, uint64_t address,
	   uint64_t *base)
{
  const struct cab_layout_unit *u = &l->units[unit];
  for (unsigned i = 1; i <= CAB_AFFINITY_NEAR; i++)
    {
      const struct use *use = &t->uses[(t->next - i) % CAB_AFFINITY_NEAR];
      uint64_t at = address - use->base - u->offset;
      if (use->layout != l || address < use->base + u->offset || (u->bytes && at >= u->bytes))
	continue;
      *base = use->base;
      return true;
    }
  return false;
}

static void
use_unit (struct thread *t, struct cab_layout *l, uint64_t base, uint32_t unit)
{
  bool seen[l->n_units];
  memset (seen, 0, sizeof seen);
  seen[unit] = true;
  for (unsigned i = 0; i < CAB_AFFINITY_NEAR; i++)
    {
      const struct use *use = &t->uses[i];
      if (use->layout != l || use->base != base || seen[use->unit])
	continue;
      seen[use->unit] = true;
      l->together[unit * l->n_units + use->unit]++;
      l->together[use->unit * l->n_units + unit]++;
    }
  t->uses[t->next++ % CAB_AFFINITY_NEAR] = (struct use) { l, base, unit };
}

void
cab_affinity_feed (struct cab_affinity *affinity, uint32_t thread, struct cab_layout *layout,
		   uint64_t address, uint64_t bytes, uint64_t offset, bool is_element)
{
  struct thread *t = thread_of (affinity, thread);
  uint32_t unit = cab_layout_unit_at (layout, offset);
  uint64_t base = address - offset;
  affinity->n++;
  if (unit == layout->n_units || (is_element && !base_near (t, layout, unit, address, &base)))
    {
      affinity->unknown++;
      return;
    }
  cab_instances_seen_add (affinity->seen, layout, base);
  use_unit (t, layout, base, unit);
  for (uint32_t u = unit + 1;
       !is_element && u < layout->n_units && layout->units[u].offset < offset + bytes; u++)
    use_unit (t, layout, base, u);
}

uint64_t
cab_affinity_accesses (const struct cab_affinity *affinity, uint64_t *unknown)
{
  *unknown = affinity->unknown;
  return affinity->n;
}

void
cab_affinity_begin (struct cab_layouts *layouts)
{
  for (uint32_t i = 0; i < layouts->n; i++)
    memset (layouts->items[i].together, 0,
	    sizeof (double) * layouts->items[i].n_units * layouts->items[i].n_units);
}

void
cab_affinity_end (struct cab_layouts *layouts)
{
  for (uint32_t i = 0; i < layouts->n; i++)
    {
      layouts->items[i].by_instance = true;
      cab_layout_make_plan (&layouts->items[i], &layouts->names);
    }
}
