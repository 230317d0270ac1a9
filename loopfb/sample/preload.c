/* preload.c - see preload.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/preload.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

/* Look beside the command: in build/lib, or in lib of the prefix. */
char *
cab_preload_find (const char *name, struct cab_diag *diag)
{
  char exe[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  char *slash = strrchr (exe, '/');
  if (slash)
    *slash = 0;
  char *beside = concat (exe, "/../lib/", name, NULL), *path = realpath (beside, NULL);
  if (!path)
    snprintf (diag->text, sizeof diag->text, "%s: %s: install cabprof, or run make", beside,
	      strerror (errno));
  free (beside);
  return path;
}

void
cab_preload_environment (const char *library)
{
  const char *had = getenv ("LD_PRELOAD");
  char *preload = concat (library, had && *had ? ":" : "", had ? had : "", NULL);
  setenv ("LD_PRELOAD", preload, 1);
  free (preload);
}
