/* model_part.c - add one process to a profile in memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/model.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/finish/finish.h"
#include "analyses/base/heap.h"
#include "analyses/profile/part_control.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_methods.h"
#include "analyses/live/an_paths.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/cache/an_cache.h"

/* What the functions that add a part share. */
struct adding
{
  struct cab_model *model;
  struct cab_part *part;
  uint32_t process;
  uint32_t n_fn, n_site;       /* lengths of the maps */
  uint32_t *fn, *site;         /* map the part's numbers to the model's (functions: index + 1) */
  uint32_t n_access, *access;
  bool has_methods, has_calls;
  struct cab_part_set *sets;   /* the sets of regions */
  uint32_t n_sets;
  uint32_t n_rings;            /* number of rings with a tree */
  struct ring_nodes
  {
    uint32_t ring, set, n;
    uint32_t *node;            /* by node of the ring's tree: its node in the model's tree */
  } *rings;
};

static const char *
keep (struct adding *a, uint32_t string)
{
  const char *text = cab_part_string (a->part, string);
  return cab_names_copy (&a->model->names, text, strlen (text));
}

static void
map_functions (struct adding *a)
{
  const struct cab_part *part = a->part;
  static struct cab_part_module nameless;
  a->n_fn = part->header->n_functions + 1;
  a->fn = XCNEWVEC (uint32_t, a->n_fn);
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &part->functions[i];
      const struct cab_part_module *m = f->module < part->header->n_modules ? &part->modules[f->module] : &nameless;
      struct cab_module_file *module = cab_model_module (a->model, cab_part_string (part, m->key), cab_part_string (part, m->path));
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
}

static void
map_sites (struct adding *a)
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
  return function->first_access + (k < r->n_accesses && r->accesses[k].name ? r->accesses[k].of : k);
}

static void
map_accesses (struct adding *a)
{
  a->access = XCNEWVEC (uint32_t, (size_t) a->n_access + 1);
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      const struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      for (uint32_t k = 0; f->first_access && k < function->n_accesses && (uint64_t) f->first_access + k < a->n_access; k++)
	a->access[f->first_access + k] = access_number (function, k);
    }
}

static struct cab_idmap
maps (const struct adding *a)
{
  return (struct cab_idmap) {
    .fn = a->fn, .n_fn = a->n_fn, .site = a->site, .n_site = a->n_site, .access = a->access, .n_access = a->n_access,
    .process = a->process
  };
}

/* Add N to counter AT of FUNCTION. */
static void
add_counter (struct cab_function *function, uint32_t at, uint64_t n)
{
  if (at == CAB_COUNTER_ENTRIES)
    function->entries += n;
  else if (at == CAB_COUNTER_ARRIVALS)
    function->arrivals += n;
  else if (at - CAB_COUNTER_PATHS < function->n_paths)
    function->paths[at - CAB_COUNTER_PATHS] += n;
}

/* Add the value N of counter AT, one of the pairs of abi.h, of a process that records one piece in
   EVERY. */
static void
add_piece (struct cab_function *function, uint32_t at, uint64_t n, uint64_t every)
{
  if (at % 2)
    {
      function->recorded += n;
      function->pieces += n * every;
    }
  else
    function->pieces -= n;
}

/* Allocate the counters of paths.  Paths that were traced are known only if the process analysed
   them. */
static void
prepare_counters (struct adding *a, const struct cab_finish *finish)
{
  unsigned known = CAB_ROW_PATHS_COUNT | (cab_finish_chose (finish, "paths") ? CAB_ROW_PATHS_TRACE : 0);
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      if (f->flags & known && !function->paths && function->n_paths)
	function->paths = XCNEWVEC (uint64_t, function->n_paths);
      if (f->flags & CAB_ROW_ENTRIES)
	function->entries_known = true;
      a->model->has_paths |= function->paths != NULL;
    }
}

static void
add_counters (struct adding *a, const uint64_t *counters, uint64_t n)
{
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      uint64_t first = f->count_offset / 8;
      for (uint32_t at = 0; at < f->n_counters && first + at < n; at++)
	if (f->flags & CAB_ROW_SAMPLED)
	  add_piece (function, at, counters[first + at], a->part->header->ledger.sample);
	else if (counters[first + at] && (at < CAB_COUNTER_PATHS || function->paths))
	  add_counter (function, at, counters[first + at]);
    }
}

