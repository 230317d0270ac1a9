/* deps_clauses.c - see deps_clauses.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/command/deps_clauses.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define MOST 64   /* clauses */

struct writing
{
  const struct cab_deps_target *of;
  const struct cab_deps_known *known;
  struct cab_names *names;
  char *heads[MOST];          /* up to the first name */
  char *clauses[MOST];        /* without the closing bracket */
  uint32_t n;
  const char *why;
};

/* Note as the reason, unless there is one already, FORMAT with NAME in it. */
static void
refuse (struct writing *w, const char *format, const char *name)
{
  if (!w->why)
    w->why = cab_names_format (w->names, format, name);
}

/* Add NAME to the clause that begins with HEAD, "private (", or add that. */
static void
add (struct writing *w, const char *head, const char *name)
{
  char *more = NULL;
  for (uint32_t i = 0; i < w->n && !more; i++)
    if (!strcmp (w->heads[i], head))
      {
	more = concat (w->clauses[i], ", ", name, NULL);
	free (w->clauses[i]);
	w->clauses[i] = more;
      }
  if (!more && w->n < MOST)
    {
      w->heads[w->n] = xstrdup (head);
      w->clauses[w->n++] = concat (head, name, NULL);
    }
  else if (!more)
    refuse (w, "too many variables: %s", name);
}

static const struct cab_loop_variable *
scalar (const struct writing *w, const char *name)
{
  const struct cab_loop *l = w->known->source;
  for (uint32_t i = 0; i < l->n_variables; i++)
    {
      const struct cab_loop_variable *v = &w->known->table->variable[l->first_variable + i];
      if (!strcmp (v->name, name) && !(v->flags & CAB_SCALAR_INSIDE))
	return v;
    }
  return NULL;
}

static const struct cab_loop_aggregate *
aggregate (const struct writing *w, const char *name)
{
  const struct cab_loop *l = w->known->source;
  for (uint32_t i = 0; i < l->n_aggregates; i++)
    {
      const struct cab_loop_aggregate *a = &w->known->table->aggregate[l->first_aggregate + i];
      if (!strcmp (a->name, name) && !a->inside)
	return a;
    }
  return NULL;
}

static bool
in_text (const struct writing *w, const struct cab_record *record,
	 const struct cab_access_place *a)
{
  return a->file < record->n_files
      && !strcmp (lbasename (record->files[a->file]), lbasename (w->known->source->file))
      && a->line >= w->of->counted->first_line && a->line <= w->of->counted->last_line;
}

/* Return true if the access A of RECORD is in the code of the loop. */
static bool
in_code (const struct writing *w, const struct cab_record *record,
	 const struct cab_access_place *a)
{
  const struct cab_loop *l = w->known->source;
  uint32_t i = a->loop;
  for (uint32_t n = 0; i < record->n_access_loops && n < record->n_access_loops; n++)
    {
      const struct cab_access_loop *t = &record->access_loops[i];
      if (t->origin && !strcmp (t->origin, l->function) && t->line == l->line
	  && t->column == l->column && t->ordinal == l->ordinal)
	return true;
      i = t->parent;
    }
  return false;
}

/* What accesses there are to a variable. */
struct uses
{
  bool any;                   /* in the loop's text */
  bool other;                 /* in the loop's text, and no part of an update */
  bool elsewhere;             /* in what the loop calls */
};

static void
look_at_function (const struct writing *w, const struct cab_function *f, const char *name,
		  bool global, struct uses *uses)
{
  const struct cab_record *r = f->record;
  bool own = !strcmp (f->assembler, w->known->source->function);
  char base[128];
  for (uint32_t i = 0; i < r->n_accesses; i++)
    {
      const struct cab_access_place *a = &r->accesses[i];
      if (!a->name || a->bare || (cab_deps_base (a->name, base, sizeof base), strcmp (base, name)))
	continue;
      bool update = a->update || (a->of < r->n_accesses && r->accesses[a->of].update);
      if (in_text (w, r, a))
	{
	  uses->any = true;
	  uses->other |= !update && in_code (w, r, a);
	}
      else
	uses->elsewhere |= in_code (w, r, a) || (!own && global);
    }
}

/* Find the accesses to the variable NAME, which is GLOBAL or not, in the loop and what it calls. */
static struct uses
uses_of (const struct writing *w, const char *name, bool global)
{
  const struct cab_model *model = w->of->facts->view->model;
  struct uses uses = { false, false, false };
  for (uint32_t k = 0; k < w->known->n_functions; k++)
    for (uint32_t i = 0; i < model->n_functions; i++)
      if (model->functions[i]->record
	  && !strcmp (model->functions[i]->assembler, w->known->functions[k]))
	look_at_function (w, model->functions[i], name, global, &uses);
  return uses;
}

static bool
is_fortran (const struct writing *w)
{
  return w->of->language != CAB_LANGUAGE_C;
}

