/* model.c - a profile in memory: opened, closed, asked.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/model.h"
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/base/heap.h"
#include "analyses/profile/model_functions.h"
#include "analyses/profile/model_part.h"
#include "analyses/profile/parts.h"
#include "analyses/profile/programs.h"
#include "analyses/base/progress.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_tree.h"
#include "analyses/profile/walk.h"

void
cab_model_problem (struct cab_model *model, const char *format, ...)
{
  char *text;
  va_list ap;
  va_start (ap, format);
  if (vasprintf (&text, format, ap) < 0)
    xmalloc_failed (1);
  va_end (ap);
  model->problems = XRESIZEVEC (const char *, model->problems, model->n_problems + 1);
  model->problems[model->n_problems++] = cab_names_copy (&model->names, text, strlen (text));
  free (text);
}

struct cab_access_ref
cab_model_access (const struct cab_model *model, uint32_t number)
{
  struct cab_access_ref ref = { NULL, NULL, NULL };
  if (!number || number > model->n_accesses)
    return ref;
  ref.function = model->functions[model->access_function[number]];
  const struct cab_record *r = ref.function->record;
  uint32_t k = number - ref.function->first_access;
  if (k < r->n_accesses)
    ref.access = r->accesses[k].name ? &r->accesses[k] : NULL;
  else if (k - r->n_accesses < r->n_allocations)
    ref.allocation
      = r->allocations[k - r->n_accesses].callee ? &r->allocations[k - r->n_accesses] : NULL;
  return ref;
}

const struct cab_access_loop *
cab_model_loop (const struct cab_model *model, uint32_t number,
		const struct cab_function **function)
{
  if (!number || number > model->n_accesses)
    return NULL;
  *function = model->functions[model->access_function[number]];
  const struct cab_record *r = (*function)->record;
  uint32_t k = number - (*function)->first_access, first = r->n_accesses + r->n_allocations;
  return k >= first && k - first < r->n_access_loops && r->access_loops[k - first].origin
	 ? &r->access_loops[k - first]
	 : NULL;
}

/* Add the functions of one module.  A record is used like a row that was never executed. */
static void
add_unexecuted (struct cab_model *model, struct cab_module_file *module)
{
  struct cab_diag diag;
  uint64_t offset = 0, at;
  char kind;
  while (module->info.path && (kind = cab_info_next (&module->info, &offset, &at)))
    {
      struct cab_record record;
      if (kind != 'F')
	continue;
      if (cab_info_record (&module->info, at, &record, &diag) < 0)
	cab_model_problem (model, "%s", diag.text);
      else if (record.counted || record.traced)
	{
	  struct cab_part_function f
	    = { .info_offset = at, .checksum = record.checksum, .n_counters = record.n_counters };
	  struct cab_function *function = cab_model_function (model, module, &f, 0);
	  if (!function->paths && function->n_paths)
	    function->paths = XCNEWVEC (uint64_t, function->n_paths);
	}
    }
}

void
cab_model_add_unexecuted (struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_modules; i++)
    add_unexecuted (model, model->modules[i]);
}

uint64_t
cab_model_calls (const struct cab_function *function)
{
  uint64_t calls = 0;
  if (function->entries_known)
    return function->entries;
  if (!function->paths || !function->record)
    return function->entered;
  /* Every activation takes one path that starts at ENTRY and completes it; otherwise the compiler
     would have kept counter [0]. */
  const struct cab_record *r = function->record;
  for (uint32_t s = 0; s < r->n_starts; s++)
    for (uint64_t p = r->starts[s].base;
	 r->starts[s].block == CAB_BLOCK_ENTRY && p < cab_walk_start_end (r, s); p++)
      calls += function->paths[p];
  return calls;
}

bool
cab_model_has_paths (const struct cab_function *function)
{
  return function->paths
      || (function->record && !function->record->n_paths && function->entries_known);
}

bool
cab_model_is_estimated (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_processes; i++)
    if (model->processes[i].share.burst_bytes && model->processes[i].ledger.enqueued)
      return true;
  return false;
}

