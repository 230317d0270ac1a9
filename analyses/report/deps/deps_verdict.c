/* deps_verdict.c - see deps_verdict.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A value that flows from one iteration to a later one (RAW) orders the two.  Without any, each
 * iteration could work with its own copy of what others overwrite: a private one if it writes
 * before it reads, else one with the value from before the loop.
 */
#include "analyses/report/deps/deps_verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define SHOWN 3   /* variables in the text of what is in the way */

static bool
is_carried (const struct cab_deps_variable *v)
{
  return v->raw || v->exposed || v->reused;
}

const char *
cab_deps_verdict (const struct cab_deps_view *view, uint32_t loop, bool incomplete)
{
  const struct cab_deps_loop *l = &view->loops[loop];
  bool exposed = false, reused = false;
  if (l->carried[CAB_DEPS_RAW])
    return cab_names_format (&view->model->names, "carried, distance %u%s", l->least,
			     l->least == l->most && l->least < CAB_DEPS_FAR && !incomplete
			     ? ""
			     : " or more");
  for (uint32_t i = 0; i < view->n_variables; i++)
    if (view->variables[i].loop == loop)
      {
	exposed |= view->variables[i].exposed;
	reused |= view->variables[i].reused;
      }
  return exposed ? (incomplete ? "copies, if nothing else" : "none after copies")
       : reused ? (incomplete ? "private, if nothing else" : "none after private")
       : incomplete ? "none seen"
       : "no dependence";
}

const char *
cab_deps_remedy (const struct cab_deps_variable *v)
{
  if (v->raw)
    return "order";
  if (v->exposed)
    return v->last ? "copy, last value" : "copy";
  return v->first ? (v->last ? "private, first and last value" : "private, first value")
       : v->last ? "private, last value"
       : "private";
}

/* Return the pair of LOOP and NAME that happened most often, of KIND. */
static const struct cab_deps_pair *
main_pair (const struct cab_deps_view *view, uint32_t loop, const char *name,
	   enum cab_deps_kind kind)
{
  const struct cab_deps_pair *most = NULL;
  for (uint32_t i = 0; i < view->n_pairs; i++)
    {
      const struct cab_deps_pair *p = &view->pairs[i];
      if (p->loop == loop && p->kind == kind && !strcmp (p->variable, name)
	  && (!most || p->count > most->count))
	most = p;
    }
  return most;
}

/* Append what is in the way because of V to TEXT.  Return the longer text; TEXT is freed. */
static char *
append (const struct cab_deps_view *view, char *text, const struct cab_deps_variable *v)
{
  const struct cab_deps_pair *p = main_pair (view, v->loop, v->name,
					     v->raw ? CAB_DEPS_RAW
					     : v->exposed ? CAB_DEPS_WAR
					     : CAB_DEPS_WAW);
  char *next = p && v->raw
	       ? xasprintf ("%s%s%s: %u writes, %u reads", text, *text ? "; " : "", v->name,
			    cab_deps_line (view, p->from), cab_deps_line (view, p->to))
	       : p && v->exposed
	       ? xasprintf ("%s%s%s: %u reads, %u overwrites", text, *text ? "; " : "", v->name,
			    cab_deps_line (view, p->from), cab_deps_line (view, p->to))
	       : xasprintf ("%s%s%s %s", text, *text ? "; " : "", cab_deps_remedy (v), v->name);
  free (text);
  return next;
}

/* Return the next variable of LOOP after V (null at first), by what it does, then by count, then by
   name; null at the end. */
static const struct cab_deps_variable *
next_variable (const struct cab_deps_view *view, uint32_t loop, const struct cab_deps_variable *v)
{
  const struct cab_deps_variable *best = NULL;
  for (uint32_t i = 0; i < view->n_variables; i++)
    {
      const struct cab_deps_variable *w = &view->variables[i];
      if (w->loop == loop && is_carried (w) && (!v || cab_deps_order (v, w) < 0)
	  && (!best || cab_deps_order (w, best) < 0))
	best = w;
    }
  return best;
}

int
cab_deps_order (const struct cab_deps_variable *a, const struct cab_deps_variable *b)
{
  int x = a->raw ? 0 : a->exposed ? 1 : 2, y = b->raw ? 0 : b->exposed ? 1 : 2;
  if (x != y)
    return x - y;
  return a->count != b->count ? (a->count > b->count ? -1 : 1) : strcmp (a->name, b->name);
}

const char *
cab_deps_way (const struct cab_deps_view *view, uint32_t loop)
{
  char *text = xstrdup ("");
  unsigned n = 0;
  const struct cab_deps_variable *v = NULL;
  while (n < SHOWN && (v = next_variable (view, loop, v)))
    {
      text = append (view, text, v);
      n++;
    }
  if (v && next_variable (view, loop, v))
    {
      char *next = concat (text, "; ...", NULL);
      free (text);
      text = next;
    }
  const char *copy = cab_names_copy (&view->model->names, text, strlen (text));
  free (text);
  return copy;
}
