/* file_hash.c - names and contents of files, for the wrappers and for `cabprof tune'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/formats/file_hash.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>

/* A function of libiberty, whose header Debian does not install. */
extern int sha1_stream (FILE *stream, void *result);

char *
cab_file_hash (const char *path)
{
  unsigned char sum[20];
  char *text = xcalloc (1, 2 * sizeof sum + 1);
  struct stat st;
  FILE *file = !stat (path, &st) && S_ISREG (st.st_mode) ? fopen (path, "re") : NULL;
  if (file && !sha1_stream (file, sum))
    for (size_t i = 0; i < sizeof sum; i++)
      sprintf (text + 2 * i, "%02x", sum[i]);
  if (file)
    fclose (file);
  return text;
}

char *
cab_absolute (const char *cwd, const char *path)
{
  return *path == '/' ? xstrdup (path) : concat (cwd, "/", path, NULL);
}
