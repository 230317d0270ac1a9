/* layout.c - see layout.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout.h"
#include <stdlib.h>
#include <string.h>
#include <ansidecl.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout_instances.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_blocks.h"
#include "analyses/base/table.h"

/* A key, and the index of the structure that it stands for. */
struct entry
{
  uint32_t key, index;
};

static hashval_t
entry_hash (const void *entry)
{
  return ((const struct entry *) entry)->key;
}

static int
entry_equal (const void *a, const void *b)
{
  return ((const struct entry *) a)->key == ((const struct entry *) b)->key;
}

struct cab_layout *
cab_layouts_find (const struct cab_layouts *layouts, uint32_t key)
{
  struct entry wanted = { key, 0 };
  const struct entry *entry = key ? htab_find (layouts->by_key, &wanted) : NULL;
  return entry ? &layouts->items[entry->index] : NULL;
}

uint32_t
cab_layout_unit_at (const struct cab_layout *layout, uint64_t offset)
{
  for (uint32_t u = 0; u < layout->n_units; u++)
    {
      const struct cab_layout_unit *unit = &layout->units[u];
      if (offset >= unit->offset && (offset - unit->offset < unit->bytes || !unit->bytes))
	return u;
    }
  return layout->n_units;
}

static bool
same (const struct cab_structure *a, const struct cab_structure *b)
{
  if (cab_structure_is_unnamed (a) && (strcmp (a->file, b->file) || a->column != b->column))
    return false;
  if (strcmp (a->name, b->name) || a->bytes != b->bytes || a->n_members != b->n_members)
    return false;
  for (uint32_t i = 0; i < a->n_members; i++)
    if (strcmp (a->members[i].name, b->members[i].name)
	|| a->members[i].offset != b->members[i].offset)
      return false;
  return true;
}

static int
by_offset (const void *a, const void *b)
{
  const struct cab_layout_unit *x = a, *y = b;
  return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
				: (x->first > y->first) - (x->first < y->first);
}

/* Set the units of LAYOUT.  Members that overlap are one unit: bit-fields, and what takes no room
   beside another member. */
static void
make_units (struct cab_layout *layout, struct cab_names *names)
{
  const struct cab_structure *s = layout->structure;
  layout->units = cab_names_zero (names, s->n_members, sizeof *layout->units);
  for (uint32_t i = 0; i < s->n_members; i++)
    {
      const struct cab_member *m = &s->members[i];
      struct cab_layout_unit *last = layout->n_units ? &layout->units[layout->n_units - 1] : NULL;
      bool is_end = i + 1 == s->n_members;
      if (last && (m->offset < last->offset + last->bytes || (!m->bytes && !is_end)))
	{
	  uint32_t end = m->offset + m->bytes;
	  last->bytes = end > last->offset + last->bytes ? end - last->offset : last->bytes;
	  last->align = m->align > last->align ? m->align : last->align;
	  last->fixed |= m->fixed;
	  last->n++;
	}
      else
	layout->units[layout->n_units++] = (struct cab_layout_unit) { .offset = m->offset,
								      .bytes = m->bytes,
								      .align = m->align,
								      .first = i,
								      .n = 1,
								      .fixed = m->fixed,
								      .inner = m->structures,
								      .element = m->element };
    }
  qsort (layout->units, layout->n_units, sizeof *layout->units, by_offset);
  layout->together = cab_names_zero (names, (size_t) layout->n_units * layout->n_units,
				     sizeof *layout->together);
}

static void
add_structure (struct cab_layouts *layouts, const struct cab_structure *structure)
{
  struct entry wanted = { structure->key, 0 };
  struct entry **slot = (struct entry **) htab_find_slot (layouts->by_key, &wanted, INSERT);
  if (*slot)
    return;
  *slot = cab_names_zero (&layouts->names, 1, sizeof **slot);
  (*slot)->key = structure->key;
  for (uint32_t i = 0; i < layouts->n; i++)
    if (same (layouts->items[i].structure, structure))
      {
	(*slot)->index = i;
	return;
      }
  (*slot)->index = layouts->n;
  layouts->items = XRESIZEVEC (struct cab_layout, layouts->items, layouts->n + 1);
  layouts->items[layouts->n] = (struct cab_layout) { .structure = structure };
  make_units (&layouts->items[layouts->n++], &layouts->names);
}

