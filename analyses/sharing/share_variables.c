/* share_variables.c - see share_variables.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/sharing/share_variables.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout.h"
#include "analyses/profile/process_images.h"
#include "analyses/binary/dwarf_variables.h"
#include "analyses/live/an_sharing.h"

/* The files of a process that have probes, and what their debugging information says of
   variables. */
struct program
{
  bool loaded;
  struct cab_loaded modules;
  struct declared
  {
    bool asked;
    uint32_t n;
    struct cab_dwarf_variable *items;
  } *declared;                        /* by module */
};

struct cab_share_variables
{
  struct cab_model *model;
  struct program *programs;           /* by process */
  struct cab_share_variable **items;  /* in the model's names */
  uint32_t n, room;
  htab_t found;                       /* struct entry, by variable */
  bool has_layouts;
  struct cab_layouts layouts;
};

struct entry
{
  const struct cab_share_variable *variable;
  uint32_t number;
};

static hashval_t
hash (const void *p)
{
  const struct cab_share_variable *v = ((const struct entry *) p)->variable;
  return (v->start ? (hashval_t) v->start : htab_hash_string (v->name)) ^ v->process * 0x9e3779b1u;
}

static int
is_same (const void *a, const void *b)
{
  const struct cab_share_variable *x = ((const struct entry *) a)->variable,
				  *y = ((const struct entry *) b)->variable;
  return x->process == y->process && x->start == y->start
      && (x->start || !strcmp (x->name, y->name));
}

struct cab_share_variables *
cab_share_variables_new (struct cab_model *model)
{
  struct cab_share_variables *v = XCNEW (struct cab_share_variables);
  v->model = model;
  v->programs = XCNEWVEC (struct program, model->n_processes + 1);
  v->found = htab_create (64, hash, is_same, free);
  return v;
}

void
cab_share_variables_free (struct cab_share_variables *v)
{
  for (uint32_t p = 0; p < v->model->n_processes; p++)
    {
      for (uint32_t i = 0; i < v->programs[p].modules.n; i++)
	free (v->programs[p].declared[i].items);
      free (v->programs[p].declared);
      cab_loaded_fini (&v->programs[p].modules);
    }
  if (v->has_layouts)
    cab_layouts_close (&v->layouts);
  htab_delete (v->found);
  free (v->programs);
  free (v->items);
  free (v);
}

/* Return the program of PROCESS, with its files read, or null if it is not known. */
static struct program *
program_of (struct cab_share_variables *v, uint32_t process)
{
  if (!process || process > v->model->n_processes)
    return NULL;
  struct program *program = &v->programs[process - 1];
  const struct cab_process *p = &v->model->processes[process - 1];
  for (uint32_t i = 0; !program->loaded && i < p->n_modules; i++)
    {
      struct cab_diag diag;
      if (cab_loaded_add_built (&program->modules, p->modules[i].path, p->modules[i].bias,
				p->modules[i].key, &diag)
	  < 0)
	cab_model_problem (v->model,
			   "%s: it is not what ran, or cannot be read: its variables are called as "
			   "the accesses to them are; put it back",
			   p->modules[i].path);
    }
  if (!program->loaded)
    program->declared = XCNEWVEC (struct declared, program->modules.n + 1);
  program->loaded = true;
  return program;
}

static const struct cab_dwarf_variable *
declared (struct cab_share_variables *v, struct program *program,
	  const struct cab_loaded_image *module, uint64_t address)
{
  struct declared *d = &program->declared[module - program->modules.items];
  if (!d->asked)
    d->items = cab_dwarf_variables (module->path, &v->model->names, &d->n);
  d->asked = true;
  return cab_dwarf_variable_at (d->items, d->n, address);
}

/* Return the number of the variable WANTED, which is found by its start or, if that is 0, by its
   name.  A new variable is copied. */
static uint32_t
number_of (struct cab_share_variables *v, const struct cab_share_variable *wanted)
{
  struct entry key = { wanted, 0 };
  struct entry **slot = (struct entry **) htab_find_slot (v->found, &key, INSERT);
  if (*slot)
    return (*slot)->number;
  if (v->n == v->room)
    v->items = XRESIZEVEC (struct cab_share_variable *, v->items, v->room = v->room * 2 + 64);
  v->items[v->n] = cab_names_zero (&v->model->names, 1, sizeof **v->items);
  *v->items[v->n] = *wanted;
  *slot = XNEW (struct entry);
  **slot = (struct entry) { v->items[v->n], v->n };
  return v->n++;
}

