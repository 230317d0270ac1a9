/* model_functions.c - see model_functions.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/model_functions.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>

/* Hash tables that find a function by where its record is, by what it is, and by its name. */
struct cab_tables
{
  htab_t by_place, by_identity, by_name;
};

struct entry
{
  char *key;
  struct cab_function *function;
};

static hashval_t
entry_hash (const void *p)
{
  return htab_hash_string (((const struct entry *) p)->key);
}

static int
entry_equal (const void *a, const void *b)
{
  return !strcmp (((const struct entry *) a)->key, ((const struct entry *) b)->key);
}

static struct entry *
find (struct cab_model *model, htab_t table, char *key)
{
  struct entry wanted = { key, NULL };
  void **slot = htab_find_slot (table, &wanted, INSERT);
  if (!*slot)
    {
      struct entry *entry = cab_names_zero (&model->names, 1, sizeof *entry);
      entry->key = key;
      *slot = entry;
    }
  return *slot;
}

void
cab_model_tables_open (struct cab_model *model)
{
  model->tables = cab_names_zero (&model->names, 1, sizeof *model->tables);
  model->tables->by_place = htab_create (1024, entry_hash, entry_equal, NULL);
  model->tables->by_identity = htab_create (1024, entry_hash, entry_equal, NULL);
  model->tables->by_name = htab_create (1024, entry_hash, entry_equal, NULL);
}

void
cab_model_tables_close (struct cab_model *model)
{
  htab_delete (model->tables->by_place);
  htab_delete (model->tables->by_identity);
  htab_delete (model->tables->by_name);
}

/* Add the S, U and X records of a module that is seen for the first time. */
static void
read_notes (struct cab_model *model, struct cab_module_file *module)
{
  uint64_t offset = 0, at;
  char kind;
  while ((kind = cab_info_next (&module->info, &offset, &at)))
    {
      struct cab_diag diag;
      struct cab_model_note note = { .module = module->path };
      if (kind != 'S' && kind != 'U' && kind != 'X')
	continue;
      if (cab_info_note (&module->info, at, &note.note, &diag) < 0)
	{
	  cab_model_problem (model, "%s", diag.text);
	  continue;
	}
      model->notes = XRESIZEVEC (struct cab_model_note, model->notes, model->n_notes + 1);
      model->notes[model->n_notes++] = note;
    }
}

struct cab_module_file *
cab_model_module (struct cab_model *model, const char *key, const char *path)
{
  struct cab_diag diag;
  for (uint32_t i = 0; i < model->n_modules; i++)
    if (!strcmp (model->modules[i]->key, key))
      return model->modules[i];
  struct cab_module_file *module = cab_names_zero (&model->names, 1, sizeof *module);
  module->key = cab_names_copy (&model->names, key, strlen (key));
  module->path = cab_names_copy (&model->names, path, strlen (path));
  model->modules = XRESIZEVEC (struct cab_module_file *, model->modules, model->n_modules + 1);
  model->modules[model->n_modules++] = module;
  char *dir = concat (model->dir, "/", NULL), *file = cab_info_module_path (dir, strlen (dir), key);
  if (!*key || strchr (key, '/'))
    cab_model_problem (model, "%s: has no usable key: its functions are known by number only",
		       path);
  else if (cab_info_open (&module->info, file, &diag) < 0)
    cab_model_problem (model, "%s", diag.text);
  else
    read_notes (model, module);
  free (dir);
  free (file);
  return module;
}

static struct cab_record *
record_of (struct cab_model *model, struct cab_module_file *module,
	   const struct cab_part_function *f)
{
  struct cab_diag diag;
  struct cab_record *record = cab_names_zero (&model->names, 1, sizeof *record);
  if (!module->info.path)
    return NULL;
  if (cab_info_record (&module->info, f->info_offset, record, &diag) < 0)
    {
      cab_model_problem (model, "%s", diag.text);
      return NULL;
    }
  if (record->checksum != f->checksum || (f->n_counters && record->n_counters != f->n_counters))
    {
      cab_model_problem (model,
			 "%s: offset %u: the record of %s is of another build than the program "
			 "that ran: the function is known by number only",
			 module->info.path, f->info_offset, record->assembler);
      return NULL;
    }
  return record;
}

