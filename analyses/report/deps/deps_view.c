/* deps_view.c - see deps_view.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/deps/deps_view.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define NONE UINT32_MAX

/* Return the index of the loop of PLACE, whose number is that of FUNCTION's code. */
static uint32_t
find_loop (struct cab_deps_view *view, const struct cab_function *function,
	   const struct cab_access_loop *place)
{
  const char *file = place->file < function->record->n_files
		     ? function->record->files[place->file]
		     : "";
  for (uint32_t i = 0; i < view->n_loops; i++)
    {
      const struct cab_access_loop *other = view->loops[i].place;
      if (other->line == place->line && other->column == place->column
	  && other->ordinal == place->ordinal && !strcmp (other->origin, place->origin)
	  && !strcmp (view->loops[i].file, file))
	return i;
    }
  view->loops = XRESIZEVEC (struct cab_deps_loop, view->loops, view->n_loops + 1);
  view->loops[view->n_loops] = (struct cab_deps_loop) { .function = function,
							.place = place,
							.file = file };
  return view->n_loops++;
}

/* Read the places, and find their loops. */
static void
read_places (struct cab_deps_view *view, const struct cab_arena *state)
{
  struct cab_deps_place place;
  const struct cab_function *function;
  uint32_t room = 0;
  for (uint64_t cursor = 0; cab_deps_next_place (state, &cursor, &place);)
    {
      uint32_t n = view->n_places++;
      if (n == room)
	{
	  room = 2 * room + 64;
	  view->places = XRESIZEVEC (struct cab_deps_place, view->places, room);
	  view->loop_of = XRESIZEVEC (uint32_t, view->loop_of, room);
	  view->level = XRESIZEVEC (unsigned, view->level, room);
	}
      view->places[n] = place;
      view->level[n] = n ? view->level[place.parent] + 1 : 0;
      const struct cab_access_loop *loop = n ? cab_model_loop (view->model, place.loop, &function)
					     : NULL;
      view->loop_of[n] = loop ? find_loop (view, function, loop) : NONE;
      view->accesses += place.accesses;
    }
}

/* Return true if a place outside of NODE, but no further out than TOP, is of the same loop. */
static bool
again (const struct cab_deps_view *view, uint32_t node, unsigned top)
{
  for (uint32_t i = node; view->level[i] > top;)
    {
      i = view->places[i].parent;
      if (view->level[i] > top && view->loop_of[i] == view->loop_of[node])
	return true;
    }
  return false;
}

/* Add what each place counts to its loop and, of accesses, once to each loop around it. */
static void
count_places (struct cab_deps_view *view)
{
  for (uint32_t n = 1; n < view->n_places; n++)
    {
      struct cab_deps_loop *loop = view->loop_of[n] == NONE ? NULL
							    : &view->loops[view->loop_of[n]];
      if (loop)
	{
	  loop->executions += view->places[n].executions;
	  loop->iterations += view->places[n].iterations;
	}
      for (uint32_t i = n; i; i = view->places[i].parent)
	if (view->loop_of[i] != NONE && !again (view, i, 0))
	  view->loops[view->loop_of[i]].accesses += view->places[n].accesses;
    }
}

const char *
cab_deps_name (const struct cab_deps_view *view, uint32_t number)
{
  struct cab_access_ref ref = cab_model_access (view->model, number);
  return ref.access ? ref.access->name : ref.allocation ? ref.allocation->callee : "?";
}

uint32_t
cab_deps_line (const struct cab_deps_view *view, uint32_t number)
{
  struct cab_access_ref ref = cab_model_access (view->model, number);
  return ref.access ? ref.access->line : ref.allocation ? ref.allocation->line : 0;
}

static struct cab_deps_variable *
variable_of (struct cab_deps_view *view, uint32_t loop, const char *name)
{
  for (uint32_t i = view->n_variables; i-- > 0;)
    if (view->variables[i].loop == loop && !strcmp (view->variables[i].name, name))
      return &view->variables[i];
  if (view->n_variables == view->room_variables)
    view->variables = XRESIZEVEC (struct cab_deps_variable, view->variables,
				  view->room_variables = 2 * view->room_variables + 64);
  view->variables[view->n_variables] = (struct cab_deps_variable) { .loop = loop, .name = name };
  return &view->variables[view->n_variables++];
}

