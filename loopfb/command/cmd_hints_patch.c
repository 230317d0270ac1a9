/* cmd_hints_patch.c - a hints file as a patch of the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/command/cmd_hints_patch.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "analyses/command/command.h"
#include "loopfb/command/patch_file.h"
#include "loopfb/source/patch.h"
#include "loopfb/source/prefetch.h"

/* A hint for which a directive is or would be in a file. */
struct target
{
  const struct cab_hint *hint;
  char *path;                 /* relative to the working directory; null if not to be patched */
  struct cab_place place;
  const char *why;            /* why it cannot be done; null if it can */
  bool prefetches;            /* it is for prefetches, not to unroll */
  char *lines;                /* prefetches */
};

struct work
{
  const struct cab_hints *hints;
  char *const *dirs;
  int n_dirs;
  struct target *targets;               /* to unroll, then to prefetch */
  uint32_t n;
  struct cab_patch_file file;           /* the one that was read last */
  uint64_t hints_ns;          /* when the hints were written */
  uint32_t n_listed, n_present;
};

static uint64_t
changed_ns (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 ? st.st_mtim.tv_sec * UINT64_C (1000000000) + st.st_mtim.tv_nsec : 0;
}

/* Read PATH into W's file, unless it is there already. */
static bool
turn_to (struct work *w, const char *path)
{
  if (w->file.path && !strcmp (w->file.path, path))
    return true;
  if (cab_patch_file_read (&w->file, path) < 0)
    return false;
  if (w->hints_ns && changed_ns (path) > w->hints_ns)
    cab_say (
      "%s: has changed since %s was written: see whether the directives stand where they should",
      path, w->hints->path);
  return true;
}

/* Find the place of T and, for prefetches, its lines in the text of the file, which is
   LANGUAGE's. */
static void
find_place (struct work *w, struct target *t, enum cab_language language)
{
  const struct cab_hint *hint = t->hint;
  bool is_template = hint->name && (strstr (hint->name, "[with ") || strstr (hint->name, "<"));
  struct cab_scan scan = { w->file.text, w->file.length, hint->line,
			   hint->column, hint->ordinal, is_template,
			   t->prefetches };
  struct cab_prefetch prefetch;
  if (cab_patch_file_is_generated (&w->file))
    t->why = "its source says that it is generated: a change would be lost";
  else if (language != CAB_LANGUAGE_C && t->prefetches)
    t->why = "Fortran has no statement for it";
  else if (language != CAB_LANGUAGE_C)
    cab_scan_fortran (&scan, language == CAB_LANGUAGE_FIXED, &t->place, &t->why);
  else if (cab_scan_c (&scan, &t->place, &t->why) == 0 && t->prefetches
	   && cab_prefetch_c (w->file.text, w->file.length, &t->place, hint->prefetch, &prefetch,
			      &t->why) == 0)
    {
      t->place = prefetch.place;
      t->lines = prefetch.lines;
    }
}

static void
locate (struct work *w, struct target *t)
{
  const struct cab_hint *hint = t->hint;
  enum cab_language language = cab_patch_language (hint->file);
  if (hint->flags && strchr (hint->flags, 'm'))
    t->why = "it stands in a macro";
  else if (hint->flags && strchr (hint->flags, 'u'))
    t->why = "it cannot be distinguished from another loop";
  else if (language == CAB_LANGUAGE_NONE)
    t->why = "its source is made into C, C++ or Fortran by a program: only that program's output "
	     "could carry the directive";
  else if ((t->path = cab_patch_file_find (w->dirs, w->n_dirs, hint->file, &t->why))
	   && !turn_to (w, t->path))
    t->why = strerror (errno);
  if (!t->why)
    find_place (w, t, language);
}

static bool
same_place (const struct target *a, const struct target *b)
{
  return a->path && b->path && !a->why && !b->why && a->prefetches == b->prefetches
      && !strcmp (a->path, b->path)
      && a->place.line == b->place.line && a->place.column == b->place.column;
}

/* Refuse hints that differ for one statement.  It may be several loops: of the instances of a
   template, of functions in a header. */
