/* model.c - a profile in memory: its functions, modules and directory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/model.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/base/heap.h"
#include "analyses/profile/profile_json.h"
#include "analyses/profile/programs.h"
#include "analyses/base/progress.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_tree.h"
#include "analyses/profile/walk.h"

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
    cab_model_problem (model, "%s: has no usable key: its functions are known by number only", path);
  else if (cab_info_open (&module->info, file, &diag) < 0)
    cab_model_problem (model, "%s", diag.text);
  else
    read_notes (model, module);
  free (dir);
  free (file);
  return module;
}

static struct cab_record *
record_of (struct cab_model *model, struct cab_module_file *module, const struct cab_part_function *f)
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
      cab_model_problem (model, "%s: offset %u: the record of %s is of another build than the program that ran: the function is known by "
			 "number only", module->info.path, f->info_offset, record->assembler);
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
    model->sites[++model->n_sites] = (struct cab_site) { function->index, function->record ? &function->record->sites[k] : NULL };
}

/* Number the accesses and allocations of FUNCTION. */
static void
add_accesses (struct cab_model *model, struct cab_function *function)
{
  const struct cab_record *r = function->record;
  uint32_t n = r ? r->n_accesses + r->n_allocations : 0;
  function->first_access = model->n_accesses + 1;
  function->n_accesses = n;
  if (!n)
    return;
  model->access_function = XRESIZEVEC (uint32_t, model->access_function, model->n_accesses + n + 1);
  for (uint32_t k = 0; k < n; k++)
    model->access_function[++model->n_accesses] = function->index;
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
  else
    ref.allocation = r->allocations[k - r->n_accesses].callee ? &r->allocations[k - r->n_accesses] : NULL;
  return ref;
}

/* Mark FUNCTION and another build of it as twins.  Of FUNCTION and its row of the other kind, mark
   the one with accesses only as beside the other. */
static void
meet_namesakes (struct cab_model *model, struct cab_function *function, bool of_accesses)
{
  struct entry *kind[2];
  for (int i = 0; i < 2; i++)
    kind[i] = find (model, model->tables->by_name, cab_names_format (&model->names, "%s\1%s\1%d", function->assembler, function->file, i));
  struct entry *same = kind[of_accesses], *other = kind[!of_accesses];
  if (same->function)
    same->function->twin = function->twin = true;
  if (other->function)
    (of_accesses ? function : other->function)->beside = true;
  same->function = function;
}

static struct cab_function *
new_function (struct cab_model *model, const struct cab_record *record, const char *name, const char *file, const struct cab_part_function *f)
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
    model->functions = XRESIZEVEC (struct cab_function *, model->functions, model->n_functions + 256);
  model->functions[model->n_functions++] = function;
  add_sites (model, function, record ? record->n_sites : 0);
  add_accesses (model, function);
  meet_namesakes (model, function, f->flags & CAB_ROW_MEMORY);
  return function;
}

struct cab_function *
cab_model_function (struct cab_model *model, struct cab_module_file *module, const struct cab_part_function *f, uint32_t number)
{
  struct cab_names *names = &model->names;
  struct cab_tables *tables = model->tables;
  struct entry *place = find (model, tables->by_place, cab_names_format (names, "%s\1%u\1%x\1%u\1%u", module->key, f->info_offset, f->checksum,
									  f->n_counters, module->info.path ? 0 : number));
  if (!place->function)
    {
      struct cab_record *record = record_of (model, module, f);
      const char *name = record ? record->assembler : cab_names_format (names, "function at %u of %s", f->info_offset, lbasename (module->path));
      const char *file = record && record->file < record->n_files ? record->files[record->file] : "";
      struct entry *same = find (model, tables->by_identity, cab_names_format (names, "%s\1%s\1%x", name, file, f->checksum));
      if (!same->function)
	same->function = new_function (model, record, name, file, f);
      place->function = same->function;
    }
  return place->function;
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
	  struct cab_part_function f = { .info_offset = at, .checksum = record.checksum, .n_counters = record.n_counters };
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
    for (uint64_t p = r->starts[s].base; r->starts[s].block == CAB_BLOCK_ENTRY && p < cab_walk_start_end (r, s); p++)
      calls += function->paths[p];
  return calls;
}

bool
cab_model_has_paths (const struct cab_function *function)
{
  return function->paths || (function->record && !function->record->n_paths && function->entries_known);
}

uint64_t
cab_model_unfinished (const struct cab_function *function)
{
  const struct cab_record *r = function->record;
  if (!function->entries_known || !r || r->cut_at_calls || (!function->paths && r->n_paths))
    return 0;
  uint64_t ended = 0;
  struct cab_walk walk = { 0 };
  for (uint64_t p = 0; function->paths && p < function->n_paths; p++)
    if (function->paths[p] && cab_walk_path (&walk, r, p) == 0 && cab_walk_returns (&walk))
      ended += function->paths[p];
  cab_walk_fini (&walk);
  return function->entries > ended ? function->entries - ended : 0;
}

