/* deps_judge.c - see deps_judge.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/deps/deps_judge.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

/* A loop that is judged. */
struct judging
{
  const struct cab_deps_facts *facts;
  const struct cab_deps_known *known;
  uint32_t loop;
  struct cab_names *names;
  struct cab_deps_judgement *to;
  unsigned least, most;      /* distances of values that flow on; 0: none */
  bool in_registers;         /* one of them does so in a register */
  bool ends;                 /* only an iteration tells whether there is a next one */
};

static const char *
kept (struct judging *j, const char *text)
{
  return cab_names_copy (j->names, text, strlen (text));
}

static void
add_text (const char ***list, uint32_t *n, const char *text)
{
  for (uint32_t i = 0; i < *n; i++)
    if (!strcmp ((*list)[i], text))
      return;
  *list = XRESIZEVEC (const char *, *list, *n + 1);
  (*list)[(*n)++] = text;
}

static void
add_way (struct judging *j, const char *text)
{
  add_text (&j->to->ways, &j->to->n_ways, text);
}

/* Note that TEXT was not looked at, which makes the verdict unknown because of WHY. */
static void
add_unseen (struct judging *j, const char *why, const char *text)
{
  add_text (&j->to->unseen, &j->to->n_unseen, text);
  if (!j->to->why)
    j->to->why = why;
}

static void
add_remedy (struct judging *j, const struct cab_deps_remedy *remedy)
{
  struct cab_deps_judgement *to = j->to;
  for (uint32_t i = 0; i < to->n_remedies; i++)
    if (!strcmp (to->remedies[i].name, remedy->name))
      return;
  to->remedies = XRESIZEVEC (struct cab_deps_remedy, to->remedies, to->n_remedies + 1);
  to->remedies[to->n_remedies++] = *remedy;
}

static void
add_flow (struct judging *j, unsigned least, unsigned most)
{
  j->least = !j->least || least < j->least ? least : j->least;
  j->most = most > j->most ? most : j->most;
}

/* Note that a register, NAME, hands a value to the next iteration. */
static void
add_carried (struct judging *j, const char *name, uint32_t line)
{
  bool unnamed = *name == '<';
  add_flow (j, 1, 1);
  j->in_registers = true;
  if (unnamed && line)
    add_way (j, cab_names_format (j->names, "line %u: each iteration needs a value of the one "
				  "before", line));
  else
    add_way (j, cab_names_format (j->names, "%s: each iteration needs the one before",
				  unnamed ? "a value in a register" : name));
}

static const struct cab_loop_variable *
find_variable (const struct cab_deps_known *known, const char *name)
{
  const struct cab_loop *l = known->source;
  for (uint32_t i = 0; l && i < l->n_variables; i++)
    if (!strcmp (known->table->variable[l->first_variable + i].name, name))
      return &known->table->variable[l->first_variable + i];
  return NULL;
}

static void
look_at_variable (struct judging *j, const struct cab_loop_variable *v)
{
  static const int kinds[] = {
    [CAB_SCALAR_INDUCTION] = CAB_DEPS_INDUCTION, [CAB_SCALAR_REDUCTION] = CAB_DEPS_REDUCTION,
    [CAB_SCALAR_PRIVATE] = CAB_DEPS_PRIVATE,	 [CAB_SCALAR_LASTPRIVATE] = CAB_DEPS_LAST,
    [CAB_SCALAR_CONDITIONAL] = CAB_DEPS_LAST_WRITTEN
  };
  bool nothing = (v->class == CAB_SCALAR_INDUCTION && v->flags & CAB_SCALAR_CONTROL)
	      || (v->class == CAB_SCALAR_PRIVATE && v->flags & CAB_SCALAR_INSIDE)
	      || v->class == CAB_SCALAR_FIRSTPRIVATE || v->class == CAB_SCALAR_SHARED;
  if (nothing)
    return;
  if (v->class == CAB_SCALAR_CARRIED)
    add_carried (j, kept (j, v->name), v->line);
  else if (v->class == CAB_SCALAR_UNKNOWN)
    add_unseen (j, "scalars", cab_names_format (j->names, "what it does with %s", v->name));
  else
    {
      bool has_how = v->class == CAB_SCALAR_INDUCTION || v->class == CAB_SCALAR_REDUCTION;
      struct cab_deps_remedy r = { .kind = kinds[v->class], .name = kept (j, v->name),
				   .how = has_how ? kept (j, v->how) : "",
				   .ordered = v->flags & CAB_SCALAR_ORDERED };
      add_remedy (j, &r);
    }
}

