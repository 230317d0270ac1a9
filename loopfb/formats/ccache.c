/* ccache.c - what ccache knows of a compilation: whether it started us, which files it reads.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/formats/ccache.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return the process that started PID, or 0. */
static int
parent_of (int pid)
{
  char path[64], text[512];
  snprintf (path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = fopen (path, "r");
  size_t n = file ? fread (text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose (file);
  text[n] = 0;
  const char *end = strrchr (text, ')');   /* the end of its name, which may contain anything */
  int parent = 0;
  return end && sscanf (end, ") %*c %d", &parent) == 1 ? parent : 0;
}

static bool
is_ccache (int pid)
{
  char path[64], program[PATH_MAX];
  snprintf (path, sizeof path, "/proc/%d/exe", pid);
  ssize_t n = readlink (path, program, sizeof program - 1);
  program[n < 0 ? 0 : n] = 0;
  const char *slash = strrchr (program, '/');
  return slash && (!strcmp (slash, "/ccache") || !strncmp (slash, "/ccache-", 8));
}

bool
cab_ccache_above (int generations)
{
  int pid = getpid ();
  while (pid && generations-- > 0)
    pid = parent_of (pid);
  return pid > 0 && is_ccache (pid);
}

bool
cab_ccache_knows (const char *path)
{
  const char *list = getenv ("CCACHE_EXTRAFILES");
  size_t length = strlen (path);
  while (list && *list)
    {
      size_t n = strcspn (list, ":");
      if (n == length && !memcmp (list, path, n))
	return true;
      list += n;
      list += *list == ':';
    }
  return false;
}

void
cab_ccache_tell (const char *path)
{
  const char *list = getenv ("CCACHE_EXTRAFILES");
  char *longer;
  if (cab_ccache_knows (path)
      || asprintf (&longer, "%s%s%s", list ? list : "", list && *list ? ":" : "", path) < 0)
    return;
  setenv ("CCACHE_EXTRAFILES", longer, 1);
  free (longer);
}