/* Return the region NAME of the model, added if it is new. */
static struct cab_model_region *
region_of (struct cab_model *model, const char *name)
{
  for (uint32_t i = 0; i < model->n_regions; i++)
    if (!strcmp (model->regions[i].name, name))
      return &model->regions[i];
  model->regions = XRESIZEVEC (struct cab_model_region, model->regions, model->n_regions + 1);
  model->regions[model->n_regions] = (struct cab_model_region) { .name = cab_names_copy (&model->names, name, strlen (name)) };
  return &model->regions[model->n_regions++];
}

/* Add the paths in COUNTERS to REGION. */
static void
sum_region (const struct adding *a, struct cab_model_region *region, const uint64_t *counters, uint64_t n)
{
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      for (uint32_t at = CAB_COUNTER_PATHS; at < f->n_counters && f->count_offset / 8 + at < n && !(f->flags & CAB_ROW_SAMPLED); at++)
	region->paths += counters[f->count_offset / 8 + at];
    }
}

/* Add the regions of the process.  The counters of the chosen region become the model's. */
static void
add_regions (struct adding *a)
{
  struct cab_diag diag;
  uint32_t n;
  struct cab_part_region *rows = cab_part_regions (a->part, &n, &diag);
  if (!rows && n)
    cab_model_problem (a->model, "%s", diag.text);
  for (uint32_t i = 0; rows && i < n; i++)
    {
      uint64_t bytes;
      uint64_t *counters = cab_part_region_counts (a->part, i, &rows[i], &bytes, &diag);
      struct cab_model_region *region = region_of (a->model, cab_part_string (a->part, rows[i].name));
      region->n_begun += rows[i].n_begun;
      region->n_open += rows[i].state >> 1 != 0;
      if (counters)
	sum_region (a, region, counters, bytes / 8);
      else
	cab_model_problem (a->model, "%s", diag.text);
      if (counters && a->model->region && !strcmp (region->name, a->model->region))
	add_counters (a, counters, bytes / 8);
      free (counters);
    }
  free (rows);
}

static void
add_count_areas (struct adding *a)
{
  struct cab_diag diag;
  uint32_t cursor = 0;
  for (int64_t owner; (owner = cab_part_next_owner (a->part, CAB_EXT_COUNTS, &cursor)) >= 0;)
    {
      uint64_t bytes;
      uint64_t *counters = cab_part_counts (a->part, owner, &bytes, &diag);
      if (counters)
	add_counters (a, counters, bytes / 8);
      else if (bytes)
	cab_model_problem (a->model, "%s", diag.text);
      free (counters);
    }
}

/* Add paths that went through rings.  The arena has the layout of the counters. */
static void
add_paths (struct adding *a, const struct cab_arena *arena)
{
  for (uint32_t i = 0; i + 1 < a->n_fn; i++)
    {
      const struct cab_part_function *f = &a->part->functions[i];
      struct cab_function *function = a->model->functions[a->fn[i + 1] - 1];
      for (uint32_t at = CAB_COUNTER_PATHS; function->paths && at < f->n_counters; at++)
	add_counter (function, at, cab_paths_counter (arena, f->count_offset / 8 + at));
    }
}

static void
add_entered (struct adding *a, uint32_t fn, uint64_t n)
{
  if (fn && fn < a->n_fn)
    a->model->functions[a->fn[fn] - 1]->entered += n;
}

static void
add_call (struct adding *a, uint32_t site, uint32_t fn, uint64_t n)
{
  if (fn && fn < a->n_fn)
    cab_calls_add (&a->model->calls, site < a->n_site ? a->site[site] : 0, a->fn[fn], n);
}

static void
add_calls (struct adding *a, const struct cab_arena *arena)
{
  struct cab_calls_row row;
  for (uint64_t cursor = 0; cab_calls_next (arena, &cursor, &row);)
    {
      add_call (a, row.site, row.callee, row.count);
      if (!a->has_methods)
	add_entered (a, row.callee, row.count);
    }
  a->model->has_calls = true;
}

