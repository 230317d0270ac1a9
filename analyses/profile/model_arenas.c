/* model_arenas.c - states of analyses of a part, merged into those of the model.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/model_adding.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_blocks.h"
#include "analyses/live/an_calls.h"
#include "analyses/live/an_methods.h"
#include "analyses/live/an_paths.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/cache/an_cache.h"

static void
add_entered (struct cab_adding *a, uint32_t fn, uint64_t n)
{
  if (fn && fn < a->n_fn)
    a->model->functions[a->fn[fn] - 1]->entered += n;
}

static void
add_call (struct cab_adding *a, uint32_t site, uint32_t fn, uint64_t n)
{
  if (fn && fn < a->n_fn)
    cab_calls_add (&a->model->calls, site < a->n_site ? a->site[site] : 0, a->fn[fn], n);
}

static void
add_calls (struct cab_adding *a, const struct cab_arena *arena)
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
thread_of (struct cab_adding *a, uint32_t index)
{
  struct cab_model *model = a->model;
  const struct cab_part_thread *t
    = index < a->part->header->n_threads ? &a->part->threads[index] : NULL;
  uint64_t tid = t ? t->tid : 0;
  for (uint32_t i = 0; i < model->n_threads; i++)
    if (model->threads[i].process == a->process && model->threads[i].tid == tid)
      return &model->threads[i];
  model->threads = XRESIZEVEC (struct cab_thread, model->threads, model->n_threads + 1);
  struct cab_thread *thread = &model->threads[model->n_threads++];
  *thread = (struct cab_thread) { .process = a->process, .tid = tid };
  thread->name = t ? cab_names_copy (&model->names, t->name, strnlen (t->name, sizeof t->name))
		   : "all threads";
  cab_heap_open (&thread->tree, &cab_tree);
  return thread;
}

/* Add the contexts of ONE, a tree, to the model's, and with COUNTS what it has counted. */
static void
merge_tree (struct cab_adding *a, const struct cab_finish_arena *one, bool counts)
{
  const struct cab_arena *arena = &one->arena;
  struct cab_diag diag;
  struct cab_idmap map = cab_adding_maps (a);
  a->rings = XRESIZEVEC (struct cab_ring_nodes, a->rings, a->n_rings + 1);
  struct cab_ring_nodes *nodes = &a->rings[a->n_rings++];
  *nodes = (struct cab_ring_nodes) { one->ring, one->set, cab_tree_n (arena),
				    XCNEWVEC (uint32_t, (size_t) cab_tree_n (arena) + 1) };
  if (cab_tree_merge (&a->model->tree, arena, &map, nodes->node, counts, &diag) < 0
      || (a->model->by_thread && counts
	  && cab_tree.merge (&thread_of (a, one->thread)->tree, arena, &map, &diag) < 0))
    cab_model_problem (a->model, "%s: %s", a->part->path, diag.text);
}

static void
add_tree (struct cab_adding *a, const struct cab_finish_arena *one)
{
  const struct cab_arena *arena = &one->arena;
  merge_tree (a, one, true);
  a->model->has_tree = true;
  for (uint32_t i = 1; i < cab_tree_n (arena); i++)
    {
      const struct cab_tree_node *node = cab_tree_at (arena, i);
      if (!node->count)
	continue;
      if (!a->has_calls)
	add_call (a, node->site, node->callee, node->count);
      if (!a->has_calls && !a->has_methods)
	add_entered (a, node->callee, node->count);
    }
  a->model->has_calls = true;
}

static void
add_methods (struct cab_adding *a, const struct cab_arena *arena)
{
  for (uint32_t fn = 1; fn < cab_methods_n (arena); fn++)
    add_entered (a, fn, cab_methods_count (arena, fn));
}

/* Report that the state of analysis number I in this part is left out because of WHY, once and not
   for each state. */
static void
leave_out (struct cab_adding *a, uint32_t i, const char *why)
{
  if (!a->model->merged[i].left_out)
    cab_model_problem (a->model, "%s: %s", a->part->path, why);
  a->model->merged[i].left_out = true;
}

/* Return the state, number I, that ONE is to be merged into, opened with the arguments of the first
   process; null: ONE cannot be merged into it.  Built-in analyses accept states with different
   arguments. */
static struct cab_arena *
state_for (struct cab_adding *a, const struct cab_finish *finish,
	   const struct cab_finish_arena *one, uint32_t i)
{
  char arguments[CAB_CHOICE_BYTES];
  struct cab_arena *state = &a->model->states[i];
  struct cab_model_merged *merged = &a->model->merged[i];
  struct cab_diag diag = { "" };
  cab_finish_arguments (finish, one->analysis, arguments);
  if (!state->base && cab_heap_open_with (state, one->analysis, arguments, &diag) < 0)
    leave_out (a, i,
	       cab_names_format (
		 &a->model->names,
		 "analysis %s does not take the arguments \"%s\" that the process gave it: %s",
		 one->analysis->name, arguments, diag.text));
  else if (!merged->arguments)
    merged->arguments = cab_names_copy (&a->model->names, arguments, strlen (arguments));
  else if (one->analysis->bytes && strcmp (merged->arguments, arguments))
    {
      leave_out (a, i,
		 cab_names_format (&a->model->names,
				   "analysis %s ran with \"%s\" here, and with \"%s\" in another "
				   "process: what this one has is left out; report on each by "
				   "itself",
				   one->analysis->name, arguments, merged->arguments));
      return NULL;
    }
  return state->base ? state : NULL;
}