/* Number the call sites of FUNCTION. */
static void
add_sites (struct cab_model *model, struct cab_function *function, uint32_t n)
{
  function->first_site = model->n_sites + 1;
  function->n_sites = n;
  model->sites = XRESIZEVEC (struct cab_site, model->sites, model->n_sites + n + 1);
  for (uint32_t k = 0; k < n; k++)
    {
      const struct cab_record *r = function->record;
      model->sites[++model->n_sites] = (struct cab_site) { function->index,
							   r ? &r->sites[k] : NULL };
    }
}

/* Number the accesses and allocations of FUNCTION, and its loops where events have numbers for
   them. */
static void
add_accesses (struct cab_model *model, struct cab_function *function)
{
  const struct cab_record *r = function->record;
  uint32_t n = r ? r->n_accesses + r->n_allocations + (r->loops_numbered ? r->n_access_loops : 0)
		 : 0;
  function->first_access = model->n_accesses + 1;
  function->n_accesses = n;
  if (!n)
    return;
  model->access_function = XRESIZEVEC (uint32_t, model->access_function, model->n_accesses + n + 1);
  for (uint32_t k = 0; k < n; k++)
    model->access_function[++model->n_accesses] = function->index;
}

/* Mark FUNCTION and another build of it as twins.  Of FUNCTION and its row of the other kind, mark
   the one with accesses only as beside the other. */
static void
meet_namesakes (struct cab_model *model, struct cab_function *function, bool of_accesses)
{
  struct entry *kind[2];
  for (int i = 0; i < 2; i++)
    kind[i] = find (
      model, model->tables->by_name,
      cab_names_format (&model->names, "%s\1%s\1%d", function->assembler, function->file, i));
  struct entry *same = kind[of_accesses], *other = kind[!of_accesses];
  if (same->function)
    same->function->twin = function->twin = true;
  if (other->function)
    (of_accesses ? function : other->function)->beside = true;
  same->function = function;
}

void
cab_model_meet_origin (struct cab_model *model, struct cab_function *function)
{
  char *name = xstrdup (function->assembler);
  cab_names_cut_clone (name);
  if (function->flags & CAB_ROW_MEMORY && !function->beside && strcmp (name, function->assembler))
    function->of_clone = find (model, model->tables->by_name,
			       cab_names_format (&model->names, "%s\1%s\1%d", name,
						 function->file, 0))->function != NULL;
  free (name);
}

static struct cab_function *
new_function (struct cab_model *model, const struct cab_record *record, const char *name,
	      const char *file, const struct cab_part_function *f)
{
  struct cab_names *names = &model->names;
  struct cab_function *function = cab_names_zero (names, 1, sizeof *function);
  function->record = record;
  function->assembler = name;
  function->source = record ? record->source : "";
  function->file = file;
  function->display = cab_names_display (names, name, function->source, file);
  function->checksum = f->checksum;
  function->line = record ? record->line : 0;
  function->last_line = record ? record->last_line : 0;
  function->n_paths = record ? record->n_paths : 0;
  function->index = model->n_functions;
  if (model->n_functions % 256 == 0)
    model->functions
      = XRESIZEVEC (struct cab_function *, model->functions, model->n_functions + 256);
  model->functions[model->n_functions++] = function;
  add_sites (model, function, record ? record->n_sites : 0);
  add_accesses (model, function);
  meet_namesakes (model, function, f->flags & CAB_ROW_MEMORY);
  return function;
}

struct cab_function *
cab_model_function (struct cab_model *model, struct cab_module_file *module,
		    const struct cab_part_function *f, uint32_t number)
{
  struct cab_names *names = &model->names;
  struct cab_tables *tables = model->tables;
  struct entry *place
    = find (model, tables->by_place,
	    cab_names_format (names, "%s\1%u\1%x\1%u\1%u", module->key, f->info_offset, f->checksum,
			      f->n_counters, module->info.path ? 0 : number));
  if (!place->function)
    {
      struct cab_record *record = record_of (model, module, f);
      const char *name = record ? record->assembler
				: cab_names_format (names, "function at %u of %s", f->info_offset,
						    lbasename (module->path));
      const char *file
	= record && record->file < record->n_files ? record->files[record->file] : "";
      struct entry *same = find (model, tables->by_identity,
				 cab_names_format (names, "%s\1%s\1%x\1%x", name, file, f->checksum,
						   model->by_unit && record ? record->gcov.unit
									    : 0));
      if (!same->function)
	{
	  same->function = new_function (model, record, name, file, f);
	  same->function->module = module->path;
	}
      place->function = same->function;
    }
  return place->function;
}
