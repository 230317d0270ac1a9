/* patch_file.c - see patch_file.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/command/patch_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/source.h"

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

char *
cab_patch_file_find (char *const *dirs, int n_dirs, const char *name, const char **why)
{
  static const struct cab_model nothing;
  char *found = cab_source_find (&nothing, dirs, n_dirs, name), *path;
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

int
cab_patch_file_read (struct cab_patch_file *file, const char *path)
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
  *file = (struct cab_patch_file) { xstrdup (path), text, n };
  return bad ? -1 : 0;
}

static bool
is_word (char c)
{
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool
cab_patch_file_is_generated (const struct cab_patch_file *file)
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

void
cab_patch_file_fini (struct cab_patch_file *file)
{
  free (file->path);
  free (file->text);
}