const struct cab_access_place *
cab_deps_update (const struct cab_deps_view *view, uint32_t number)
{
  struct cab_access_ref ref = cab_model_access (view->model, number);
  const struct cab_access_place *place = ref.access;
  if (place && !place->update && place->of < ref.function->record->n_accesses)
    place = &ref.function->record->accesses[place->of];
  return place && place->update ? place : NULL;
}

bool
cab_deps_is_reduction (const struct cab_deps_view *view,
		       const struct cab_deps_variable *variable, const char **op, bool *ordered)
{
  bool any = false;
  *op = NULL;
  *ordered = false;
  for (uint32_t i = 0; i < view->n_pairs; i++)
    {
      const struct cab_deps_pair *p = &view->pairs[i];
      if (p->loop != variable->loop || strcmp (p->variable, variable->name))
	continue;
      const struct cab_access_place *a = cab_deps_update (view, p->from),
				    *b = cab_deps_update (view, p->to);
      if (!a || !b || strcmp (a->update, b->update) || (*op && strcmp (*op, a->update)))
	return false;
      *op = a->update;
      *ordered |= a->ordered || b->ordered;
      any = true;
    }
  return any;
}

void
cab_deps_base (const char *name, char *to, size_t bytes)
{
  name += *name == '*';
  size_t n = strcspn (name, "[.(<");
  n = n < bytes ? n : bytes - 1;
  memcpy (to, name, n);
  to[n] = 0;
}

/* Return true if the variable that NAME is of is declared in the loop, so each iteration has its
   own. */
static bool
is_own (const struct judging *j, const char *name)
{
  const struct cab_loop *l = j->known->source;
  char base[128];
  cab_deps_base (name, base, sizeof base);
  const struct cab_loop_variable *v = find_variable (j->known, base);
  if (*name == '*' || !l)
    return false;
  for (uint32_t i = 0; i < l->n_aggregates; i++)
    {
      const struct cab_loop_aggregate *a = &j->known->table->aggregate[l->first_aggregate + i];
      if (!strcmp (a->name, base))
	return a->inside;
    }
  return v && v->class == CAB_SCALAR_SHARED && v->flags & CAB_SCALAR_INSIDE;
}

/* Return the pair of variable V that happened most often, of KIND. */
static const struct cab_deps_pair *
main_pair (const struct cab_deps_view *view, const struct cab_deps_variable *v,
	   enum cab_deps_kind kind)
{
  const struct cab_deps_pair *most = NULL;
  for (uint32_t i = 0; i < view->n_pairs; i++)
    {
      const struct cab_deps_pair *p = &view->pairs[i];
      if (p->loop == v->loop && p->kind == kind && !strcmp (p->variable, v->name)
	  && (!most || p->count > most->count))
	most = p;
    }
  return most;
}

static void
add_flow_of (struct judging *j, const struct cab_deps_variable *v)
{
  const struct cab_deps_view *view = j->facts->view;
  const struct cab_deps_pair *p = main_pair (view, v, CAB_DEPS_RAW);
  for (uint32_t i = 0; i < view->n_pairs; i++)
    if (view->pairs[i].loop == v->loop && view->pairs[i].kind == CAB_DEPS_RAW
	&& !strcmp (view->pairs[i].variable, v->name))
      add_flow (j, view->pairs[i].least, view->pairs[i].most);
  if (!p)
    return;
  const char *when = p->most == 1 ? " in the next iteration" : "";
  add_way (j, cab_names_format (j->names, "%s: %u writes, %u reads%s", v->name,
				cab_deps_line (view, p->from), cab_deps_line (view, p->to), when));
}

