/* source.c - find and read the source files that a profile names.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/source.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

#define MOST_BYTES (UINT64_C (1) << 30)

/* Return DIR/FILE if that is a regular file, else null. */
static char *
there (const char *dir, const char *file)
{
  struct stat st;
  char *path = dir ? concat (dir, "/", file, NULL) : xstrdup (file);
  if (stat (path, &st) == 0 && S_ISREG (st.st_mode))
    return path;
  free (path);
  return NULL;
}

/* Return FILE below DIR, with as many of its components as exist there, or null. */
static char *
below (const char *dir, const char *file)
{
  char *path = NULL;
  while (*file && !path)
    {
      while (*file == '/')
	file++;
      path = *file ? there (dir, file) : NULL;
      file += strcspn (file, "/");
    }
  return path;
}

/* Return the relative FILE in the directory of a translation unit, of its own (OWN) or of any, or
   null. */
static char *
in_units (const struct cab_model *model, const char *file, bool own)
{
  char *path = NULL;
  for (uint32_t i = 0; i < model->n_notes && !path; i++)
    {
      const struct cab_note *note = &model->notes[i].note;
      if (note->kind == 'U' && *note->field[1] && (!own || !strcmp (note->field[0], file)))
	path = there (note->field[1], file);
    }
  return path;
}

char *
cab_source_find (const struct cab_model *model, char *const *dirs, int n_dirs, const char *file)
{
  char *path = NULL;
  for (int i = 0; i < n_dirs && !path; i++)
    path = below (dirs[i], file);
  if (!path && *file == '/')
    path = there (NULL, file);
  else if (!path)
    {
      path = in_units (model, file, true);
      path = path ? path : in_units (model, file, false);
    }
  return path ? path : below (".", file);
}

static int
read_text (struct cab_source *source, int fd, size_t bytes)
{
  source->text = xmalloc (bytes + 1);
  size_t done = 0;
  for (ssize_t n; done < bytes; done += n)
    {
      n = read (fd, source->text + done, bytes - done);
      if (n < 0)
	return -1;
      if (n == 0)
	break;
    }
  for (size_t i = 0; i < done; i++)
    if (!source->text[i])
      source->text[i] = ' ';
  source->text[done] = 0;
  return 0;
}

static void
split (struct cab_source *source)
{
  size_t room = 0;
  for (char *p = source->text; *p;)
    {
      if (source->n_lines == room)
	source->lines = XRESIZEVEC (char *, source->lines, room = room * 2 + 256);
      source->lines[source->n_lines++] = p;
      char *end = p + strcspn (p, "\n");
      p = *end ? end + 1 : end;
      if (end > source->lines[source->n_lines - 1] && end[-1] == '\r')
	end[-1] = 0;
      *end = 0;
    }
}

int
cab_source_read (struct cab_source *source, const char *path)
{
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC), result = -1;
  *source = (struct cab_source) { 0 };
  if (fd < 0)
    return -1;
  if (fstat (fd, &st) == 0)
    {
      source->changed_ns = st.st_mtim.tv_sec * UINT64_C (1000000000) + st.st_mtim.tv_nsec;
      errno = EFBIG;
      result = st.st_size >= 0 && (uint64_t) st.st_size <= MOST_BYTES
	       ? read_text (source, fd, st.st_size)
	       : -1;
    }
  int error = errno;
  close (fd);
  if (result == 0)
    split (source);
  else
    cab_source_fini (source);
  errno = error;
  return result;
}

void
cab_source_fini (struct cab_source *source)
{
  free (source->text);
  free (source->lines);
  *source = (struct cab_source) { 0 };
}

void
cab_excerpts_add (struct cab_excerpts *excerpts, const char *file, uint32_t first, uint32_t last)
{
  excerpts->excerpt = XRESIZEVEC (struct cab_excerpt, excerpts->excerpt, excerpts->n + 1);
  excerpts->excerpt[excerpts->n++] = (struct cab_excerpt) { file, first, last };
}

static int
compare_excerpts (const void *a, const void *b)
{
  const struct cab_excerpt *x = a, *y = b;
  int order = strcmp (x->file, y->file);
  return order ? order : x->first < y->first ? -1 : x->first > y->first;
}

void
cab_excerpts_join (struct cab_excerpts *excerpts)
{
  uint32_t n = 0;
  if (!excerpts->n)
    return;
  qsort (excerpts->excerpt, excerpts->n, sizeof *excerpts->excerpt, compare_excerpts);
  for (uint32_t i = 1; i < excerpts->n; i++)
    {
      struct cab_excerpt *last = &excerpts->excerpt[n], *next = &excerpts->excerpt[i];
      if (strcmp (last->file, next->file) || next->first > last->last + UINT64_C (1))
	excerpts->excerpt[++n] = *next;
      else if (next->last > last->last)
	last->last = next->last;
    }
  excerpts->n = n + 1;
}

void
cab_excerpts_fini (struct cab_excerpts *excerpts)
{
  free (excerpts->excerpt);
  *excerpts = (struct cab_excerpts) { 0 };
}
