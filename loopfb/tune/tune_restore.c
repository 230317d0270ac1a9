/* tune_restore.c - replace the wrappers' paths in files that the build has written by those of the
 * real tools.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CMake, and configure scripts, look their compilers up in PATH and write the path that they find
 * into files, by which the tree is built from then on: CMakeCache.txt, config.mk.  While a build is
 * recorded that is the path of a wrapper in our directory, which is removed later.
 */
#include "loopfb/tune/tune_restore.h"
#include "loopfb/tune/tune_say.h"
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

#define MOST_BYTES (16 << 20)   /* a build does not read its compilers' names from larger files */

struct text
{
  char *bytes;
  size_t n;
};

/* Return the first tool called NAME (N bytes) in PATH, as it would have been found without us, to
   be freed; null if there is none. */
static char *
real_tool (const char *name, size_t n)
{
  const char *path = getenv ("PATH");
  for (const char *dir = path ? path : ""; *dir; dir += strcspn (dir, ":"), dir += *dir == ':')
    {
      char *file = xasprintf ("%.*s/%.*s", (int) strcspn (dir, ":"), dir, (int) n, name);
      if (!access (file, X_OK))
	return file;
      free (file);
    }
  return NULL;
}

/* Copy FROM to TO with the real tool's path wherever it has HEAD, a directory with its slash, and a
   name.  Return false if there is nothing to replace. */
static bool
replace (const struct text *from, const char *head, struct text *to)
{
  FILE *out = open_memstream (&to->bytes, &to->n);
  size_t n_head = strlen (head);
  int n = 0;
  const char *at = from->bytes, *found;
  for (; out && (found = strstr (at, head)); at = found + n_head)
    {
      size_t n_name = strspn (found + n_head,
			      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+.-");
      char *tool = real_tool (found + n_head, n_name);
      fwrite (at, 1, found - at, out);
      fputs (tool ? tool : head, out);
      found += tool ? n_name : 0;
      n += tool != NULL;
      free (tool);
    }
  if (!out)
    return false;
  fputs (at, out);
  return !fclose (out) && n;
}

/* Return the contents of PATH if that is text; else no bytes. */
static struct text
read_text (const char *path, size_t size)
{
  struct text text = { NULL, 0 };
  FILE *file = size && size <= MOST_BYTES ? fopen (path, "re") : NULL;
  if (!file)
    return text;
  text.bytes = xmalloc (size + 1);
  text.n = fread (text.bytes, 1, size, file);
  text.bytes[text.n] = 0;
  fclose (file);
  if (memchr (text.bytes, 0, text.n))
    free (text.bytes), text = (struct text) { NULL, 0 };
  return text;
}

/* Replace PATH by TEXT, with the times and the mode that it had, so that nothing is built again
   because of it. */
static bool
write_text (const char *path, const struct text *text, const struct stat *st)
{
  char *temporary = concat (path, ".cabprof-XXXXXX", NULL);
  int fd = mkstemp (temporary);
  bool good = fd >= 0 && write (fd, text->bytes, text->n) == (ssize_t) text->n
	   && !fchmod (fd, st->st_mode & 07777)
	   && !futimens (fd, (const struct timespec[]) { st->st_atim, st->st_mtim })
	   && !rename (temporary, path);
  if (fd >= 0 && !good)
    unlink (temporary);
  if (fd >= 0)
    close (fd);
  free (temporary);
  return good;
}

/* Restore PATH; return 1 if it named a wrapper, and does no more. */
static int
restore_file (const char *path, const struct stat *st, const char *head)
{
  struct text was = read_text (path, st->st_size), is = { NULL, 0 };
  int n = was.bytes && strstr (was.bytes, head) && replace (&was, head, &is)
       && write_text (path, &is, st);
  free (was.bytes);
  free (is.bytes);
  return n;
}

/* Restore the files below ROOT that have changed since the build began; return how many were
   restored. */
static int
restore_tree (const struct cab_tune *tune, const char *root, const char *head)
{
  char *roots[] = { (char *) root, NULL };
  FTS *tree = fts_open (roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
  int n = 0;
  for (FTSENT *entry; tree && (entry = fts_read (tree));)
    if (entry->fts_info == FTS_D && !strcmp (entry->fts_path, tune->work))
      fts_set (tree, entry, FTS_SKIP);
    else if (entry->fts_info == FTS_F && entry->fts_statp->st_ctime >= tune->began)
      n += restore_file (entry->fts_path, entry->fts_statp, head);
  if (tree)
    fts_close (tree);
  return n;
}

/* Return true if DIR lies in ROOT. */
static bool
is_within (const char *dir, const char *root)
{
  size_t n = strlen (root);
  return !strncmp (dir, root, n) && (!dir[n] || dir[n] == '/');
}

void
cab_tune_restore (const struct cab_tune *tune)
{
  if (!tune->began || !tune->own_path)
    return;
  char *head = concat (tune->own_path, "/", NULL);
  int n = restore_tree (tune, tune->cwd, head);
  for (int c = 0; c < tune->log.n; c++)
    {
      const char *dir = tune->log.v[c].cwd;
      bool done = is_within (dir, tune->cwd) || !strcmp (dir, "/");
      for (int k = 0; k < c && !done; k++)
	done = is_within (dir, tune->log.v[k].cwd);
      n += done ? 0 : restore_tree (tune, dir, head);
    }
  if (n)
    cab_tune_say ("%d files of the build named its compilers as we stood in their place: they name "
		  "the compilers again",
		  n);
  free (head);
}