static uint32_t
number_of_symbol (struct cab_share_variables *v, uint32_t process,
		  const struct cab_image_symbol *symbol, const struct cab_loaded_image *module)
{
  struct cab_share_variable wanted = { .file = "",
				       .process = process,
				       .start = symbol->address + module->load_bias,
				       .bytes = symbol->bytes };
  uint32_t number = number_of (v, &wanted);
  if (v->items[number]->name)
    return number;
  const struct cab_dwarf_variable *d = declared (v, program_of (v, process), module,
						 symbol->address);
  v->items[number]->name = cab_names_variable (&v->model->names, symbol->name);
  v->items[number]->file = d ? d->file : "";
  v->items[number]->line = d ? d->line : 0;
  return number;
}

static uint32_t
number_of_access (struct cab_share_variables *v, const struct cab_sharing_row *row)
{
  struct cab_access_ref ref = cab_model_access (v->model, row->site);
  struct cab_share_variable wanted = { .name = ref.access ? ref.access->name : "?",
				       .file = "",
				       .process = row->process };
  uint32_t number = number_of (v, &wanted);
  uint64_t bytes = ref.access ? ref.access->bytes : 0;
  if (bytes > v->items[number]->bytes)
    v->items[number]->bytes = bytes;
  return number;
}

/* Return the number of one variable that stands for all symbols that bytes of ROW, a row by line,
   lie in. */
static uint32_t
number_of_symbols (struct cab_share_variables *v, const struct cab_sharing_row *row,
		   const struct program *program)
{
  struct cab_share_variable several = { .name = "", .file = "", .process = row->process };
  const struct cab_loaded_image *module = NULL, *module_of_last = NULL;
  const struct cab_image_symbol *last = NULL;
  uint64_t mask = row->read | row->written;
  uint32_t n = 0;
  for (unsigned k = 0; k < CAB_SHARING_LINE; k++)
    {
      const struct cab_image_symbol *symbol = mask >> k & 1 ? cab_loaded_object (
						&program->modules, row->address + k, &module)
							    : NULL;
      if (!symbol || symbol == last)
	continue;
      several.name = cab_names_format (&v->model->names, "%s%s%s", several.name, n ? "|" : "",
				       cab_names_variable (&v->model->names, symbol->name));
      last = symbol;
      module_of_last = module;
      n++;
    }
  return n == 1 ? number_of_symbol (v, row->process, last, module_of_last)
       : n	? number_of (v, &several)
		: number_of_access (v, row);
}

uint32_t
cab_share_variables_find (struct cab_share_variables *v, const struct cab_sharing_row *row)
{
  const struct program *program = row->own ? NULL : program_of (v, row->process);
  const struct cab_loaded_image *module;
  if (!program)
    return number_of_access (v, row);
  if (row->by_line)
    return number_of_symbols (v, row, program);
  const struct cab_image_symbol *symbol = cab_loaded_object (&program->modules, row->address,
							     &module);
  return symbol ? number_of_symbol (v, row->process, symbol, module) : number_of_access (v, row);
}

const struct cab_share_variable *
cab_share_variables_at (const struct cab_share_variables *v, uint32_t number)
{
  return v->items[number];
}

/* Return the size of the structure that ACCESS is a member of, if that is in an array or has no
   symbol; else the size of the array element; else 0. */
static uint64_t
element_of (struct cab_share_variables *v, bool has_symbol, const struct cab_access_place *access)
{
  size_t length = strlen (access->name);
  bool in_array = strstr (access->name, "[]"),
       is_element = length > 2 && !strcmp (access->name + length - 2, "[]");
  if (!v->has_layouts)
    cab_layouts_open (&v->layouts, v->model);
  v->has_layouts = true;
  const struct cab_layout *layout = access->structure && !access->is_element
				    ? cab_layouts_find (&v->layouts, access->structure)
				    : NULL;
  return layout && (in_array || !has_symbol) ? layout->structure->bytes
       : is_element ? access->bytes
       : 0;
}

uint64_t
cab_share_variables_element (struct cab_share_variables *v, uint32_t number,
			     const uint32_t *accesses, uint32_t n)
{
  const struct cab_share_variable *variable = v->items[number];
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      struct cab_access_ref ref = cab_model_access (v->model, accesses[i]);
      uint64_t one = ref.access ? element_of (v, variable->start != 0, ref.access) : 0;
      if (!one || (bytes && one != bytes))
	return 0;
      bytes = one;
    }
  return variable->start && bytes && variable->bytes % bytes ? 0 : bytes;
}