/* Return the maps for ONE, with the nodes of the tree of its set, or, if it keeps nodes, of the
   largest tree of its ring, which has those of all. */
static struct cab_idmap
maps_for (const struct cab_adding *a, const struct cab_finish_arena *one)
{
  static const uint32_t none[1]; /* without the tree of its ring, everything is below the root */
  struct cab_idmap map = cab_adding_maps (a);
  bool keeps = one->analysis->wants & CAB_KEEPS_NODES;
  map.node = none;
  map.n_node = 1;
  for (uint32_t k = 0; k < a->n_rings; k++)
    if (a->rings[k].ring == one->ring
	&& (keeps ? a->rings[k].n > map.n_node
		  : a->rings[k].set == one->set || a->rings[k].set == CAB_SET_ANY))
      {
	map.node = a->rings[k].node;
	map.n_node = a->rings[k].n;
      }
  return map;
}

/* Add the state of an analysis that has no place of its own in the model.  EMPTY: only make sure
   that there is a state, and count nothing of ONE. */
static void
add_state (struct cab_adding *a, const struct cab_finish *finish,
	   const struct cab_finish_arena *one, bool empty)
{
  struct cab_diag diag = { "" };
  struct cab_idmap map = maps_for (a, one);
  uint32_t i = 0;
  while (cab_analysis_at (i) != one->analysis)
    i++;
  struct cab_arena *state = one->arena.base ? state_for (a, finish, one, i) : NULL;
  if (state && empty && one->analysis == &cab_blocks)
    cab_blocks_merge_homes (state, &one->arena, &map);
  if (state && !empty && one->analysis->merge (state, &one->arena, &map, &diag) < 0)
    leave_out (a, i,
	       *diag.text
		 ? diag.text
		 : cab_names_format (&a->model->names,
				     "analysis %s refuses to merge a state: it is left out",
				     one->analysis->name));
}

/* Merge ONE into STATE, which is opened first if need be. */
static void
merge_check (struct cab_adding *a, const struct cab_finish *finish,
	     const struct cab_finish_arena *one, struct cab_arena *state)
{
  char arguments[CAB_CHOICE_BYTES];
  struct cab_idmap map = maps_for (a, one);
  cab_finish_arguments (finish, one->analysis, arguments);
  if (one->arena.base
      && (state->base || cab_heap_open_with (state, one->analysis, arguments, NULL) == 0))
    (void) one->analysis->merge (state, &one->arena, &map, &(struct cab_diag) { "" });
}

/* Add ONE to what a check of its analysis's keys compares, if its process was asked for one. */
static void
add_check (struct cab_adding *a, const struct cab_finish *finish,
	   const struct cab_finish_arena *one)
{
  uint32_t i = 0, number = 0;
  while (i < finish->n_arenas
	 && !(finish->arenas[i].is_check && finish->arenas[i].analysis == one->analysis))
    i++;
  if (i == finish->n_arenas || one->key.part > CAB_KEYED_PARTS)
    return;
  while (cab_analysis_at (number) != one->analysis)
    number++;
  struct cab_model_check **check = &a->model->merged[number].check;
  *check = *check ? *check : XCNEW (struct cab_model_check);
  merge_check (a, finish, one, one->is_check ? &(*check)->whole : &(*check)->parts);
  if (!one->is_check)
    merge_check (a, finish, one, &(*check)->part[one->key.part]);
  if ((*check)->n_parts < one->key.n_parts)
    (*check)->n_parts = one->key.n_parts;
}

/* Return true if a state for SET has events of the region NAME. */
static bool
has_region (const struct cab_adding *a, uint32_t set, const char *name)
{
  for (; set && set <= a->n_sets; set = a->sets[set - 1].parent)
    if (!strcmp (cab_part_string (a->part, a->sets[set - 1].name), name))
      return true;
  return false;
}

bool
cab_model_is_unsplit (const struct cab_model *model, const char *analysis)
{
  size_t n = strlen (analysis);
  for (const char *at = model->unsplit; at; at = strchr (at, ' ') ? strchr (at, ' ') + 1 : NULL)
    if (!strncmp (at, analysis, n) && strchr (", ", at[n]))
      return true;
  return false;
}

/* Record once that ANALYSIS has one state for all regions. */
static void
note_unsplit (struct cab_model *model, const char *analysis)
{
  if (!cab_model_is_unsplit (model, analysis))
    model->unsplit = model->unsplit
		     ? cab_names_format (&model->names, "%s, %s", model->unsplit, analysis)
		     : cab_names_copy (&model->names, analysis, strlen (analysis));
}

