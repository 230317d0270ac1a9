/* gcda.c - collect the counters of all functions and units.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/gcda/gcda.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/report/gcda/gcda_records.h"
#include "analyses/report/gcda/gcda_stale.h"

static bool
equal (const struct cab_gcov *a, const struct cab_gcov *b)
{
  return a->ident == b->ident && a->lineno == b->lineno && a->cfg == b->cfg && a->unit == b->unit
      && a->n_counters == b->n_counters;
}

static hashval_t
function_hash (const void *p)
{
  const struct cab_gcov *gcov = &((const struct cab_gcda_function *) p)->gcov;
  return gcov->ident ^ gcov->lineno ^ gcov->cfg ^ gcov->unit;
}

static int
function_equal (const void *a, const void *b)
{
  return equal (&((const struct cab_gcda_function *) a)->gcov,
		&((const struct cab_gcda_function *) b)->gcov);
}

/* Where the unit of a name is. */
struct named
{
  const char *directory, *base;
  uint32_t index;
};

static hashval_t
name_hash (const void *p)
{
  return htab_hash_string (((const struct named *) p)->base);
}

static int
name_equal (const void *a, const void *b)
{
  const struct named *x = a, *y = b;
  return !strcmp (x->base, y->base) && (*x->base == '/' || !strcmp (x->directory, y->directory));
}

void
cab_gcda_init (struct cab_gcda *gcda)
{
  *gcda = (struct cab_gcda) { .units = NULL };
  cab_names_init (&gcda->names);
  gcda->functions = htab_create (1024, function_hash, function_equal, NULL);
  gcda->by_name = htab_create (64, name_hash, name_equal, NULL);
}

static int
forget (void **slot, void *data)
{
  (void) data;
  cab_gcda_calls_fini (*slot);
  return 1;
}

void
cab_gcda_fini (struct cab_gcda *gcda)
{
  htab_traverse (gcda->functions, forget, NULL);
  htab_delete (gcda->functions);
  htab_delete (gcda->by_name);
  if (gcda->by_look)
    htab_delete (gcda->by_look);
  free (gcda->units);
  free (gcda->modules);
  cab_names_fini (&gcda->names);
}

struct cab_gcda_function *
cab_gcda_function_of (struct cab_gcda *gcda, const struct cab_gcov *gcov)
{
  struct cab_gcda_function wanted = { .gcov = *gcov };
  void **slot = htab_find_slot (gcda->functions, &wanted, INSERT);
  if (!*slot)
    {
      struct cab_gcda_function *f = cab_names_zero (&gcda->names, 1, sizeof *f);
      f->gcov = *gcov;
      f->counts = cab_names_zero (&gcda->names, gcov->n_counters, sizeof *f->counts);
      gcda->n_functions++;
      *slot = f;
    }
  return *slot;
}

/* Add the counters of FUNCTION, which the part that is read has. */
static void
add_function (struct cab_gcda *gcda, struct cab_model *model, const struct cab_function *function)
{
  const struct cab_record *r = function->record;
  struct cab_gcda_function *f = cab_gcda_function_of (gcda, &r->gcov);
  uint64_t *counts = XCNEWVEC (uint64_t, r->gcov.n_counters + 1),
	   *blocks = XCNEWVEC (uint64_t, r->n_blocks + 1);
  if (!function->paths || !cab_gcda_counters (function, counts, blocks))
    f->unknown = true;
  if (!f->blocks)
    {
      f->n_blocks = r->n_blocks;
      f->blocks = cab_names_zero (&gcda->names, r->n_blocks, sizeof *blocks);
      cab_gcda_values_set (gcda, f, r);
    }
  f->values.known &= f->n_blocks == r->n_blocks;
  if (f->part != gcda->n_parts)
    {
      f->most = 0;
      f->order = function->flags & CAB_PART_UNORDERED ? 0 : function->index + 1;
    }
  f->part = gcda->n_parts;
  for (uint32_t i = 0; i < r->gcov.n_counters; i++)
    {
      f->counts[i] += counts[i];
      f->most = counts[i] > f->most ? counts[i] : f->most;
    }
  for (uint32_t i = 0; i < f->n_blocks && f->values.known; i++)
    f->blocks[i] += blocks[i];
  cab_gcda_values_add (gcda, f, function);
  free (blocks);
  free (counts);
  cab_gcda_calls_add (f, model, function);
}