static int
by_name (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Return the names of DIR's parts, sorted. */
static char **
list_parts (const char *dir, size_t *n, struct cab_diag *diag)
{
  DIR *stream = opendir (dir);
  char **list = NULL;
  *n = 0;
  if (!stream && (errno == ENOENT || errno == ENOTDIR))
    cab_refuse (dir, diag, "there is no profile: run a program that was compiled with -fplugin=cabprof, or name another directory by -d");
  else if (!stream)
    cab_refuse (dir, diag, "%s: check its permissions", strerror (errno));
  if (!stream)
    return NULL;
  for (struct dirent *entry; (entry = readdir (stream));)
    {
      size_t length = strlen (entry->d_name), suffix = strlen (CAB_PART_SUFFIX);
      if (length <= suffix || strcmp (entry->d_name + length - suffix, CAB_PART_SUFFIX))
	continue;
      list = XRESIZEVEC (char *, list, *n + 1);
      list[(*n)++] = concat (dir, "/", entry->d_name, NULL);
    }
  closedir (stream);
  if (!list)
    cab_refuse (dir, diag, "holds no part of a profile: run a program that was compiled with -fplugin=cabprof");
  else
    qsort (list, *n, sizeof *list, by_name);
  return list;
}

/* Return true if PATH is one part, not a directory of parts. */
static bool
names_part (const char *path)
{
  struct stat s;
  size_t length = strlen (path), suffix = strlen (CAB_PART_SUFFIX);
  return length > suffix && !strcmp (path + length - suffix, CAB_PART_SUFFIX) && stat (path, &s) == 0 && S_ISREG (s.st_mode);
}

static char **
only_part (const char *path, size_t *n)
{
  char **list = XNEWVEC (char *, 1);
  list[0] = xstrdup (path);
  *n = 1;
  return list;
}

/* Return the process that left the file NAME because it ended before its part was complete, or 0 if
   NAME is no such file, or the process may still exist. */
static pid_t
unborn_process (const char *name)
{
  char *end;
  long pid = strtol (name, &end, 10);
  const char *suffix = end + (*end == '-') + strspn (end + (*end == '-'), "0123456789abcdef");
  bool gone = pid > 0 && pid < INT32_MAX && kill (pid, 0) < 0 && errno == ESRCH;
  return *end == '-' && gone && !strcmp (suffix, CAB_PART_NEW_SUFFIX) ? pid : 0;
}

/* Record which processes have left a file in DIR because they ended before their part was
   complete. */
static void
list_unborn (struct cab_model *model, const char *dir)
{
  DIR *stream = opendir (dir);
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    if (unborn_process (entry->d_name))
      {
	model->unborn = XRESIZEVEC (const char *, model->unborn, model->n_unborn + 1);
	model->unborn[model->n_unborn++] = cab_names_format (&model->names, "%s/%s: process %ju ended before it was set up: nothing of it was counted",
							      dir, entry->d_name, (uintmax_t) unborn_process (entry->d_name));
      }
  if (stream)
    closedir (stream);
}

/* Return true if DIR holds what `cabprof record' sampled or `cabprof tune' found.  That is a
   profile, too, whether or not there is a part. */
static bool
holds_samples (const char *dir)
{
  static const char *const names[] = { "samples.json", "loops.json" };
  bool holds = false;
  for (int i = 0; i < 2 && !holds; i++)
    {
      char *path = concat (dir, "/", names[i], NULL);
      holds = cab_profile_json_is_there (path);
      free (path);
    }
  return holds;
}

static void
forget_parts (char **list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    free (list[i]);
  free (list);
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
  forget_parts (list, n);
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
choose_program (struct cab_model *model, char **list, size_t *n, const char *wanted, struct cab_diag *diag)
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
cab_model_open_program (struct cab_model *model, const char *dir, bool by_thread, const char *program, struct cab_diag *diag)
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
  cab_refuse (model->dir, diag, model->n_regions ? "there is no region %s: `cabprof report regions' lists all"
		   : "there is no region %s, nor any other: call cabprof_region_begin and cabprof_region_end in the program", model->region);
  return false;
}

int
cab_model_open_region (struct cab_model *model, const char *dir, bool by_thread, const char *program, const char *region, struct cab_diag *diag)
{
  size_t n;
  bool is_part = names_part (dir);
  char **list = is_part ? only_part (dir, &n) : list_parts (dir, &n, diag);
  memset (model, 0, sizeof *model);
  if (!list && !holds_samples (dir))
    return -1;
  cab_names_init (&model->names);
  model->dir = !is_part ? cab_names_copy (&model->names, dir, strlen (dir))
	       : lbasename (dir) == dir ? "." : cab_names_copy (&model->names, dir, lbasename (dir) - dir - 1);
  model->by_thread = by_thread;
  model->region = region ? cab_names_copy (&model->names, region, strlen (region)) : NULL;
  model->tables = cab_names_zero (&model->names, 1, sizeof *model->tables);
  model->tables->by_place = htab_create (1024, entry_hash, entry_equal, NULL);
  model->tables->by_identity = htab_create (1024, entry_hash, entry_equal, NULL);
  model->tables->by_name = htab_create (1024, entry_hash, entry_equal, NULL);
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
    forget_parts (list, n);
  if (chosen && (model->n_processes || !list) && has_region (model, diag))
    return 0;
  cab_model_close (model);
  return -1;
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
  htab_delete (model->tables->by_place);
  htab_delete (model->tables->by_identity);
  htab_delete (model->tables->by_name);
  cab_heap_fini (&model->tree);
  cab_heap_fini (&model->calls);
  for (uint32_t i = 0; i < n_analyses (); i++)
    cab_heap_fini (&model->states[i]);
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