bool
cab_model_estimates_paths (const struct cab_model *model, const struct cab_function *function)
{
  return function->flags & CAB_ROW_PATHS_TRACE && cab_model_is_estimated (model);
}

uint64_t
cab_model_unfinished (const struct cab_model *model, const struct cab_function *function)
{
  const struct cab_record *r = function->record;
  if (cab_model_estimates_paths (model, function) || !function->entries_known || !r
      || r->cut_at_calls || (!function->paths && r->n_paths))
    return 0;
  uint64_t ended = 0;
  struct cab_walk walk = { 0 };
  for (uint64_t p = 0; function->paths && p < function->n_paths; p++)
    if (function->paths[p] && cab_walk_path (&walk, r, p) == 0 && cab_walk_returns (&walk))
      ended += function->paths[p];
  cab_walk_fini (&walk);
  return function->entries > ended ? function->entries - ended : 0;
}

/* Record which processes have left a file in DIR because they ended before their part was
   complete. */
static void
list_unborn (struct cab_model *model, const char *dir)
{
  DIR *stream = opendir (dir);
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    if (cab_parts_unborn (entry->d_name))
      {
	model->unborn = XRESIZEVEC (const char *, model->unborn, model->n_unborn + 1);
	model->unborn[model->n_unborn++] = cab_names_format (
	  &model->names, "%s/%s: process %ju ended before it was set up: nothing of it was counted",
	  dir, entry->d_name, (uintmax_t) cab_parts_unborn (entry->d_name));
      }
  if (stream)
    closedir (stream);
}

static void
add_parts (struct cab_model *model, char **list, size_t n, struct cab_diag *diag)
{
  for (size_t i = 0; i < n; i++)
    {
      struct cab_part part;
      cab_progress ("reading processes", i, n);
      if (cab_part_open (&part, list[i], diag) < 0)
	cab_model_problem (model, "%s", diag->text);
      else
	{
	  cab_model_add_part (model, &part);
	  cab_part_close (&part);
	}
    }
  cab_progress_end ();
  cab_parts_forget (list, n);
}

/* Return the largest possible number of analyses, since a user's may still be loaded. */
static uint32_t
n_analyses (void)
{
  uint32_t n = 0;
  while (cab_analyses[n])
    n++;
  return n + CAB_OWN_ANALYSES;
}

const struct cab_model_check *
cab_model_check (const struct cab_model *model, const struct cab_analysis *analysis)
{
  for (uint32_t i = 0; cab_analysis_at (i); i++)
    if (cab_analysis_at (i) == analysis)
      return model->merged[i].check;
  return NULL;
}

/* Free CHECK, which may be null. */
static void
close_check (struct cab_model_check *check)
{
  if (!check)
    return;
  cab_heap_fini (&check->whole);
  cab_heap_fini (&check->parts);
  for (uint32_t k = 0; k < CAB_KEYED_PARTS; k++)
    cab_heap_fini (&check->part[k]);
  free (check);
}

const struct cab_arena *
cab_model_state (const struct cab_model *model, const struct cab_analysis *analysis)
{
  for (uint32_t i = 0; cab_analysis_at (i); i++)
    if (cab_analysis_at (i) == analysis)
      return model->states[i].base ? &model->states[i] : NULL;
  return NULL;
}

/* Choose the program WANTED among the *N parts of LIST, if there are any. */
static int
choose_program (struct cab_model *model, char **list, size_t *n, const char *wanted,
		struct cab_diag *diag)
{
  char *program, *others;
  if (list && cab_programs_choose (list, n, wanted, &program, &others, diag) < 0)
    return -1;
  if (list && program)
    {
      model->program = cab_names_copy (&model->names, program, strlen (program));
      model->others = others ? cab_names_copy (&model->names, others, strlen (others)) : NULL;
      free (program);
      free (others);
    }
  return 0;
}

int
cab_model_open_program (struct cab_model *model, const char *dir, bool by_thread,
			const char *program, struct cab_diag *diag)
{
  return cab_model_open_region (model, dir, by_thread, program, NULL, diag);
}