/* Return the name of the variable that R, in memory, is about, in the form that a clause has; null
   after refusing it. */
static const char *
memory_name (struct writing *w, const struct cab_deps_remedy *r)
{
  char base[128];
  cab_deps_base (r->name, base, sizeof base);
  const struct cab_loop_variable *v = scalar (w, base);
  const struct cab_loop_aggregate *a = aggregate (w, base);
  bool member = strchr (r->name, '.') || *r->name == '(', pointer = *r->name == '*';
  bool reduced = r->kind == CAB_DEPS_REDUCTION;
  bool is_pointer = pointer && v && v->class == CAB_SCALAR_FIRSTPRIVATE && !strchr (r->name, '[');
  const char *name = NULL;
  if (member)
    refuse (w, "%s is a member of a structure: give it a variable of its own in the loop", r->name);
  else if (is_pointer && reduced && !is_fortran (w))
    name = cab_names_format (w->names, "%s[:1]", base);
  else if ((v && v->class == CAB_SCALAR_SHARED) || (a && a->array && !pointer))
    name = cab_names_format (w->names, "%s", base);
  else
    refuse (w, "%s is no variable of the source that a clause could name", r->name);
  if (!name)
    return NULL;
  struct uses uses = uses_of (w, base, true);
  if (uses.elsewhere)
    refuse (w, "%s is used by functions that the loop calls", r->name);
  else if (reduced && uses.other)
    refuse (w, "%s is also used otherwise than by its reduction", r->name);
  return w->why ? NULL : name;
}

static void
write_reduction (struct writing *w, const char *op, const char *name)
{
  static const char *const fortran[][2] = { { "&&", ".and." }, { "||", ".or." }, { "&", "iand" },
					    { "|", "ior" },    { "^", "ieor" } };
  for (size_t i = 0; is_fortran (w) && i < ARRAY_SIZE (fortran); i++)
    if (!strcmp (op, fortran[i][0]))
      op = fortran[i][1];
  char *head = concat ("reduction(", op, ": ", NULL);
  add (w, head, name);
  free (head);
}

static void
write_privatised (struct writing *w, const struct cab_deps_remedy *r)
{
  const char *name = memory_name (w, r);
  char base[128];
  cab_deps_base (r->name, base, sizeof base);
  if (!name)
    return;
  if (r->last && aggregate (w, base))
    refuse (w, "%s is used after the loop, and a private copy would have to be put together",
	    r->name);
  else if (r->last && r->first)
    refuse (w, "%s is used after the loop, and has a value before it", r->name);
  else
    add (w, r->last ? "lastprivate(conditional: " : r->first ? "firstprivate(" : "private(", name);
}

static void
write_remedy (struct writing *w, const struct cab_deps_remedy *r)
{
  const char *name = r->name;
  if (*name == '<')
    return refuse (w, "%s: it has a variable that the compiler has made", name);
  if (!strcmp (name, w->of->counted->variable))
    return;   /* the counter is private anyway */
  if (r->kind == CAB_DEPS_PRIVATISE)
    return write_privatised (w, r);
  if (r->kind == CAB_DEPS_COPY)
    return refuse (w, "iterations overwrite what others read of %s: read from a copy", name);
  if (r->memory && !(name = memory_name (w, r)))
    return;
  switch (r->kind)
    {
    case CAB_DEPS_REDUCTION: return write_reduction (w, r->how, name);
    case CAB_DEPS_PRIVATE: return add (w, "private(", name);
    case CAB_DEPS_LAST: return add (w, "lastprivate(", name);
    case CAB_DEPS_LAST_WRITTEN: return add (w, "lastprivate(conditional: ", name);
    default: break;
    }
  if (strspn (r->how, "-0123456789") != strlen (r->how) || !*r->how)
    return refuse (w, "%s grows by what is no constant: compute it from the counter", name);
  /* Each linear variable has a step of its own, so a clause of its own. */
  char *head = concat ("linear(", name, ": ", NULL);
  add (w, head, r->how);
  free (head);
}

static bool
has_remedy (const struct writing *w, const char *name)
{
  char base[128];
  for (uint32_t i = 0; i < w->of->judgement->n_remedies; i++)
    {
      cab_deps_base (w->of->judgement->remedies[i].name, base, sizeof base);
      if (!strcmp (base, name))
	return true;
    }
  return false;
}

/* Refuse what is in memory in the source, and was in a register when it was looked at: whether it
   must be private is not known. */