/* Look at what iterations have to do with each other through variable V in memory. */
static void
look_at_memory (struct judging *j, const struct cab_deps_variable *v)
{
  struct cab_deps_remedy r = { .name = v->name, .how = "", .memory = true };
  if (cab_deps_is_reduction (j->facts->view, v, &r.how, &r.ordered))
    {
      r.how = kept (j, r.how);
      add_remedy (j, &r);
    }
  else if (v->raw)
    add_flow_of (j, v);
  else if (v->exposed || !is_own (j, v->name))
    {
      r.kind = v->exposed ? CAB_DEPS_COPY : CAB_DEPS_PRIVATISE;
      r.how = "";
      r.first = v->first;
      r.last = v->last;
      add_remedy (j, &r);
    }
}

/* Return true if a variable in memory is reduced by OP. */
static bool
is_reduced (const struct judging *j, const char *op)
{
  for (uint32_t i = 0; i < j->to->n_remedies; i++)
    if (j->to->remedies[i].memory && j->to->remedies[i].kind == CAB_DEPS_REDUCTION
	&& !strcmp (j->to->remedies[i].how, op))
      return true;
  return false;
}

/* Return true if the load that H is about, which reads for the next iteration, reads what its own
   iteration has written. */
static bool
reads_own (const struct judging *j, const struct cab_held_value *h)
{
  const struct cab_deps_view *view = j->facts->view;
  uint32_t of = strtoul (h->op, NULL, 10);
  for (uint32_t i = 0; i < view->n_own; i++)
    {
      struct cab_access_ref ref = cab_model_access (view->model, view->own[i].to);
      const struct cab_record *r = ref.access ? ref.function->record : NULL;
      if (view->own[i].loop == j->loop && r && ref.access->of == of && h >= r->held
	  && h < r->held + r->n_held)
	return true;
    }
  return false;
}

/* Look at what the code keeps in a register and the source does not, or has in memory. */
static void
look_at_held (struct judging *j, const struct cab_held_value *h)
{
  const struct cab_loop_variable *v = find_variable (j->known, h->name);
  struct cab_deps_remedy r = { .name = kept (j, h->name), .how = "", .memory = true };
  if (h->of_source && v && v->class != CAB_SCALAR_SHARED)
    return;
  if (!strcmp (h->class, "loaded"))
    {
      if (reads_own (j, h))
	add_carried (j, r.name, h->line);
      return;
    }
  if (!strcmp (h->class, "reduction"))
    {
      /* Without a name it is memory that is stored, too, which is reduced then. */
      if (*h->name == '<')
	{
	  if (!is_reduced (j, h->op))
	    add_carried (j, r.name, h->line);
	  return;
	}
      r.kind = CAB_DEPS_REDUCTION;
      r.how = kept (j, h->op);
      r.ordered = h->ordered;
    }
  else if (!strcmp (h->class, "induction"))
    {
      r.kind = CAB_DEPS_INDUCTION;
      r.how = "?";
    }
  else if (*h->name == '<' && strcmp (h->class, "carried"))
    return;
  else if (!strcmp (h->class, "lastprivate") || !strcmp (h->class, "conditional"))
    r.kind = *h->class == 'l' ? CAB_DEPS_LAST : CAB_DEPS_LAST_WRITTEN;
  else
    return add_carried (j, r.name, h->line);
  add_remedy (j, &r);
}

/* Return true if FORM, of a c line, has WORD, or a word that begins with it and a colon. */
static bool
has_word (const char *form, const char *word)
{
  size_t n = strlen (word);
  for (const char *p = form; *p; p += strcspn (p, ","), p += *p == ',')
    if (!strncmp (p, word, n) && (!p[n] || p[n] == ',' || p[n] == ':'))
      return true;
  return false;
}

/* Return true if the loop may write what FORM says that its bound is read from, or what a function
   reads that returns its bound.  Compiled code may do that at the end of an iteration, for the next
   one, so that nothing is carried. */