static struct cab_thread *
thread_of (struct adding *a, uint32_t index)
{
  struct cab_model *model = a->model;
  const struct cab_part_thread *t = index < a->part->header->n_threads ? &a->part->threads[index] : NULL;
  uint64_t tid = t ? t->tid : 0;
  for (uint32_t i = 0; i < model->n_threads; i++)
    if (model->threads[i].process == a->process && model->threads[i].tid == tid)
      return &model->threads[i];
  model->threads = XRESIZEVEC (struct cab_thread, model->threads, model->n_threads + 1);
  struct cab_thread *thread = &model->threads[model->n_threads++];
  *thread = (struct cab_thread) { .process = a->process, .tid = tid };
  thread->name = t ? cab_names_copy (&model->names, t->name, strnlen (t->name, sizeof t->name)) : "all threads";
  cab_heap_open (&thread->tree, &cab_tree);
  return thread;
}

static void
add_tree (struct adding *a, const struct cab_finish_arena *one)
{
  const struct cab_arena *arena = &one->arena;
  struct cab_diag diag;
  struct cab_idmap map = maps (a);
  a->rings = XRESIZEVEC (struct ring_nodes, a->rings, a->n_rings + 1);
  struct ring_nodes *nodes = &a->rings[a->n_rings++];
  *nodes = (struct ring_nodes) { one->ring, one->set, cab_tree_n (arena), XCNEWVEC (uint32_t, (size_t) cab_tree_n (arena) + 1) };
  if (cab_tree_merge (&a->model->tree, arena, &map, nodes->node, &diag) < 0
      || (a->model->by_thread && cab_tree.merge (&thread_of (a, one->thread)->tree, arena, &map, &diag) < 0))
    cab_model_problem (a->model, "%s: %s", a->part->path, diag.text);
  a->model->has_tree = true;
  for (uint32_t i = 1; i < cab_tree_n (arena); i++)
    {
      const struct cab_tree_node *node = cab_tree_at (arena, i);
      if (!a->has_calls)
	add_call (a, node->site, node->callee, node->count);
      if (!a->has_calls && !a->has_methods)
	add_entered (a, node->callee, node->count);
    }
  a->model->has_calls = true;
}

static void
add_methods (struct adding *a, const struct cab_arena *arena)
{
  for (uint32_t fn = 1; fn < cab_methods_n (arena); fn++)
    add_entered (a, fn, cab_methods_count (arena, fn));
}

/* Report that the state of analysis number I in this part is left out because of WHY, once and not
   for each state. */
static void
leave_out (struct adding *a, uint32_t i, const char *why)
{
  if (!a->model->merged[i].left_out)
    cab_model_problem (a->model, "%s: %s", a->part->path, why);
  a->model->merged[i].left_out = true;
}

/* Return the state, number I, that ONE is to be merged into, opened with the arguments of the first
   process; null: ONE cannot be merged into it.  Built-in analyses accept states with different
   arguments. */
static struct cab_arena *
state_for (struct adding *a, const struct cab_finish *finish, const struct cab_finish_arena *one, uint32_t i)
{
  char arguments[CAB_CHOICE_BYTES];
  struct cab_arena *state = &a->model->states[i];
  struct cab_model_merged *merged = &a->model->merged[i];
  struct cab_diag diag = { "" };
  cab_finish_arguments (finish, one->analysis, arguments);
  if (!state->base && cab_heap_open_with (state, one->analysis, arguments, &diag) < 0)
    leave_out (a, i, cab_names_format (&a->model->names, "analysis %s does not take the arguments \"%s\" that the process gave it: %s", one->analysis->name, arguments, diag.text));
  else if (!merged->arguments)
    merged->arguments = cab_names_copy (&a->model->names, arguments, strlen (arguments));
  else if (one->analysis->bytes && strcmp (merged->arguments, arguments))
    {
      leave_out (a, i, cab_names_format (&a->model->names, "analysis %s ran with \"%s\" here, and with \"%s\" in another process: what this one has is left out; "
					 "report on each by itself", one->analysis->name, arguments, merged->arguments));
      return NULL;
    }
  return state->base ? state : NULL;
}

/* Add the state of an analysis that has no place of its own in the model.  EMPTY: only make sure
   that there is a state, and add nothing to it. */
