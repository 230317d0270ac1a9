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
#include "analyses/profile/source.h"
#include "loopfb/source/patch.h"

/* A hint for which a directive is or would be in a file. */
struct target
{
  const struct cab_hint *hint;
  char *path;                 /* relative to the working directory; null if not to be patched */
  struct cab_place place;
  const char *why;            /* why it cannot be done; null if it can */
};

struct file
{
  char *path, *text;
  size_t length;
};

struct work
{
  const struct cab_hints *hints;
  char *const *dirs;
  int n_dirs;
  struct target *targets;
  struct file file;           /* the one that was read last */
  uint64_t hints_ns;          /* when the hints were written */
  uint32_t n_listed, n_present;
};

static uint64_t
changed_ns (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 ? st.st_mtim.tv_sec * UINT64_C (1000000000) + st.st_mtim.tv_nsec : 0;
}

/* Return PATH relative to the working directory, or null if it does not lie there. */
static char *
relative (const char *path)
{
  char *here = realpath (".", NULL), *there = realpath (path, NULL), *result = NULL;
  size_t n = here ? strlen (here) : 0;
  if (here && there && n == 1)
    result = xstrdup (there + 1);
  else if (here && there && !strncmp (here, there, n) && there[n] == '/')
    result = xstrdup (there + n + 1);
  free (here);
  free (there);
  return result;
}

static char *
find_file (struct work *w, const char *name, const char **why)
{
  static const struct cab_model nothing;
  char *found = cab_source_find (&nothing, w->dirs, w->n_dirs, name), *path;
  if (!found)
    {
      *why = "its source is not found: run this where the program was compiled, or name the "
	     "directory with --source";
      return NULL;
    }
  path = relative (found);
  free (found);
  if (!path)
    *why = "its source lies outside of the working directory: run this in a directory above it";
  return path;
}

static int
read_whole (struct file *file, const char *path)
{
  FILE *from = fopen (path, "r");
  size_t room = 0, n = 0;
  char *text = NULL;
  if (!from)
    return -1;
  do
    {
      text = xrealloc (text, room = room * 2 + 65536);
      n += fread (text + n, 1, room - n, from);
    }
  while (n == room);
  bool bad = ferror (from);
  fclose (from);
  free (file->path);
  free (file->text);
  *file = (struct file) { xstrdup (path), text, n };
  return bad ? -1 : 0;
}

/* Read PATH into W's file, unless it is there already. */
static bool
turn_to (struct work *w, const char *path)
{
  if (w->file.path && !strcmp (w->file.path, path))
    return true;
  if (read_whole (&w->file, path) < 0)
    return false;
  if (w->hints_ns && changed_ns (path) > w->hints_ns)
    cab_say (
      "%s: has changed since %s was written: see whether the directives stand where they should",
      path, w->hints->path);
  return true;
}

static bool
is_word (char c)
{
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Return true if a generator's mark is in the first lines, which means that the file will be
   written again. */
static bool
is_generated (const struct file *file)
{
  static const char *const marks[] = { "DO NOT EDIT", "Do not edit", "do not edit", "@generated",
				       NULL };
  size_t n = file->length < 1000 ? file->length : 1000;
  for (int i = 0; marks[i]; i++)
    {
      const char *at = memmem (file->text, n, marks[i], strlen (marks[i]));
      if (at && !is_word (at[strlen (marks[i])]))
	return true;
    }
  return false;
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
  else if ((t->path = find_file (w, hint->file, &t->why)) && !turn_to (w, t->path))
    t->why = strerror (errno);
  if (t->why)
    return;
  bool is_template = hint->name && (strstr (hint->name, "[with ") || strstr (hint->name, "<"));
  struct cab_scan scan = { w->file.text, w->file.length, hint->line,
			   hint->column, hint->ordinal,	 is_template };
  if (is_generated (&w->file))
    t->why = "its source says that it is generated: a change would be lost";
  else if (language == CAB_LANGUAGE_C)
    cab_scan_c (&scan, &t->place, &t->why);
  else
    cab_scan_fortran (&scan, language == CAB_LANGUAGE_FIXED, &t->place, &t->why);
}

static bool
same_place (const struct target *a, const struct target *b)
{
  return a->path && b->path && !a->why && !b->why && !strcmp (a->path, b->path)
      && a->place.line == b->place.line && a->place.column == b->place.column;
}

/* Refuse hints of different factors for one statement.  It may be several loops: of the instances
   of a template, of functions in a header. */
static void
refuse_conflicts (struct work *w)
{
  uint32_t n = w->hints->n;
  bool *bad = XCNEWVEC (bool, n + 1);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++)
      if (same_place (&w->targets[i], &w->targets[k])
	  && w->targets[i].hint->unroll != w->targets[k].hint->unroll)
	bad[i] = bad[k] = true;
  for (uint32_t i = 0; i < n; i++)
    if (bad[i])
      w->targets[i].why
	= "it has hints of different factors, for different functions that are made of this source";
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
  struct cab_edit *edits = XNEWVEC (struct cab_edit, w->hints->n);
  size_t n = 0;
  char *name = xstrdup (path);
  for (uint32_t i = 0; i < w->hints->n; i++)
    {
      struct target *t = &w->targets[i];
      bool again = false;
      if (!t->path || t->why || strcmp (t->path, name))
	continue;
      for (size_t k = 0; k < n; k++)
	again |= edits[k].place.line == t->place.line && edits[k].place.column == t->place.column;
      bool present = t->place.replaces && t->place.present == t->hint->unroll;
      w->n_present += present;
      if (!again && !present)
	edits[n++] = (struct cab_edit) { t->place, t->hint->unroll };
    }
  if (n && turn_to (w, name))
    cab_patch_write (name, cab_patch_language (name), w->file.text, w->file.length, edits, n, to);
  for (uint32_t i = 0; i < w->hints->n; i++)
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
  for (uint32_t i = 0; i < w->hints->n; i++)
    {
      const struct target *t = &w->targets[i];
      char unroll[32];
      snprintf (unroll, sizeof unroll, "unroll %u", t->hint->unroll);
      if (t->why)
	list (w, t, unroll, t->why);
      if (t->hint->vectorize != CAB_VECTORIZE_AS_IS)
	list (w, t, t->hint->vectorize == CAB_VECTORIZE_NO ? "do not vectorize" : "vectorize",
	      "GCC 11 and 12 have no directive for it");
      if (t->hint->registers)
	list (w, t, "rename registers",
	      "GCC has no directive for it; -fweb -frename-registers do it for whole files");
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
  w.targets = XCNEWVEC (struct target, hints->n + 1);
  for (uint32_t i = 0; i < hints->n; i++)
    {
      w.targets[i].hint = &hints->row[i];
      if (hints->row[i].unroll)
	locate (&w, &w.targets[i]);
    }
  refuse_conflicts (&w);
  list_rest (&w);
  for (uint32_t i = 0; i < hints->n; i++)
    if (w.targets[i].path)
      write_file (&w, w.targets[i].path, to);
  if (w.n_present)
    cab_say ("%s: %u of its loops have their directive already", hints->path, w.n_present);
  free (w.targets);
  free (w.file.path);
  free (w.file.text);
  return CAB_EXIT_GOOD;
}