/* Return true if ONE's counts belong to what was requested: everything, or a region. */
static bool
is_asked (struct cab_adding *a, const struct cab_finish_arena *one)
{
  if (a->model->region && one->set == CAB_SET_ANY)
    note_unsplit (a->model, one->analysis->name);
  return !a->model->region
      || (one->set != CAB_SET_ANY && has_region (a, one->set, a->model->region));
}

/* Return true if ONE is a state of `blocks' that was requested. */
static bool
is_of_blocks (struct cab_adding *a, const struct cab_finish_arena *one)
{
  return one->analysis == &cab_blocks && one->arena.base && is_asked (a, one);
}

/* Add state number FIRST, one of `blocks' that was requested, with all others of its ring, which
   follow it.  If one of these precedes it, nothing is left to add. */
static void
add_blocks (struct cab_adding *a, const struct cab_finish *finish, uint32_t first)
{
  const struct cab_finish_arena *all = finish->arenas;
  struct cab_finish_arena sum = all[first];
  struct cab_diag diag = { "" };
  uint32_t n = 0, end = first;
  for (uint32_t i = first; i-- > 0 && all[i].ring == sum.ring;)
    if (is_of_blocks (a, &all[i]))
      return;
  for (; end < finish->n_arenas && all[end].ring == sum.ring; end++)
    n += is_of_blocks (a, &all[end]);
  if (n == 1)
    {
      add_state (a, finish, &sum, false);
      return;
    }
  cab_heap_open (&sum.arena, &cab_blocks);
  for (uint32_t i = first; i < end; i++)
    if (is_of_blocks (a, &all[i]) && cab_blocks_unite (&sum.arena, &all[i].arena, &diag) < 0)
      cab_model_problem (a->model, "%s: %s", a->part->path, diag.text);
  add_state (a, finish, &sum, false);
  cab_heap_fini (&sum.arena);
}

static void
add_arena (struct cab_adding *a, const struct cab_finish *finish, uint32_t i)
{
  const struct cab_finish_arena *one = &finish->arenas[i];
  bool asked = is_asked (a, one);
  if (one->analysis == &cab_tree)
    a->model->has_tree |= one->set != CAB_SET_ANY;
  else if (one->analysis == &cab_methods && asked)
    add_methods (a, &one->arena);
  else if (one->analysis == &cab_calls && asked)
    add_calls (a, &one->arena);
  else if (one->analysis == &cab_paths && asked)
    cab_adding_add_paths (a, &one->arena);
  else if (one->analysis == &cab_blocks && asked && one->arena.base)
    add_blocks (a, finish, i);
  else if (one->analysis != &cab_methods && one->analysis != &cab_calls
	   && one->analysis != &cab_paths && (asked || one->set != CAB_SET_ANY))
    add_state (a, finish, one, !asked);
}

/* Add the trees: of a region those with its counts, and the contexts of the others if there are
   states with nodes of these. */
static void
add_trees (struct cab_adding *a, const struct cab_finish *finish)
{
  bool keeps = false;
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    keeps |= (finish->arenas[i].analysis->wants & CAB_KEEPS_NODES) != 0;
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    if (finish->arenas[i].analysis == &cab_tree)
      {
	if (is_asked (a, &finish->arenas[i]))
	  add_tree (a, &finish->arenas[i]);
	else if (keeps)
	  merge_tree (a, &finish->arenas[i], false);
      }
}

void
cab_adding_add_arenas (struct cab_adding *a, const struct cab_finish *finish)
{
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    {
      const struct cab_finish_arena *one = &finish->arenas[i];
      a->has_methods |= one->analysis == &cab_methods;
      a->has_calls |= one->analysis == &cab_calls;
      a->model->has_calls |= (one->analysis == &cab_calls || one->analysis == &cab_tree)
			  && (!a->model->region || one->set != CAB_SET_ANY);
    }
  add_trees (a, finish);
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    {
      if (finish->arenas[i].key.n_parts && finish->arenas[i].key.n_parts != CAB_PART_SERIAL)
	add_check (a, finish, &finish->arenas[i]);
      if (!finish->arenas[i].is_check)
	add_arena (a, finish, i);
    }
}

void
cab_adding_sum_events (struct cab_adding *a, const struct cab_finish *finish)
{
  const struct cab_analysis *calls = cab_finish_chose (finish, "calls")	  ? &cab_calls
				   : cab_finish_chose (finish, "methods") ? &cab_methods
									  : &cab_tree;
  const struct cab_analysis *accesses
    = cab_finish_chose (finish, "accesses") ? &cab_accesses : &cab_cache;
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    {
      const struct cab_finish_arena *one = &finish->arenas[i];
      bool is_one = one->analysis == calls || one->analysis == accesses;
      uint64_t n = is_one && one->set && one->arena.base ? one->analysis->applied (&one->arena) : 0;
      for (uint32_t k = 0; n && k < a->model->n_regions; k++)
	if (has_region (a, one->set, a->model->regions[k].name))
	  *(one->analysis == calls ? &a->model->regions[k].calls : &a->model->regions[k].accesses)
	    += n;
    }
}