static void
look_at_hidden (struct writing *w)
{
  static const char words[] = "%s is in memory in the source, but not in the optimised code: "
			      "compile with -O0 or -O1 for this loop";
  const struct cab_loop *l = w->known->source;
  for (uint32_t i = 0; i < l->n_variables; i++)
    {
      const struct cab_loop_variable *v = &w->known->table->variable[l->first_variable + i];
      if (v->class == CAB_SCALAR_SHARED && v->flags & (CAB_SCALAR_WRITTEN | CAB_SCALAR_ESCAPES)
	  && !(v->flags & (CAB_SCALAR_INSIDE | CAB_SCALAR_CONTROL)) && !has_remedy (w, v->name)
	  && !uses_of (w, v->name, false).any)
	refuse (w, words, v->name);
    }
  for (uint32_t i = 0; i < l->n_aggregates; i++)
    {
      const struct cab_loop_aggregate *a = &w->known->table->aggregate[l->first_aggregate + i];
      if (!a->inside && !a->global && !has_remedy (w, a->name) && !uses_of (w, a->name, false).any)
	refuse (w, words, a->name);
    }
}

/* Add the counter's clause: its value is used after the loop. */
static void
write_counter (struct writing *w)
{
  const struct cab_loop *l = w->known->source;
  const char *counter = w->of->counted->variable;
  for (uint32_t i = 0; i < l->n_variables; i++)
    {
      const struct cab_loop_variable *v = &w->known->table->variable[l->first_variable + i];
      if (!strcmp (v->name, counter) && v->flags & CAB_SCALAR_AFTER && !w->of->counted->declared)
	return add (w, "lastprivate(", counter);
    }
}

/* Return the directive of HEAD and the clauses, to be freed.  Fortran has one for each line, lest
   lines be too long. */
static char *
assemble (const struct writing *w, const char *head)
{
  char *text = xstrdup (head);
  const char *before = w->of->language == CAB_LANGUAGE_C       ? " "
		     : w->of->language == CAB_LANGUAGE_FORTRAN ? " &\n!$omp   "
							       : "\n!$omp&";
  for (uint32_t i = 0; i < w->n; i++)
    {
      char *next = concat (text, before, w->clauses[i], ")", NULL);
      free (text);
      text = next;
    }
  return text;
}

/* Return true if the loop overwrites what earlier iterations have read only later in the text, so
   that vectors, which do each statement for several iterations at once, read first. */
static bool
reads_first (const struct writing *w)
{
  const struct cab_deps_view *view = w->of->facts->view;
  for (uint32_t i = 0; i < view->n_pairs; i++)
    {
      const struct cab_deps_pair *p = &view->pairs[i];
      struct cab_access_ref from = cab_model_access (view->model, p->from),
			    to = cab_model_access (view->model, p->to);
      if (p->loop != w->of->loop || p->kind == CAB_DEPS_RAW)
	continue;
      if (p->kind == CAB_DEPS_WAW || !from.access || !to.access
	  || from.access->line > to.access->line
	  || (from.access->line == to.access->line
	      && cab_counted_divides (w->of->file->text, w->of->file->length, from.access->line,
				      from.access->column, to.access->column)))
	return false;
    }
  return true;
}

/* Return the directive of a loop that vectors alone suit, or null. */
static char *
vector_directive (struct writing *w)
{
  const struct cab_deps_judgement *j = w->of->judgement;
  bool c = w->of->language == CAB_LANGUAGE_C, copies = j->n_remedies > 0;
  for (uint32_t i = 0; i < j->n_remedies; i++)
    copies &= j->remedies[i].kind == CAB_DEPS_COPY || j->remedies[i].kind == CAB_DEPS_PRIVATE;
  if (j->verdict == CAB_DEPS_AFTER && copies && !w->known->source->n_children && reads_first (w))
    {
      w->why = NULL;
      return xstrdup (c ? "#pragma GCC ivdep" : "!GCC$ ivdep");
    }
  if (j->verdict != CAB_DEPS_VECTOR)
    return NULL;
  const char *head = cab_names_format (w->names, "%s simd safelen(%u)", c ? "#pragma omp" : "!$omp",
				       j->distance);
  return w->why ? NULL : assemble (w, head);
}

char *
cab_deps_directive (const struct cab_deps_target *target, const char **why)
{
  struct writing w = { .of = target,
		       .known = &target->facts->loops[target->loop],
		       .names = &target->facts->view->model->names };
  const struct cab_deps_judgement *j = target->judgement;
  for (uint32_t i = 0; i < j->n_remedies; i++)
    write_remedy (&w, &j->remedies[i]);
  write_counter (&w);
  look_at_hidden (&w);
  bool parallel = !w.why && (j->verdict == CAB_DEPS_PARALLEL || j->verdict == CAB_DEPS_AFTER);
  char *text = parallel ? assemble (&w, target->language == CAB_LANGUAGE_C
					  ? "#pragma omp parallel for"
					  : "!$omp parallel do")
			: vector_directive (&w);
  for (uint32_t i = 0; i < w.n; i++)
    {
      free (w.heads[i]);
      free (w.clauses[i]);
    }
  *why = w.why ? w.why : text ? NULL : "it is neither parallel nor for vectors";
  return text;
}