static bool
writes_bound (const struct judging *j, const char *form)
{
  const struct cab_deps_view *view = j->facts->view;
  const char *bound = strstr (form, "bound:");
  size_t n = bound ? strcspn (bound + 6, ",") : 0;
  for (uint32_t i = 0; i < view->n_variables; i++)
    {
      const struct cab_deps_variable *v = &view->variables[i];
      const char *dot = strrchr (v->name, '.'), *last = dot ? dot + 1 : v->name;
      last += *last == '*';
      if (v->loop == j->loop && v->count
	  && (has_word (form, "call")
	      || (bound && !strncmp (last, bound + 6, n) && !last[n])))
	return true;
    }
  return false;
}

static void
look_at_form (struct judging *j)
{
  const char *form = j->known->source->form, *at = strstr (form, "break:");
  bool varies = has_word (form, "varies") || writes_bound (j, form);
  if (at)
    add_way (j, cab_names_format (j->names, "line %u may leave it",
				  (unsigned) strtoul (at + 6, NULL, 10)));
  if (varies)
    add_way (j, "its bound changes in it");
  if (has_word (form, "endless"))
    add_way (j, "nothing but a break ends it");
  j->ends = at || varies || has_word (form, "endless");
  if (!has_word (form, "uncounted"))
    return;
  if (j->in_registers || j->least || !j->known->source->n_callees)
    {
      j->ends = true;
      add_way (j, "its end is known only when it comes");
    }
  else
    add_unseen (j, "how it counts", "how it counts");   /* perhaps by an iterator */
}

static void
look_at_obstacle (struct judging *j, const struct cab_deps_obstacle *o)
{
  const char *name = *o->name ? kept (j, o->name) : "a call through a pointer";
  const char *at = o->line ? cab_names_format (j->names, " (line %u)", o->line) : "";
  switch (o->kind)
    {
    case CAB_DEPS_ALLOCATES:
      add_way (j, cab_names_format (j->names, "%s allocates or releases%s", name, at));
      break;
    case CAB_DEPS_STATE:
      add_way (j, cab_names_format (j->names, "%s keeps a state%s", name, at));
      j->to->why = j->to->why ? j->to->why : "state of a library";
      break;
    case CAB_DEPS_IO:
      add_way (j, cab_names_format (j->names, "%s reads or writes files%s", name, at));
      j->to->why = j->to->why ? j->to->why : "input or output";
      break;
    case CAB_DEPS_CALL:
      add_unseen (j, "calls", cab_names_format (j->names, *o->name ? "%s%s" : "%s%s", name, at));
      break;
    case CAB_DEPS_SPECIAL:
      add_unseen (j, "volatile or atomic",
		  cab_names_format (j->names, "who else accesses %s%s", name, at));
      break;
    case CAB_DEPS_UNSEEN:
      add_unseen (j, "accesses of a library",
		  cab_names_format (j->names, "accesses of %s%s", name, at));
      break;
    case CAB_DEPS_LEFT_OUT:
      add_unseen (j, "accesses left out",
		  cab_names_format (j->names, "accesses in %s that filters left out", name));
      break;
    }
}

/* Note what holds for the whole profile. */
static void
look_at_run (struct judging *j)
{
  const struct cab_model *model = j->facts->view->model;
  const struct cab_arena *state = cab_model_state (model, &cab_deps);
  if (cab_deps.lost (state) || cab_deps_too_deep (state) || cab_deps_cut (state))
    add_unseen (j, "events lost", "events that found no room");
  for (uint32_t i = 0; j->facts->sampled && i < j->known->n_functions; i++)
    for (uint32_t k = 0; k < model->n_functions; k++)
      {
	const struct cab_function *f = model->functions[k];
	if (f->recorded < f->pieces && !strcmp (f->assembler, j->known->functions[i]))
	  add_unseen (j, "sampling", "what was not sampled");
      }
  for (uint32_t i = 0; i < model->n_processes; i++)
    if (model->processes[i].n_threads > 1)
      add_text (&j->to->unseen, &j->to->n_unseen, "other threads");
}

