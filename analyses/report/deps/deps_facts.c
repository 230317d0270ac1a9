/* deps_facts.c - see deps_facts.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/deps/deps_facts.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "cabprof/info.h"

/* A function of the records, by its name. */
struct cab_deps_callable
{
  const char *name;
  const struct cab_loop_table *table;
  const struct cab_loop_function *function;
  uint32_t visited;         /* 1 + the loop for which it was visited last */
};

static int
compare_callables (const void *a, const void *b)
{
  return strcmp (((const struct cab_deps_callable *) a)->name,
		 ((const struct cab_deps_callable *) b)->name);
}

static void
read_tables (struct cab_deps_facts *facts)
{
  struct cab_model *model = facts->view->model;
  facts->tables = XCNEWVEC (struct cab_loop_table, model->n_modules + 1);
  for (uint32_t i = 0; i < model->n_modules; i++)
    {
      struct cab_loop_table *table = &facts->tables[i];
      if (!model->modules[i]->info.path)
	continue;
      cab_loop_table_init (table);
      cab_loop_table_add_info (table, &model->modules[i]->info);
      facts->callables = XRESIZEVEC (struct cab_deps_callable, facts->callables,
				     facts->n_callables + table->n_functions + 1);
      for (uint32_t k = 0; k < table->n_functions; k++)
	facts->callables[facts->n_callables++]
	  = (struct cab_deps_callable) { table->function[k].name, table, &table->function[k], 0 };
    }
  if (facts->n_callables)
    qsort (facts->callables, facts->n_callables, sizeof *facts->callables, compare_callables);
}