static void
refuse_conflicts (struct work *w)
{
  uint32_t n = w->n;
  bool *bad = XCNEWVEC (bool, n + 1);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++)
      if (same_place (&w->targets[i], &w->targets[k])
	  && (w->targets[i].prefetches
		? w->targets[i].hint->prefetch != w->targets[k].hint->prefetch
		: w->targets[i].hint->unroll != w->targets[k].hint->unroll))
	bad[i] = bad[k] = true;
  for (uint32_t i = 0; i < n; i++)
    if (bad[i])
      w->targets[i].why
	= w->targets[i].prefetches
	  ? "it has hints of different distances, for functions that are made of this source"
	  : "it has hints of different factors, for functions that are made of this source";
  free (bad);
}

static void
list (struct work *w, const struct target *t, const char *what, const char *why)
{
  const struct cab_hint *h = t->hint;
  w->n_listed++;
  cab_say ("%s:%u: %s for %s: %s: not in the patch", h->file, h->line, what,
	   h->name && *h->name ? h->name : h->function, why);
}

/* Write the edits of PATH among the targets, and drop these targets' paths, which marks them as
   done. */
static void
write_file (struct work *w, const char *path, FILE *to)
{
  struct cab_edit *edits = XNEWVEC (struct cab_edit, w->n);
  size_t n = 0;
  char *name = xstrdup (path);
  for (uint32_t i = 0; i < w->n; i++)
    {
      struct target *t = &w->targets[i];
      bool again = false;
      if (!t->path || t->why || strcmp (t->path, name))
	continue;
      for (size_t k = 0; k < n; k++)
	again |= edits[k].place.line == t->place.line && edits[k].place.column == t->place.column;
      bool present = !t->prefetches && t->place.replaces && t->place.present == t->hint->unroll;
      w->n_present += present;
      if (!again && !present)
	edits[n++] = (struct cab_edit) { t->place, t->hint->unroll, t->lines };
    }
  if (n && turn_to (w, name))
    cab_patch_write (name, cab_patch_language (name), w->file.text, w->file.length, edits, n, to);
  for (uint32_t i = 0; i < w->n; i++)
    if (w->targets[i].path && !strcmp (w->targets[i].path, name))
      {
	free (w->targets[i].path);
	w->targets[i].path = NULL;
      }
  free (edits);
  free (name);
}

static void
list_rest (struct work *w)
{
  for (uint32_t i = 0; i < w->n; i++)
    {
      const struct target *t = &w->targets[i];
      char what[32];
      snprintf (what, sizeof what, t->prefetches ? "prefetch %u ahead" : "unroll %u",
		t->prefetches ? t->hint->prefetch : t->hint->unroll);
      if (t->why)
	list (w, t, what, t->why);
      if (t->prefetches)
	continue;
      if (t->hint->vectorize != CAB_VECTORIZE_AS_IS)
	list (w, t, t->hint->vectorize == CAB_VECTORIZE_NO ? "do not vectorize" : "vectorize",
	      "GCC 11 and 12 have no directive for it");
      if (t->hint->registers)
	list (w, t, "rename registers",
	      "GCC has no directive for it; -fweb -frename-registers do it for whole files");
      if (t->hint->align)
	list (w, t, "align", "GCC has no directive for it; -falign-loops does it for whole files");
    }
  if (w->hints->every)
    cab_say ("%s: unroll %u for every other loop: no directive says that: not in the patch",
	     w->hints->path, w->hints->every);
}

int
cab_hints_patch (const struct cab_hints *hints, char *const *dirs, int n_dirs, FILE *to)
{
  struct work w = {
    .hints = hints, .dirs = dirs, .n_dirs = n_dirs, .hints_ns = changed_ns (hints->path)
  };
  w.n = 2 * hints->n;
  w.targets = XCNEWVEC (struct target, w.n + 1);
  for (uint32_t i = 0; i < w.n; i++)
    {
      struct target *t = &w.targets[i];
      t->prefetches = i >= hints->n;
      t->hint = &hints->row[i % hints->n];
      if (t->prefetches ? t->hint->prefetch : t->hint->unroll)
	locate (&w, t);
    }
  refuse_conflicts (&w);
  list_rest (&w);
  for (uint32_t i = 0; i < w.n; i++)
    if (w.targets[i].path)
      write_file (&w, w.targets[i].path, to);
  for (uint32_t i = 0; i < w.n; i++)
    free (w.targets[i].lines);
  if (w.n_present)
    cab_say ("%s: %u of its loops have their directive already", hints->path, w.n_present);
  free (w.targets);
  cab_patch_file_fini (&w.file);
  return CAB_EXIT_GOOD;
}
