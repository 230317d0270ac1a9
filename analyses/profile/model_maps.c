/* model_maps.c - numbers of a part as numbers of the model.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/model_adding.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/model_functions.h"

static void
map_functions (struct cab_adding *a)
{
  const struct cab_part *part = a->part;
  static struct cab_part_module nameless;
  a->n_fn = part->header->n_functions + 1;
  a->fn = XCNEWVEC (uint32_t, a->n_fn);
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &part->functions[i];
      const struct cab_part_module *m
	= f->module < part->header->n_modules ? &part->modules[f->module] : &nameless;
      struct cab_module_file *module = cab_model_module (a->model, cab_part_string (part, m->key),
							 cab_part_string (part, m->path));
      struct cab_function *function = cab_model_function (a->model, module, f, i + 1);
      function->flags |= f->flags;
      a->fn[i + 1] = function->index + 1;
      uint64_t end = f->first_site && f->n_sites ? (uint64_t) f->first_site + f->n_sites : 0;
      if (end > a->n_site && end <= (uint64_t) CAB_EV_ID_MAX + 1)
	a->n_site = end;
      end = f->first_access ? (uint64_t) f->first_access + function->n_accesses : 0;
      if (end > a->n_access && end <= (uint64_t) CAB_ACCESS_MAX + 1)
	a->n_access = end;
    }
  for (uint32_t i = 1; i < a->n_fn; i++)
    cab_model_meet_origin (a->model, a->model->functions[a->fn[i] - 1]);
}

static void
map_sites (struct cab_adding *a)
{
  a->site = XCNEWVEC (uint32_t, a->n_site + 1);
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      const struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      for (uint32_t k = 0; f->first_site && k < f->n_sites && k < function->n_sites; k++)
	if ((uint64_t) f->first_site + k < a->n_site)
	  a->site[f->first_site + k] = function->first_site + k;
    }
}

/* Return the number of access K of FUNCTION, or of the access that it is a copy of on another path,
   since what events record about either is counted for one. */
static uint32_t
access_number (const struct cab_function *function, uint32_t k)
{
  const struct cab_record *r = function->record;
  return function->first_access
       + (k < r->n_accesses && r->accesses[k].name ? r->accesses[k].of : k);
}

static void
map_accesses (struct cab_adding *a)
{
  a->access = XCNEWVEC (uint32_t, (size_t) a->n_access + 1);
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      const struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      for (uint32_t k = 0; f->first_access && k < function->n_accesses
			   && (uint64_t) f->first_access + k < a->n_access;
	   k++)
	a->access[f->first_access + k] = access_number (function, k);
    }
}

struct cab_idmap
cab_adding_maps (const struct cab_adding *a)
{
  return (struct cab_idmap) {
    .fn = a->fn, .n_fn = a->n_fn, .site = a->site, .n_site = a->n_site, .access = a->access,
    .n_access = a->n_access, .process = a->process
  };
}

void
cab_adding_number (struct cab_adding *a)
{
  map_functions (a);
  map_sites (a);
  map_accesses (a);
}