/* Return true if the code of access FROM stands before that of TO, where both are of one function.
   Lines do not tell: the compiler may merge accesses of several lines. */
static bool
is_before (const struct cab_model *model, uint32_t from, uint32_t to)
{
  struct cab_access_ref a = cab_model_access (model, from), b = cab_model_access (model, to);
  return !a.access || !b.access || a.function != b.function || a.access->of < b.access->of;
}

/* Return true if values flow only from accesses that stand before those that read them, on earlier
   lines of the loop. */
static bool
is_forward (const struct judging *j)
{
  const struct cab_deps_view *view = j->facts->view;
  const struct cab_loop *l = j->known->source;
  for (uint32_t i = 0; i < view->n_pairs; i++)
    {
      const struct cab_deps_pair *p = &view->pairs[i];
      if (p->loop != j->loop || (p->kind != CAB_DEPS_RAW && !p->exposed))
	continue;
      uint32_t from = cab_deps_line (view, p->from), to = cab_deps_line (view, p->to);
      if (from >= to || from < l->line || to > l->last_line
	  || !is_before (view->model, p->from, p->to))
	return false;
    }
  return true;
}

static bool
is_innermost (const struct judging *j)
{
  if (j->known->source->n_children)
    return false;
  for (uint32_t n = 1; n < j->facts->view->n_places; n++)
    if (j->facts->view->loop_of[j->facts->view->places[n].parent] == j->loop
	&& j->facts->view->places[n].parent)
      return false;
  return true;
}

static void
decide (struct judging *j)
{
  struct cab_deps_judgement *to = j->to;
  const struct cab_deps_loop *l = &j->facts->view->loops[j->loop];
  bool plain = j->known->source && !j->in_registers && !to->why;
  to->distance = j->least;
  to->or_more = j->most > j->least || j->least >= CAB_DEPS_FAR || to->why;
  if (!j->least && l->iterations <= l->executions)
    to->why = "no two iterations";
  if (j->ends)
    to->verdict = CAB_DEPS_SERIAL;
  else if (j->least)
    to->verdict = plain && is_forward (j) ? CAB_DEPS_PIPELINE
		: plain && j->least >= CAB_DEPS_VECTOR_LEAST && is_innermost (j) ? CAB_DEPS_VECTOR
		: CAB_DEPS_CARRIED;
  else
    to->verdict = to->why	     ? CAB_DEPS_UNKNOWN
		: to->n_remedies ? CAB_DEPS_AFTER
				 : CAB_DEPS_PARALLEL;
}

void
cab_deps_judge (const struct cab_deps_facts *facts, uint32_t loop, struct cab_deps_judgement *to)
{
  const struct cab_deps_known *known = &facts->loops[loop];
  const struct cab_deps_view *view = facts->view;
  struct judging j = { facts, known, loop, &view->model->names, to, 0, 0, false, false };
  *to = (struct cab_deps_judgement) { 0 };
  for (uint32_t i = 0; known->source && i < known->source->n_variables; i++)
    look_at_variable (&j, &known->table->variable[known->source->first_variable + i]);
  for (uint32_t i = 0; i < view->n_variables; i++)
    if (view->variables[i].loop == loop && view->variables[i].count)
      look_at_memory (&j, &view->variables[i]);
  for (uint32_t i = 0; i < known->n_held; i++)
    look_at_held (&j, known->held[i]);
  if (!known->source)
    add_unseen (&j, "scalars", "scalars and calls");
  else if (known->source->flags & CAB_LOOP_UNTOLD)
    add_unseen (&j, "two loops", "which of two loops it is");
  if (known->source)
    look_at_form (&j);
  for (uint32_t i = 0; i < known->n_obstacles; i++)
    look_at_obstacle (&j, &known->obstacles[i]);
  look_at_run (&j);
  decide (&j);
}

void
cab_deps_judgement_fini (struct cab_deps_judgement *judgement)
{
  free (judgement->remedies);
  free (judgement->ways);
  free (judgement->unseen);
}