static void
add_state (struct adding *a, const struct cab_finish *finish, const struct cab_finish_arena *one, bool empty)
{
  struct cab_diag diag = { "" };
  static const uint32_t none[1];   /* without the tree of its ring, everything is below the root */
  struct cab_idmap map = maps (a);
  map.node = none;
  map.n_node = 1;
  for (uint32_t k = 0; k < a->n_rings; k++)
    if (a->rings[k].ring == one->ring && (a->rings[k].set == one->set || a->rings[k].set == CAB_SET_ANY))
      {
	map.node = a->rings[k].node;
	map.n_node = a->rings[k].n;
      }
  uint32_t i = 0;
  while (cab_analysis_at (i) != one->analysis)
    i++;
  struct cab_arena *state = one->arena.base ? state_for (a, finish, one, i) : NULL;
  if (state && !empty && one->analysis->merge (state, &one->arena, &map, &diag) < 0)
    leave_out (a, i, *diag.text ? diag.text : cab_names_format (&a->model->names, "analysis %s refuses to merge a state: it is left out", one->analysis->name));
}

/* Return true if a state for SET has events of the region NAME. */
static bool
has_region (const struct adding *a, uint32_t set, const char *name)
{
  for (; set && set <= a->n_sets; set = a->sets[set - 1].parent)
    if (!strcmp (cab_part_string (a->part, a->sets[set - 1].name), name))
      return true;
  return false;
}

/* Record once that ANALYSIS has one state for all regions. */
static void
note_unsplit (struct cab_model *model, const char *analysis)
{
  size_t n = strlen (analysis);
  for (const char *at = model->unsplit; at; at = strchr (at, ' ') ? strchr (at, ' ') + 1 : NULL)
    if (!strncmp (at, analysis, n) && strchr (", ", at[n]))
      return;
  model->unsplit = model->unsplit ? cab_names_format (&model->names, "%s, %s", model->unsplit, analysis) : cab_names_copy (&model->names, analysis, n);
}

/* Return true if ONE's counts belong to what was requested: everything, or a region. */
static bool
is_asked (struct adding *a, const struct cab_finish_arena *one)
{
  if (a->model->region && one->set == CAB_SET_ANY)
    note_unsplit (a->model, one->analysis->name);
  return !a->model->region || (one->set != CAB_SET_ANY && has_region (a, one->set, a->model->region));
}

static void
add_arena (struct adding *a, const struct cab_finish *finish, const struct cab_finish_arena *one)
{
  bool asked = is_asked (a, one);
  if (one->analysis == &cab_tree)
    a->model->has_tree |= one->set != CAB_SET_ANY;
  else if (one->analysis == &cab_methods && asked)
    add_methods (a, &one->arena);
  else if (one->analysis == &cab_calls && asked)
    add_calls (a, &one->arena);
  else if (one->analysis == &cab_paths && asked)
    add_paths (a, &one->arena);
  else if (one->analysis != &cab_methods && one->analysis != &cab_calls && one->analysis != &cab_paths && (asked || one->set != CAB_SET_ANY))
    add_state (a, finish, one, !asked);
}

static void
add_arenas (struct adding *a, const struct cab_finish *finish)
{
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    {
      const struct cab_finish_arena *one = &finish->arenas[i];
      a->has_methods |= one->analysis == &cab_methods;
      a->has_calls |= one->analysis == &cab_calls;
      a->model->has_calls |= (one->analysis == &cab_calls || one->analysis == &cab_tree) && (!a->model->region || one->set != CAB_SET_ANY);
    }
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    if (finish->arenas[i].analysis == &cab_tree && is_asked (a, &finish->arenas[i]))
      add_tree (a, &finish->arenas[i]);
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    add_arena (a, finish, &finish->arenas[i]);
}

/* Add what the analyses counted by region.  Calls are taken from one of the analyses that count
   them, and so are accesses. */
static void
sum_events (struct adding *a, const struct cab_finish *finish)
{
  const struct cab_analysis *calls = cab_finish_chose (finish, "calls") ? &cab_calls : cab_finish_chose (finish, "methods") ? &cab_methods : &cab_tree;
  const struct cab_analysis *accesses = cab_finish_chose (finish, "accesses") ? &cab_accesses : &cab_cache;
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    {
      const struct cab_finish_arena *one = &finish->arenas[i];
      bool is_one = one->analysis == calls || one->analysis == accesses;
      uint64_t n = is_one && one->set && one->arena.base ? one->analysis->applied (&one->arena) : 0;
      for (uint32_t k = 0; n && k < a->model->n_regions; k++)
	if (has_region (a, one->set, a->model->regions[k].name))
	  *(one->analysis == calls ? &a->model->regions[k].calls : &a->model->regions[k].accesses) += n;
    }
}