/* Return true if the requested region exists. */
static bool
has_region (const struct cab_model *model, struct cab_diag *diag)
{
  if (!model->region)
    return true;
  for (uint32_t i = 0; i < model->n_regions; i++)
    if (!strcmp (model->regions[i].name, model->region))
      return true;
  cab_refuse (model->dir, diag,
	      model->n_regions ? "there is no region %s: `cabprof report regions' lists all"
			       : "there is no region %s, nor any other: call cabprof_region_begin "
				 "and cabprof_region_end in the program",
	      model->region);
  return false;
}

/* Read the profile as cab_model_open_region does, BY_UNIT or not. */
static int
open_model (struct cab_model *model, const char *dir, bool by_thread, bool by_unit,
	    const char *program, const char *region, struct cab_diag *diag)
{
  size_t n;
  bool is_part = cab_parts_is_one (dir);
  char **list = cab_parts_list (dir, &n, diag);
  memset (model, 0, sizeof *model);
  if (!list && !cab_parts_has_samples (dir))
    return -1;
  cab_names_init (&model->names);
  model->dir = !is_part ? cab_names_copy (&model->names, dir, strlen (dir))
	     : lbasename (dir) == dir
	       ? "."
	       : cab_names_copy (&model->names, dir, lbasename (dir) - dir - 1);
  model->by_thread = by_thread;
  model->by_unit = by_unit;
  model->region = region ? cab_names_copy (&model->names, region, strlen (region)) : NULL;
  cab_model_tables_open (model);
  model->sites = XCNEWVEC (struct cab_site, 1);
  cab_heap_open (&model->tree, &cab_tree);
  cab_heap_open (&model->calls, &cab_calls);
  model->states = XCNEWVEC (struct cab_arena, n_analyses ());
  model->merged = XCNEWVEC (struct cab_model_merged, n_analyses ());
  list_unborn (model, dir);
  bool chosen = choose_program (model, list, &n, program, diag) == 0;
  if (chosen)
    add_parts (model, list, n, diag);
  else
    cab_parts_forget (list, n);
  if (chosen && (model->n_processes || !list) && has_region (model, diag))
    return 0;
  cab_model_close (model);
  return -1;
}

int
cab_model_open_region (struct cab_model *model, const char *dir, bool by_thread,
		       const char *program, const char *region, struct cab_diag *diag)
{
  return open_model (model, dir, by_thread, false, program, region, diag);
}

int
cab_model_open_by_unit (struct cab_model *model, const char *path, struct cab_diag *diag)
{
  return open_model (model, path, false, true, CAB_ALL_PROGRAMS, NULL, diag);
}

int
cab_model_open (struct cab_model *model, const char *dir, bool by_thread, struct cab_diag *diag)
{
  return cab_model_open_program (model, dir, by_thread, CAB_ALL_PROGRAMS, diag);
}

void
cab_model_close (struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_modules; i++)
    cab_info_close (&model->modules[i]->info);
  for (uint32_t i = 0; i < model->n_threads; i++)
    cab_heap_fini (&model->threads[i].tree);
  for (uint32_t i = 0; i < model->n_functions; i++)
    free (model->functions[i]->paths);
  cab_model_tables_close (model);
  cab_heap_fini (&model->tree);
  cab_heap_fini (&model->calls);
  for (uint32_t i = 0; i < n_analyses (); i++)
    {
      cab_heap_fini (&model->states[i]);
      close_check (model->merged[i].check);
    }
  free (model->states);
  free (model->merged);
  free (model->chains[0]);
  free (model->chains[1]);
  free (model->functions);
  free (model->sites);
  free (model->access_function);
  free (model->processes);
  free (model->threads);
  free (model->modules);
  free (model->notes);
  free (model->problems);
  free (model->regions);
  free (model->unborn);
  cab_names_fini (&model->names);
  memset (model, 0, sizeof *model);
}

uint64_t
cab_model_first_start (const struct cab_model *model)
{
  uint64_t first = UINT64_MAX;
  for (uint32_t i = 0; i < model->n_processes; i++)
    if (model->processes[i].start_ns < first)
      first = model->processes[i].start_ns;
  return first;
}
