/* layout_instances.c - see layout_instances.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_instances.h"
#include <stdlib.h>
#include <string.h>
#include <ansidecl.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/live/an_blocks.h"
#include "analyses/base/table.h"
#include "analyses/profile/process_images.h"
#include "analyses/binary/dwarf_variables.h"

#define NESTING 4   /* the depth of arrays in arrays in structures that is followed */

static void
count_blocks (struct cab_layouts *layouts, const struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_blocks);
  struct cab_blocks_row row;
  for (uint64_t cursor = 0; state && cab_blocks_next (state, &cursor, &row);)
    {
      struct cab_access_ref ref = cab_model_access (model, cab_blocks_number (&row));
      struct cab_layout *layout
	= ref.allocation ? cab_layouts_find (layouts, ref.allocation->structure) : NULL;
      if (!layout || !row.sums.blocks)
	continue;
      uint64_t block = row.sums.bytes / row.sums.blocks, size = layout->structure->bytes;
      /* A structure that ends in an array without a size is alone in its block. */
      bool has_tail = !layout->units[layout->n_units - 1].bytes;
      layout->at_once += has_tail ? row.sums.peak / (block ? block : 1) : row.sums.peak / size;
    }
}

/* Return true if debugging information calls S NAME, where the name of a template also has its
   arguments. */
static bool
is_called (const struct cab_structure *s, const char *name)
{
  size_t length = strlen (s->name);
  return !strncmp (s->name, name, length) && (!name[length] || name[length] == '<');
}

/* Count BYTES of a variable for each layout whose structure is called NAME. */
static void
count_variable (struct cab_layouts *layouts, const char *name, uint64_t bytes)
{
  for (uint32_t i = 0; i < layouts->n; i++)
    if (is_called (layouts->items[i].structure, name))
      layouts->items[i].at_once += bytes / layouts->items[i].structure->bytes;
}

/* Count the variables of FILE, if it was not rebuilt since the run. */
static void
count_module (struct cab_layouts *layouts, const struct cab_module_file *file)
{
  struct cab_loaded loaded = { 0 };
  struct cab_dwarf_variable *variables = NULL;
  struct cab_diag diag;
  uint32_t n = 0;
  if (cab_loaded_add_built (&loaded, file->path, 0, file->key, &diag) == 0)
    variables = cab_dwarf_variables (file->path, &layouts->names, &n);
  for (uint32_t i = 0; i < n; i++)
    {
      const struct cab_image_symbol *symbol
	= cab_image_object (&loaded.items[0].image, variables[i].address);
      bool again = i && variables[i].address == variables[i - 1].address;
      if (*variables[i].structure && symbol && !again)
	count_variable (layouts, variables[i].structure, symbol->bytes);
    }
  free (variables);
  cab_loaded_fini (&loaded);
}

/* Add to each layout the instances in arrays of other structures.  OWN has, by layout, those that
   are in no other structure. */
static void
count_nested (struct cab_layouts *layouts, const uint64_t *own)
{
  uint64_t *nested = XCNEWVEC (uint64_t, layouts->n + 1);
  for (uint32_t i = 0; i < layouts->n; i++)
    for (uint32_t u = 0; u < layouts->items[i].n_units; u++)
      {
	const struct cab_layout_unit *unit = &layouts->items[i].units[u];
	const struct cab_layout *inner
	  = unit->inner ? cab_layouts_find (layouts, unit->element) : NULL;
	if (inner)
	  nested[inner - layouts->items]
	    += layouts->items[i].at_once * (unit->bytes / inner->structure->bytes);
      }
  for (uint32_t i = 0; i < layouts->n; i++)
    layouts->items[i].at_once = own[i] + nested[i];
  free (nested);
}

void
cab_layouts_count_instances (struct cab_layouts *layouts, const struct cab_model *model)
{
  for (uint32_t i = 0; i < layouts->n; i++)
    layouts->items[i].at_once = 0;
  count_blocks (layouts, model);
  for (uint32_t i = 0; i < model->n_modules; i++)
    count_module (layouts, model->modules[i]);
  uint64_t *own = XNEWVEC (uint64_t, layouts->n + 1);
  for (uint32_t i = 0; i < layouts->n; i++)
    own[i] = layouts->items[i].at_once;
  for (int depth = 0; depth < NESTING; depth++)
    count_nested (layouts, own);
  free (own);
  for (uint32_t i = 0; i < layouts->n; i++)
    if (!layouts->items[i].at_once)
      layouts->items[i].at_once = CAB_UNKNOWN;
}

struct instance
{
  const struct cab_layout *layout;
  uint64_t base;
};

struct cab_instances_seen
{
  struct htab *set;
};

static hashval_t
instance_hash (const void *entry)
{
  const struct instance *i = entry;
  return (i->base ^ (uintptr_t) i->layout) * UINT64_C (0x9e3779b97f4a7c15) >> 32;
}

static int
instance_equal (const void *a, const void *b)
{
  const struct instance *x = a, *y = b;
  return x->layout == y->layout && x->base == y->base;
}

struct cab_instances_seen *
cab_instances_seen_new (void)
{
  struct cab_instances_seen *seen = XCNEW (struct cab_instances_seen);
  seen->set = htab_create (1024, instance_hash, instance_equal, free);
  return seen;
}

void
cab_instances_seen_free (struct cab_instances_seen *seen)
{
  htab_delete (seen->set);
  free (seen);
}

void
cab_instances_seen_add (struct cab_instances_seen *seen, struct cab_layout *layout, uint64_t base)
{
  struct instance wanted = { layout, base };
  if (layout->seen == CAB_INSTANCES_SEEN)
    return;
  void **slot = htab_find_slot (seen->set, &wanted, INSERT);
  if (*slot)
    return;
  *slot = XDUP (struct instance, &wanted);
  layout->seen++;
  if (layout->at_once == CAB_UNKNOWN || layout->at_once < layout->seen)
    layout->at_once = layout->seen;
}