static void
sum_ledger (struct cab_ledger *sum, const struct cab_ledger *one)
{
  uint64_t *to = (uint64_t *) sum;
  const uint64_t *from = (const uint64_t *) one;
  for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
    to[i] += from[i];
}

/* Return the number of functions of the process that were executed.  One whose probes of accesses
   have a row of their own counts once. */
static uint32_t
executed (const struct adding *a)
{
  uint32_t n = 0;
  for (uint32_t i = 1; i < a->n_fn; i++)
    n += !a->fn[i] || !a->model->functions[a->fn[i] - 1]->beside;
  return n;
}

static void
add_process (struct adding *a, const struct cab_finish *finish)
{
  const struct cab_part_header *h = a->part->header;
  struct cab_process *p = &a->model->processes[a->process];
  *p = (struct cab_process) {
    .pid = h->pid, .ppid = h->ppid, .start_ns = h->start_realtime_ns, .end_ns = h->end_realtime_ns,
    .state = a->part->alive ? CAB_PROCESS_RUNNING : h->state == CAB_PART_ENDED ? CAB_PROCESS_ENDED : CAB_PROCESS_KILLED,
    .exe = keep (a, h->exe), .cwd = keep (a, h->cwd), .options = keep (a, h->options), .version = keep (a, h->version_text),
    .part = cab_names_copy (&a->model->names, a->part->path, strlen (a->part->path)),
    .n_threads = h->n_threads, .n_functions = executed (a), .ledger = h->ledger, .finished = finish->n_finished
  };
  p->lifetimes = cab_names_zero (&a->model->names, h->n_threads + 1, sizeof *p->lifetimes);
  for (uint32_t i = 0; i < h->n_threads; i++)
    p->lifetimes[i] = (struct cab_lifetime) { a->part->threads[i].start_realtime_ns, a->part->threads[i].end_realtime_ns };
  p->n_modules = h->n_modules;
  p->modules = cab_names_zero (&a->model->names, h->n_modules + 1, sizeof *p->modules);
  for (uint32_t i = 0; i < h->n_modules; i++)
    p->modules[i] = (struct cab_loaded_module) { keep (a, a->part->modules[i].path), keep (a, a->part->modules[i].key), a->part->modules[i].load_bias };
  char *command = (char *) keep (a, h->cmdline);
  p->command = command;
  for (; *command; command++)
    if (*command == '\1')
      *command = ' ';
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    p->lost += finish->arenas[i].analysis->lost (&finish->arenas[i].arena);
  p->ledger.enqueued += finish->n_unpublished;
  p->ledger.analysed += finish->n_finished;
  p->ledger.dropped[CAB_DROP_UNWANTED] += finish->n_unwanted;
  p->ledger.dropped[CAB_DROP_UNREGISTERED] += finish->n_unregistered;
  p->ledger.raw_words += finish->n_raw;
  p->ledger.accesses += finish->n_accesses;
  sum_ledger (&a->model->ledger, &p->ledger);
}

int
cab_model_add_part (struct cab_model *model, struct cab_part *part)
{
  struct adding a = { .model = model, .part = part, .process = model->n_processes };
  struct cab_finish finish;
  model->processes = XRESIZEVEC (struct cab_process, model->processes, ++model->n_processes);
  map_functions (&a);
  map_sites (&a);
  map_accesses (&a);
  cab_finish_part (&finish, part);
  prepare_counters (&a, &finish);
  if (!model->region)
    add_count_areas (&a);
  a.sets = cab_part_sets (part, &a.n_sets);
  add_regions (&a);
  sum_events (&a, &finish);
  for (uint32_t i = 0; i < finish.n_problems; i++)
    cab_model_problem (model, "%s", finish.problems[i].text);
  add_arenas (&a, &finish);
  add_process (&a, &finish);
  cab_finish_fini (&finish);
  free (a.fn);
  free (a.site);
  free (a.access);
  for (uint32_t i = 0; i < a.n_rings; i++)
    free (a.rings[i].node);
  free (a.rings);
  free (a.sets);
  return 0;
}