/* Return the first of the functions NAME, and set *N to how many there are. */
static struct cab_deps_callable *
find (const struct cab_deps_facts *facts, const char *name, uint32_t *n)
{
  struct cab_deps_callable wanted = { .name = name }, *end = facts->callables + facts->n_callables;
  struct cab_deps_callable *found = facts->n_callables
    ? bsearch (&wanted, facts->callables, facts->n_callables, sizeof wanted, compare_callables)
    : NULL;
  *n = 0;
  while (found && found > facts->callables && !strcmp (found[-1].name, name))
    found--;
  for (struct cab_deps_callable *f = found; f && f < end && !strcmp (f->name, name); f++)
    ++*n;
  return found;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Sort the *N NAMES, and leave each once. */
static void
sort_names (const char **names, uint32_t *n)
{
  uint32_t kept = 0;
  if (*n)
    qsort (names, *n, sizeof *names, compare_names);
  for (uint32_t i = 0; i < *n; i++)
    if (!i || strcmp (names[i], names[kept - 1]))
      names[kept++] = names[i];
  *n = kept;
}

static bool
has_name (const char *const *names, uint32_t n, const char *name)
{
  return n && bsearch (&name, names, n, sizeof *names, compare_names);
}

/* Return the first access of R from number I on that is volatile or atomic; null if there is
   none. */
static const struct cab_access_place *
special_access (const struct cab_record *r, uint32_t i)
{
  for (; r && i < r->n_accesses; i++)
    if (r->accesses[i].name && r->accesses[i].special)
      return &r->accesses[i];
  return NULL;
}

/* Read the notes on what has no probes. */
static void
read_notes (struct cab_deps_facts *facts)
{
  const struct cab_model *model = facts->view->model;
  static const char builtin[] = "__builtin_";
  size_t prefix = strlen (CAB_INFO_UNSEEN);
  facts->skipped = XCNEWVEC (const char *, model->n_notes + 1);
  facts->left_out = XCNEWVEC (const char *, model->n_notes + 1);
  facts->unseen = XCNEWVEC (const char *, model->n_notes + 1);
  for (uint32_t i = 0; i < model->n_notes; i++)
    {
      const struct cab_note *note = &model->notes[i].note;
      if (note->kind == 'S')
	facts->skipped[facts->n_skipped++] = note->field[0];
      else if (note->kind == 'X' && strncmp (note->field[4], CAB_INFO_UNSEEN, prefix))
	facts->left_out[facts->n_left_out++] = note->field[0];
      else if (note->kind == 'X')
	{
	  const char *name = note->field[4] + prefix;
	  name += strncmp (name, builtin, strlen (builtin)) ? 0 : strlen (builtin);
	  facts->unseen[facts->n_unseen++] = name;
	}
      else
	facts->partial |= note->kind == 'U' && !strstr (note->field[3], "memory");
    }
  facts->special = XCNEWVEC (const char *, model->n_functions + 1);
  for (uint32_t i = 0; i < model->n_functions; i++)
    if (special_access (model->functions[i]->record, 0))
      facts->special[facts->n_special++] = model->functions[i]->assembler;
  sort_names (facts->special, &facts->n_special);
  sort_names (facts->skipped, &facts->n_skipped);
  sort_names (facts->left_out, &facts->n_left_out);
  sort_names (facts->unseen, &facts->n_unseen);
  for (uint32_t i = 0; i < model->n_functions; i++)
    facts->sampled |= model->functions[i]->recorded < model->functions[i]->pieces;
}

/* Return true if accesses of calls of CALLEE, which the compiler knows, are not recorded. */
static bool
is_unseen (const struct cab_deps_facts *facts, const char *callee)
{
  size_t length = strlen (callee);
  for (uint32_t i = 0; i < facts->n_unseen; i++)
    {
      size_t n = strlen (facts->unseen[i]);
      if (n <= length && !strcmp (callee + length - n, facts->unseen[i]))
	return true;
    }
  return false;
}

/* Return true if code of the function NAME, which has a record of its calls, has no probes of
   accesses. */
static bool
is_unprobed (const struct cab_deps_facts *facts, const char *name)
{
  const struct cab_model *model = facts->view->model;
  if (has_name (facts->skipped, facts->n_skipped, name))
    return true;
  for (uint32_t i = 0; facts->partial && i < model->n_functions; i++)
    if (!strcmp (model->functions[i]->assembler, name) && model->functions[i]->n_accesses)
      return false;
  return facts->partial;
}

/* A loop whose calls are gathered. */
struct gathering
{
  const struct cab_deps_facts *facts;
  struct cab_deps_known *known;
  uint32_t mark;
  struct cab_deps_callable **todo;
  uint32_t n_todo;
};

static void
add_obstacle (struct gathering *g, enum cab_deps_obstacle_kind kind, const char *callee,
	      uint32_t line)
{
  struct cab_deps_known *known = g->known;
  const char *name = !strcmp (callee, "*")
		     ? ""
		     : cab_names_display (&g->facts->view->model->names, callee, "", "");
  for (uint32_t i = 0; i < known->n_obstacles; i++)
    if (known->obstacles[i].kind == kind && !strcmp (known->obstacles[i].name, name))
      return;
  known->obstacles = XRESIZEVEC (struct cab_deps_obstacle, known->obstacles,
				 known->n_obstacles + 1);
  known->obstacles[known->n_obstacles++] = (struct cab_deps_obstacle) { kind, name, line };
}

static void
add_function (struct gathering *g, const char *name)
{
  struct cab_deps_known *known = g->known;
  for (uint32_t i = 0; i < known->n_functions; i++)
    if (!strcmp (known->functions[i], name))
      return;
  known->functions = XRESIZEVEC (const char *, known->functions, known->n_functions + 1);
  known->functions[known->n_functions++] = name;
  if (has_name (g->facts->left_out, g->facts->n_left_out, name))
    add_obstacle (g, CAB_DEPS_LEFT_OUT, name, 0);
}

/* Visit the functions NAME later.  Return false if there is none with a record and probes. */
static bool
enter (struct gathering *g, const char *name)
{
  uint32_t n;
  struct cab_deps_callable *f = find (g->facts, name, &n);
  if (!n || is_unprobed (g->facts, name))
    return false;
  add_function (g, f->name);
  if (has_name (g->facts->special, g->facts->n_special, name))
    add_obstacle (g, CAB_DEPS_SPECIAL, name, 0);
  for (uint32_t i = 0; i < n; i++)
    if (f[i].visited != g->mark)
      {
	f[i].visited = g->mark;
	g->todo = XRESIZEVEC (struct cab_deps_callable *, g->todo, g->n_todo + 1);
	g->todo[g->n_todo++] = &f[i];
      }
  return true;
}

/* Return true if the library's function NAME, which gets an address, does not access what is
   there, but releases it. */
static bool
releases (const char *name)
{
  return !strcmp (name, "free") || !strcmp (name, "realloc") || !strncmp (name, "_Zd", 3)
      || !strncmp (name, "munmap", 6);
}

static void
look_at_call (struct gathering *g, const struct cab_loop_callee *k)
{
  bool unseen = k->takes_address
	     && (!k->builtin || is_unseen (g->facts, k->name));
  if (k->never_returns)
    return;
  switch (k->class)
    {
    case CAB_CALLEE_PURE:
      if (unseen && !enter (g, k->name))
	add_obstacle (g, CAB_DEPS_UNSEEN, k->name, k->line);
      break;
    case CAB_CALLEE_KNOWN:
      if (unseen)
	add_obstacle (g, CAB_DEPS_UNSEEN, k->name, k->line);
      break;
    case CAB_CALLEE_ALLOCATION:
      add_obstacle (g, CAB_DEPS_ALLOCATES, k->name, k->line);
      if (unseen && !releases (k->name))
	add_obstacle (g, CAB_DEPS_UNSEEN, k->name, k->line);
      break;
    case CAB_CALLEE_IO: add_obstacle (g, CAB_DEPS_IO, k->name, k->line); break;
    case CAB_CALLEE_STATE: add_obstacle (g, CAB_DEPS_STATE, k->name, k->line); break;
    default:
      if (!enter (g, k->name))
	add_obstacle (g, CAB_DEPS_CALL, k->name, k->line);
    }
}

static void
look_at_calls (struct gathering *g, const struct cab_loop_table *table, uint32_t first, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    look_at_call (g, &table->callee[first + i]);
}

bool
cab_deps_is_in (const struct cab_loop_table *table, const struct cab_loop *inner,
		const struct cab_loop *outer)
{
  while (inner != outer && inner->parent != CAB_NO_LOOP)
    inner = &table->loop[inner->parent];
  return inner == outer;
}

/* Find what the loop calls, and what that calls. */
static void
gather_calls (struct gathering *g)
{
  const struct cab_loop_table *table = g->known->table;
  for (uint32_t i = g->known->source - table->loop; i < table->n_loops; i++)
    if (cab_deps_is_in (table, &table->loop[i], g->known->source))
      look_at_calls (g, table, table->loop[i].first_callee, table->loop[i].n_callees);
    else
      break;   /* those inside come right after it */
  while (g->n_todo)
    {
      const struct cab_deps_callable *f = g->todo[--g->n_todo];
      look_at_calls (g, f->table, f->function->first_callee, f->function->n_callees);
      for (uint32_t i = 0; i < f->function->n_loops; i++)
	{
	  const struct cab_loop *l
	    = &f->table->loop[f->table->own_loop[f->function->first_loop + i]];
	  look_at_calls (g, f->table, l->first_callee, l->n_callees);
	}
    }
  free (g->todo);
}

/* Find the source loop of loop I. */
static void
find_source (struct cab_deps_facts *facts, uint32_t i)
{
  const struct cab_deps_loop *l = &facts->view->loops[i];
  struct cab_deps_known *known = &facts->loops[i];
  uint64_t key = cab_loop_key (l->place->origin, l->file, l->place->line, l->place->column,
			       l->place->ordinal);
  for (uint32_t t = 0; t < facts->view->model->n_modules && !known->source; t++)
    {
      const struct cab_loop_table *table = &facts->tables[t];
      uint32_t at = table->index ? cab_loop_table_find (table, key) : CAB_NO_LOOP;
      if (at != CAB_NO_LOOP && table->loop[at].form)
	{
	  known->table = table;
	  known->source = &table->loop[at];
	}
    }
}

static void
add_held (struct cab_deps_known *known, const struct cab_held_value *held)
{
  for (uint32_t i = 0; i < known->n_held; i++)
    if (!strcmp (known->held[i]->name, held->name) && !strcmp (known->held[i]->class, held->class)
	&& !strcmp (known->held[i]->op, held->op) && known->held[i]->line == held->line
	&& strcmp (held->class, "loaded"))
      return;
  known->held = XRESIZEVEC (const struct cab_held_value *, known->held, known->n_held + 1);
  known->held[known->n_held++] = held;
}

/* Look for volatile and atomic accesses in the loop of R whose index is LOOP. */
static void
look_at_special (struct gathering *g, const struct cab_record *r, uint32_t loop)
{
  for (const struct cab_access_place *a = special_access (r, 0); a;
       a = special_access (r, a - r->accesses + 1))
    {
      uint32_t i = a->loop;
      for (uint32_t n = 0; i != loop && i < r->n_access_loops && n < r->n_access_loops; n++)
	i = r->access_loops[i].parent;
      if (i == loop)
	add_obstacle (g, CAB_DEPS_SPECIAL, a->name, a->line);
    }
}

/* Add what the code of each copy of a loop keeps in registers, and whose code it is. */
static void
look_at_copies (struct cab_deps_facts *facts)
{
  const struct cab_deps_view *view = facts->view;
  for (uint32_t n = 1; n < view->n_places; n++)
    {
      const struct cab_function *function;
      const struct cab_access_loop *loop = cab_model_loop (view->model, view->places[n].loop,
							    &function);
      if (!loop || view->loop_of[n] == UINT32_MAX)
	continue;
      struct gathering g = { facts, &facts->loops[view->loop_of[n]], 0, NULL, 0 };
      const struct cab_record *record = function->record;
      for (uint32_t i = 0; i < record->n_held; i++)
	if (record->held[i].loop == loop - record->access_loops)
	  add_held (g.known, &record->held[i]);
      look_at_special (&g, record, loop - record->access_loops);
      add_function (&g, function->assembler);
    }
}

void
cab_deps_facts_make (struct cab_deps_facts *facts, const struct cab_deps_view *view)
{
  *facts = (struct cab_deps_facts) { .view = view };
  facts->loops = XCNEWVEC (struct cab_deps_known, view->n_loops + 1);
  read_notes (facts);
  read_tables (facts);
  look_at_copies (facts);
  for (uint32_t i = 0; i < view->n_loops; i++)
    {
      struct gathering g = { facts, &facts->loops[i], i + 1, NULL, 0 };
      find_source (facts, i);
      if (g.known->source)
	{
	  add_function (&g, g.known->source->function);
	  gather_calls (&g);
	}
    }
}

void
cab_deps_facts_fini (struct cab_deps_facts *facts)
{
  for (uint32_t i = 0; i < facts->view->n_loops; i++)
    {
      free (facts->loops[i].held);
      free (facts->loops[i].obstacles);
      free (facts->loops[i].functions);
    }
  for (uint32_t i = 0; i < facts->view->model->n_modules; i++)
    cab_loop_table_fini (&facts->tables[i]);
  free (facts->tables);
  free (facts->loops);
  free (facts->callables);
  free (facts->skipped);
  free (facts->left_out);
  free (facts->unseen);
  free (facts->special);
}