/* Return the index of the unit of INFO, added if it is new. */
static uint32_t
unit_of (struct cab_gcda *gcda, const struct cab_gcov_unit *info)
{
  struct named wanted = { info->directory, info->base, 0 };
  void **slot = htab_find_slot (gcda->by_name, &wanted, INSERT);
  if (*slot)
    return ((struct named *) *slot)->index;
  struct named *named = cab_names_zero (&gcda->names, 1, sizeof *named);
  named->directory = cab_names_copy (&gcda->names, info->directory, strlen (info->directory));
  named->base = cab_names_copy (&gcda->names, info->base, strlen (info->base));
  named->index = gcda->n_units;
  *slot = named;
  gcda->units = XRESIZEVEC (struct cab_gcda_unit, gcda->units, gcda->n_units + 1);
  gcda->units[gcda->n_units] = (struct cab_gcda_unit) {
    .directory = named->directory, .base = named->base, .version = info->version,
    .in_words = info->in_words, .n_functions = info->n_functions,
    .functions = cab_names_zero (&gcda->names, info->n_functions, sizeof (void *))
  };
  for (uint32_t i = 0; i < info->n_functions; i++)
    gcda->units[gcda->n_units].functions[i] = cab_gcda_function_of (gcda, &info->functions[i]);
  return gcda->n_units++;
}

/* Return true if UNIT is of the same build as INFO says. */
static bool
is_same (const struct cab_gcda_unit *unit, const struct cab_gcov_unit *info)
{
  if (unit->version != info->version || unit->n_functions != info->n_functions)
    return false;
  for (uint32_t i = 0; i < info->n_functions; i++)
    if (!equal (&unit->functions[i]->gcov, &info->functions[i]))
      return false;
  return true;
}

int
cab_gcda_unit_add (struct cab_gcda *gcda, struct cab_info *file, uint64_t offset,
		   struct cab_diag *diag)
{
  struct cab_gcov_unit info;
  if (cab_gcda_unit_record (file, offset, &info, diag) < 0)
    return -1;
  uint32_t unit = unit_of (gcda, &info);
  gcda->units[unit].mixed |= !is_same (&gcda->units[unit], &info);
  return unit;
}

/* Read the units of FILE. */
static struct cab_gcda_module *
add_module (struct cab_gcda *gcda, struct cab_model *model, struct cab_module_file *file)
{
  struct cab_gcda_module module = { .key = cab_names_copy (&gcda->names, file->key,
							   strlen (file->key)) };
  uint64_t offset = 0, at;
  struct cab_diag diag;
  uint32_t *units = NULL;
  for (char kind; (kind = cab_info_next (&file->info, &offset, &at));)
    {
      int unit = kind == 'G' ? cab_gcda_unit_add (gcda, &file->info, at, &diag) : -1;
      if (kind == 'G' && unit < 0)
	cab_model_problem (model, "%s", diag.text);
      if (unit < 0)
	continue;
      units = XRESIZEVEC (uint32_t, units, module.n_units + 1);
      units[module.n_units++] = unit;
    }
  if (gcda->is_stale)
    cab_gcda_stale_index (gcda, &file->info);
  module.units = cab_names_zero (&gcda->names, module.n_units, sizeof *units);
  if (units)
    memcpy (module.units, units, module.n_units * sizeof *units);
  free (units);
  gcda->modules = XRESIZEVEC (struct cab_gcda_module, gcda->modules, gcda->n_modules + 1);
  gcda->modules[gcda->n_modules] = module;
  return &gcda->modules[gcda->n_modules++];
}

static struct cab_gcda_module *
module_of (struct cab_gcda *gcda, struct cab_model *model, struct cab_module_file *file)
{
  for (uint32_t i = 0; i < gcda->n_modules; i++)
    if (!strcmp (gcda->modules[i].key, file->key))
      return &gcda->modules[i];
  return add_module (gcda, model, file);
}

/* Count the part that was just read as a run of MODULE's units. */
static void
add_run (struct cab_gcda *gcda, const struct cab_gcda_module *module)
{
  cab_gcda_first_add (gcda, module);
  uint64_t most = 0;
  for (uint32_t i = 0; i < module->n_units; i++)
    {
      const struct cab_gcda_unit *unit = &gcda->units[module->units[i]];
      for (uint32_t k = 0; k < unit->n_functions; k++)
	if (unit->functions[k]->part == gcda->n_parts && unit->functions[k]->most > most)
	  most = unit->functions[k]->most;
    }
  for (uint32_t i = 0; i < module->n_units; i++)
    {
      gcda->units[module->units[i]].runs++;
      gcda->units[module->units[i]].sum_max += most;
    }
}

void
cab_gcda_add (struct cab_gcda *gcda, struct cab_model *model)
{
  gcda->n_parts++;
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      const struct cab_function *function = model->functions[i];
      if (!function->record || !(function->record->counted || function->record->traced))
	continue;
      if (function->record->gcov.known)
	add_function (gcda, model, function);
      else if (!gcda->without)
	gcda->without = cab_names_copy (&gcda->names, function->display,
					strlen (function->display));
    }
  for (uint32_t i = 0; i < model->n_modules; i++)
    if (model->modules[i]->info.path)
      add_run (gcda, module_of (gcda, model, model->modules[i]));
}