static struct cab_deps_pair *
pair_of (struct cab_deps_view *view, uint32_t loop, const struct cab_deps_row *row)
{
  for (uint32_t i = view->n_pairs; i-- > 0;)
    {
      struct cab_deps_pair *p = &view->pairs[i];
      if (p->loop == loop && p->kind == row->kind && p->from == row->from && p->to == row->to)
	return p;
    }
  if (view->n_pairs == view->room_pairs)
    view->pairs = XRESIZEVEC (struct cab_deps_pair, view->pairs,
			      view->room_pairs = 2 * view->room_pairs + 16);
  view->pairs[view->n_pairs]
    = (struct cab_deps_pair) { .loop = loop, .kind = row->kind, .from = row->from, .to = row->to };
  return &view->pairs[view->n_pairs++];
}

/* Return the lesser of A and B, of which 0 is none. */
static unsigned
lesser (unsigned a, unsigned b)
{
  return a && a < b ? a : b;
}

/* Add ROW to what LOOP carries. */
static void
add_carried (struct cab_deps_view *view, uint32_t loop, const struct cab_deps_row *row)
{
  struct cab_deps_loop *l = &view->loops[loop];
  struct cab_deps_pair *p = pair_of (view, loop, row);
  p->variable = cab_deps_name (view, row->kind == CAB_DEPS_RAW ? row->from : row->to);
  p->exposed |= row->kind == CAB_DEPS_WAR && !row->covered;
  p->count += row->count;
  p->least = lesser (p->least, row->distance);
  p->most = row->distance > p->most ? row->distance : p->most;
  p->at[row->distance] += row->count;
  l->carried[row->kind] += row->count;
  struct cab_deps_variable *v = variable_of (view, loop, p->variable);
  bool raw = row->kind == CAB_DEPS_RAW;
  v->least = raw == v->raw ? lesser (v->least, row->distance) : raw ? row->distance : v->least;
  v->raw |= raw;
  v->exposed |= row->kind == CAB_DEPS_WAR && !row->covered;
  v->reused |= row->kind == CAB_DEPS_WAW || (row->kind == CAB_DEPS_WAR && row->covered);
  v->count += row->count;
  if (!raw)
    return;
  l->least = lesser (l->least, row->distance);
  l->most = row->distance > l->most ? row->distance : l->most;
}

/* Note that what ROW, which is RAW, reads was written in an execution, which is over, of the loops
   around the write that are further in than its level. */
static void
note_last (struct cab_deps_view *view, const struct cab_deps_row *row)
{
  for (uint32_t i = row->from_node; view->level[i] > row->level; i = view->places[i].parent)
    if (view->loop_of[i] != NONE)
      variable_of (view, view->loop_of[i], cab_deps_name (view, row->from))->last = true;
}

/* Note that access TO reads what the same iteration of LOOP has written. */
static void
note_own (struct cab_deps_view *view, uint32_t loop, uint32_t to)
{
  for (uint32_t i = view->n_own; i-- > 0;)
    if (view->own[i].loop == loop && view->own[i].to == to)
      return;
  if (!(view->n_own & (view->n_own - 1)))
    view->own = XRESIZEVEC (struct cab_deps_own, view->own, view->n_own ? 2 * view->n_own : 1);
  view->own[view->n_own++] = (struct cab_deps_own) { loop, to };
}

static void
add_row (struct cab_deps_view *view, const struct cab_deps_row *row)
{
  bool raw = row->kind == CAB_DEPS_RAW;
  for (uint32_t i = row->node; i; i = view->places[i].parent)
    {
      unsigned level = view->level[i];
      uint32_t loop = view->loop_of[i];
      if (loop == NONE || level > row->level + raw * CAB_DEPS_FAR)
	continue;
      if (level == row->level && row->carried)
	add_carried (view, loop, row);
      else if (raw && level > row->level)
	{
	  view->loops[loop].before += row->count;
	  const char *name = cab_deps_name (view, row->from ? row->from : row->to);
	  variable_of (view, loop, name)->first = true;
	}
      else if (raw)
	{
	  view->loops[loop].within += row->count;
	  note_own (view, loop, row->to);
	}
    }
  if (raw && row->from)
    note_last (view, row);
}

void
cab_deps_view_make (struct cab_deps_view *view, struct cab_model *model)
{
  const struct cab_arena *state = cab_model_state (model, &cab_deps);
  struct cab_deps_row row;
  *view = (struct cab_deps_view) { .model = model };
  if (!state)
    return;
  read_places (view, state);
  count_places (view);
  for (uint64_t cursor = 0; cab_deps_next (state, &cursor, &row);)
    add_row (view, &row);
}

void
cab_deps_view_fini (struct cab_deps_view *view)
{
  free (view->loops);
  free (view->pairs);
  free (view->variables);
  free (view->own);
  free (view->places);
  free (view->loop_of);
  free (view->level);
}