static void
add_module (struct cab_layouts *layouts, struct cab_info *info)
{
  uint64_t offset = 0, at;
  struct cab_diag diag;
  for (char kind; info->path && (kind = cab_info_next (info, &offset, &at));)
    if (kind == 'Y')
      {
	struct cab_structure *structure = cab_names_zero (&layouts->names, 1, sizeof *structure);
	bool good = cab_info_structure (info, at, structure, &diag) == 0;
	if (good && structure->n_members && structure->n_members <= CAB_LAYOUT_MEMBERS_MAX)
	  add_structure (layouts, structure);
      }
}

/* N accesses of a unit in a loop of a function. */
struct use
{
  struct cab_layout *layout;
  uint32_t loop, unit;
  uint64_t n;
};

static int
by_loop (const void *a, const void *b)
{
  const struct use *x = a, *y = b;
  if (x->layout != y->layout)
    return x->layout < y->layout ? -1 : 1;
  return x->loop != y->loop ? (x->loop > y->loop) - (x->loop < y->loop)
			    : (x->unit > y->unit) - (x->unit < y->unit);
}

struct uses
{
  struct use *items;
  size_t n, room;
};

static void
add_use (struct uses *uses, struct cab_layout *layout, uint32_t loop, uint32_t unit, uint64_t n)
{
  if (uses->n == uses->room)
    uses->items = XRESIZEVEC (struct use, uses->items, uses->room = 2 * uses->room + 64);
  uses->items[uses->n++] = (struct use) { layout, loop, unit, n };
}

/* Count the N USES of one loop and layout as used together. */
static void
relate (const struct use *uses, size_t n)
{
  struct cab_layout *layout = uses->layout;
  for (size_t i = 0; i < n; i++)
    for (size_t k = i + 1; k < n; k++)
      {
	uint64_t least = uses[i].n < uses[k].n ? uses[i].n : uses[k].n;
	layout->together[uses[i].unit * layout->n_units + uses[k].unit] += least;
	layout->together[uses[k].unit * layout->n_units + uses[i].unit] += least;
      }
}

/* Append N uses of one loop to their layout. */
static void
keep (const struct use *uses, size_t n)
{
  struct cab_layout *layout = uses->layout;
  uint32_t loop = layout->n_uses ? layout->uses[layout->n_uses - 1].loop + 1 : 0;
  layout->uses = XRESIZEVEC (struct cab_layout_use, layout->uses, layout->n_uses + n);
  for (size_t i = 0; i < n; i++)
    layout->uses[layout->n_uses++] = (struct cab_layout_use) { loop, uses[i].unit, uses[i].n };
}

/* Merge a function's uses of the same unit and loop, and relate those of the same loop. */
static void
settle (struct uses *uses)
{
  size_t n = 0;
  if (!uses->n)
    return;
  qsort (uses->items, uses->n, sizeof *uses->items, by_loop);
  for (size_t i = 0; i < uses->n; i++)
    if (n && by_loop (&uses->items[n - 1], &uses->items[i]) == 0)
      uses->items[n - 1].n += uses->items[i].n;
    else
      uses->items[n++] = uses->items[i];
  for (size_t first = 0, end; first < n; first = end)
    {
      const struct use *all = uses->items;
      for (end = first + 1;
	   end < n && all[end].layout == all[first].layout && all[end].loop == all[first].loop;)
	end++;
      relate (uses->items + first, end - first);
      keep (uses->items + first, end - first);
    }
  uses->n = 0;
}

static void
count_access (const struct cab_layouts *layouts, const struct cab_access_place *place,
	      const struct cab_accesses_row *row, struct uses *uses)
{
  struct cab_layout *layout = cab_layouts_find (layouts, place->structure);
  uint64_t both = row->n[CAB_ROW_READ | CAB_ROW_WRITE], reads = row->n[CAB_ROW_READ] + both,
	   writes = row->n[CAB_ROW_WRITE] + both;
  uint64_t end = place->offset + (place->is_element || !place->bytes ? 1 : place->bytes),
	   n = reads + writes - both;
  if (!layout || !n)
    return;
  layout->reads += reads;
  layout->writes += writes;
  layout->accesses += n;
  for (uint32_t u = 0; u < layout->n_units; u++)
    {
      struct cab_layout_unit *unit = &layout->units[u];
      bool hit = unit->bytes ? unit->offset < end && place->offset < unit->offset + unit->bytes
			     : unit->offset < end;
      if (!hit)
	continue;
      unit->reads += reads;
      unit->writes += writes;
      unit->accesses += n;
      add_use (uses, layout, place->loop, u, n);
    }
}

