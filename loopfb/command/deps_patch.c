/* deps_patch.c - see deps_patch.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/command/deps_patch.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/command.h"
#include "analyses/report/report.h"
#include "loopfb/command/deps_clauses.h"

/* A loop that is parallel, or suits vectors. */
struct candidate
{
  uint32_t loop;
  unsigned level;             /* of its outermost place */
  struct cab_deps_judgement judgement;
  struct cab_place place;
  char *path, *directive;     /* null: it gets none */
};

struct work
{
  const struct cab_deps_patch_options *options;
  struct cab_deps_view view;
  struct cab_deps_facts facts;
  struct candidate *candidates;
  uint32_t n;
  bool *chosen;               /* by loop of the view */
  struct cab_patch_file file; /* the one that was read last */
  bool changed;               /* a source has changed since the build */
};

static int
compare (const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  if (x->level != y->level)
    return x->level < y->level ? -1 : 1;
  return x->loop < y->loop ? -1 : x->loop > y->loop;
}

/* Return the level of the outermost place of LOOP. */
static unsigned
level_of (const struct cab_deps_view *view, uint32_t loop)
{
  unsigned least = UINT32_MAX;
  for (uint32_t n = 1; n < view->n_places; n++)
    if (view->loop_of[n] == loop && view->level[n] < least)
      least = view->level[n];
  return least;
}

static bool
wants (struct work *w, uint32_t i)
{
  const struct cab_deps_loop *l = &w->view.loops[i];
  struct cab_report_options wanted = { .function = w->options->function,
				       .file = w->options->file };
  const char *name = cab_names_display (&w->view.model->names, l->place->origin, "", l->file);
  return cab_report_wants_named (&wanted, name, l->place->origin, l->file)
      && (double) l->accesses >= w->options->share * (double) w->view.accesses
      && l->iterations > l->executions;
}

static void
find_candidates (struct work *w)
{
  w->candidates = XCNEWVEC (struct candidate, w->view.n_loops + 1);
  for (uint32_t i = 0; i < w->view.n_loops; i++)
    {
      struct candidate *c = &w->candidates[w->n];
      *c = (struct candidate) { .loop = i, .level = level_of (&w->view, i) };
      if (!wants (w, i))
	continue;
      cab_deps_judge (&w->facts, i, &c->judgement);
      enum cab_deps_verdict verdict = c->judgement.verdict;
      if (verdict == CAB_DEPS_PARALLEL || verdict == CAB_DEPS_AFTER || verdict == CAB_DEPS_VECTOR)
	w->n++;
      else
	cab_deps_judgement_fini (&c->judgement);
    }
  if (w->n)
    qsort (w->candidates, w->n, sizeof *w->candidates, compare);
}

/* Return true if LOOP ran only within loops that have a directive to run in parallel. */
static bool
is_inside (const struct work *w, uint32_t loop)
{
  const struct cab_deps_view *view = &w->view;
  for (uint32_t n = 1; n < view->n_places; n++)
    {
      bool inside = view->loop_of[n] != loop;
      for (uint32_t i = view->places[n].parent; i && !inside; i = view->places[i].parent)
	inside = view->loop_of[i] != UINT32_MAX && w->chosen[view->loop_of[i]];
      if (!inside)
	return false;
    }
  return true;
}

/* Return why the file that W holds is not the one that was compiled as NAME, or null. */
static const char *
why_changed (struct work *w, const struct cab_deps_known *known, const char *name)
{
  const struct cab_loop_file *file = cab_loop_table_file (known->table, name);
  uint64_t hash = cab_source_hash (CAB_SOURCE_HASH, w->file.text, w->file.length);
  if (file && file->hash == hash)
    return NULL;
  w->changed |= file && file->hash;
  return !file	      ? "its build does not tell what its source was: compile with this version"
       : !file->hash ? "units were compiled with different contents of its source"
		      : "its source has changed since the build: build and run it again";
}

/* Find where the directive of C goes, and fill COUNTED.  Return null, or why there is none. */
static const char *
locate (struct work *w, struct candidate *c, struct cab_counted *counted)
{
  const struct cab_deps_known *known = &w->facts.loops[c->loop];
  const struct cab_loop *l = known->source;
  enum cab_language language = cab_patch_language (l->file);
  const char *why = NULL;
  if (l->flags & CAB_LOOP_MACRO)
    return "it stands in a macro";
  if (language == CAB_LANGUAGE_NONE)
    return "its source is made into C, C++ or Fortran by a program";
  c->path = cab_patch_file_find (w->options->dirs, w->options->n_dirs, l->file, &why);
  if (!c->path)
    return why;
  if ((!w->file.path || strcmp (w->file.path, c->path))
      && cab_patch_file_read (&w->file, c->path) < 0)
    return strerror (errno);
  if ((why = why_changed (w, known, l->file)))
    return why;
  if (cab_patch_file_is_generated (&w->file))
    return "its source says that it is generated: a change would be lost";
  struct cab_scan scan = { w->file.text, w->file.length, l->line, l->column, l->ordinal, false,
			   true };
  bool c_like = language == CAB_LANGUAGE_C;
  if ((c_like ? cab_scan_c (&scan, &c->place, &why)
	      : cab_scan_fortran (&scan, language == CAB_LANGUAGE_FIXED, &c->place, &why)) < 0)
    return why;
  (c_like ? cab_counted_c : cab_counted_fortran) (w->file.text, w->file.length, &c->place, counted,
						  &why);
  if (!c_like)
    counted->last_line = l->last_line;
  return why;
}