static void
count (struct cab_layouts *layouts, const struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_accesses);
  const struct cab_function *function = NULL;
  struct cab_accesses_row row;
  struct uses uses = { 0 };
  for (uint64_t cursor = 0; state && cab_accesses_next (state, &cursor, &row);)
    {
      struct cab_access_ref ref = cab_model_access (model, row.number);
      if (!ref.access)
	continue;
      if (ref.function != function)
	settle (&uses);
      function = ref.function;
      count_access (layouts, ref.access, &row, &uses);
    }
  settle (&uses);
  free (uses.items);
}

static void
count_instances (struct cab_layouts *layouts, const struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_blocks);
  struct cab_blocks_row row;
  for (uint64_t cursor = 0; state && cab_blocks_next (state, &cursor, &row);)
    {
      struct cab_access_ref ref = cab_model_access (model, cab_blocks_number (&row));
      struct cab_layout *layout = ref.allocation
				  ? cab_layouts_find (layouts, ref.allocation->structure)
				  : NULL;
      if (!layout)
	continue;
      /* A structure with an array without a size is alone in its block. */
      bool one = !layout->units[layout->n_units - 1].bytes;
      uint64_t n = one ? row.sums.blocks : row.sums.bytes / layout->structure->bytes;
      layout->instances += n;
      layout->in_arrays += n / 2 >= row.sums.blocks ? n : 0;
    }
  for (uint32_t i = 0; i < layouts->n; i++)
    if (!layouts->items[i].instances)
      layouts->items[i].instances = CAB_UNKNOWN;
}

/* Compare indices of layouts by accesses, most first.  The entries of by_key are renumbered
   afterwards. */
static int
by_accesses (const void *a, const void *b, void *items)
{
  const struct cab_layout *x = (const struct cab_layout *) items + *(const uint32_t *) a;
  const struct cab_layout *y = (const struct cab_layout *) items + *(const uint32_t *) b;
  if (x->accesses != y->accesses)
    return x->accesses < y->accesses ? 1 : -1;
  int names = strcmp (x->structure->name, y->structure->name);
  return names ? names : (int) (*(const uint32_t *) a - *(const uint32_t *) b);
}

static int
renumber (void **slot, void *to)
{
  struct entry *entry = *slot;
  entry->index = ((const uint32_t *) to)[entry->index];
  return 1;
}

static void
sort (struct cab_layouts *layouts)
{
  uint32_t *order = XNEWVEC (uint32_t, layouts->n + 1), *place = XNEWVEC (uint32_t, layouts->n + 1);
  struct cab_layout *sorted = XNEWVEC (struct cab_layout, layouts->n + 1);
  for (uint32_t i = 0; i < layouts->n; i++)
    order[i] = i;
  qsort_r (order, layouts->n, sizeof *order, by_accesses, layouts->items);
  for (uint32_t i = 0; i < layouts->n; i++)
    {
      sorted[i] = layouts->items[order[i]];
      place[order[i]] = i;
    }
  htab_traverse (layouts->by_key, renumber, place);
  free (layouts->items);
  layouts->items = sorted;
  free (order);
  free (place);
}

void
cab_layouts_open (struct cab_layouts *layouts, const struct cab_model *model)
{
  memset (layouts, 0, sizeof *layouts);
  cab_names_init (&layouts->names);
  layouts->by_key = htab_create (64, entry_hash, entry_equal, NULL);
  for (uint32_t i = 0; i < model->n_modules; i++)
    add_module (layouts, &model->modules[i]->info);
  count (layouts, model);
  count_instances (layouts, model);
  sort (layouts);
  cab_layouts_count_instances (layouts, model);
  for (uint32_t i = 0; i < layouts->n; i++)
    cab_layout_make_plan (&layouts->items[i], &layouts->names);
}

void
cab_layouts_close (struct cab_layouts *layouts)
{
  htab_delete (layouts->by_key);
  for (uint32_t i = 0; i < layouts->n; i++)
    free (layouts->items[i].uses);
  free (layouts->items);
  cab_names_fini (&layouts->names);
}