/* Return null if FORM, of a c line, is one that a directive allows, else why not. */
static const char *
why_form (const char *form)
{
  if (strstr (form, "unequal"))
    return "its test is !=, and the step is not 1";
  if (strstr (form, "end"))
    return "its test is at its end";
  return NULL;
}

static void
choose (struct work *w, struct candidate *c)
{
  const struct cab_loop *l = w->facts.loops[c->loop].source;
  struct cab_counted counted = { 0 };
  const char *why = why_form (l->form);
  if (is_inside (w, c->loop))
    return;
  if (!why)
    why = locate (w, c, &counted);
  if (!why)
    {
      struct cab_deps_target target = { &w->facts, c->loop, &c->judgement,
					cab_patch_language (l->file), &w->file, &counted };
      c->directive = cab_deps_directive (&target, &why);
    }
  if (c->directive)
    w->chosen[c->loop] = strstr (c->directive, "parallel") != NULL;
  else if (!w->options->quiet)
    cab_say ("%s:%u: %s: %s: not in the patch", l->file, l->line,
	     cab_names_display (&w->view.model->names, l->function, l->name, l->file), why);
}

/* Drop directives that come after another one of the same place: of instances of a template, or of
   copies in several modules.  If they differ, both are dropped. */
static void
drop_doubles (struct work *w)
{
  for (uint32_t i = 0; i < w->n; i++)
    for (uint32_t k = 0; k < i; k++)
      {
	struct candidate *a = &w->candidates[k], *b = &w->candidates[i];
	if (!a->directive || !b->directive || strcmp (a->path, b->path)
	    || a->place.line != b->place.line || a->place.column != b->place.column)
	  continue;
	if (strcmp (a->directive, b->directive))
	  {
	    cab_say ("%s:%u: two functions are made of it, which need different directives: not in "
		     "the patch", a->path, a->place.line);
	    *a->directive = 0;
	  }
	free (b->directive);
	b->directive = NULL;
      }
}

/* Drop all directives but number ONLY, unless that is negative. */
static void
keep_only (struct work *w, int only)
{
  int k = 0;
  for (uint32_t i = 0; i < w->n && only >= 0; i++)
    if (w->candidates[i].directive && *w->candidates[i].directive && k++ != only)
      *w->candidates[i].directive = 0;
}

/* Write the edits of the file PATH.  Return how many there are. */
static uint32_t
write_file (struct work *w, const char *path, FILE *to)
{
  struct cab_edit *edits = XNEWVEC (struct cab_edit, w->n + 1);
  size_t n = 0;
  for (uint32_t i = 0; i < w->n; i++)
    {
      struct candidate *c = &w->candidates[i];
      if (c->directive && *c->directive && !strcmp (c->path, path))
	{
	  c->place.replaces = 0;
	  edits[n++] = (struct cab_edit) { c->place, 0, c->directive };
	}
    }
  if (n && cab_patch_file_read (&w->file, path) == 0)
    cab_patch_write (path, cab_patch_language (path), w->file.text, w->file.length, edits, n, to);
  free (edits);
  return n;
}

static uint32_t
write_all (struct work *w, FILE *to)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->n; i++)
    {
      bool again = !w->candidates[i].directive;
      for (uint32_t k = 0; k < i && !again; k++)
	again = w->candidates[k].directive
	     && !strcmp (w->candidates[k].path, w->candidates[i].path);
      if (!again)
	n += write_file (w, w->candidates[i].path, to);
    }
  return n;
}

int
cab_deps_patch (struct cab_model *model, const struct cab_deps_patch_options *options, FILE *to,
		uint32_t *n)
{
  struct work w = { .options = options };
  cab_deps_view_make (&w.view, model);
  cab_deps_facts_make (&w.facts, &w.view);
  w.chosen = XCNEWVEC (bool, w.view.n_loops + 1);
  find_candidates (&w);
  for (uint32_t i = 0; i < w.n; i++)
    choose (&w, &w.candidates[i]);
  drop_doubles (&w);
  keep_only (&w, options->only);
  *n = w.changed ? 0 : write_all (&w, to);
  for (uint32_t i = 0; i < w.n; i++)
    {
      cab_deps_judgement_fini (&w.candidates[i].judgement);
      free (w.candidates[i].path);
      free (w.candidates[i].directive);
    }
  free (w.candidates);
  free (w.chosen);
  cab_patch_file_fini (&w.file);
  cab_deps_facts_fini (&w.facts);
  cab_deps_view_fini (&w.view);
  if (w.changed)
    cab_say ("%s: sources have changed since the build: no patch: build and run it again",
	     model->dir);
  return w.changed ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
}
