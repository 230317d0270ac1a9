/* parts.c - see parts.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/parts.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/profile/part.h"
#include "analyses/profile/profile_json.h"
#include "cabprof/trials.h"

static int
by_name (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Return the paths of the parts in directory DIR, sorted. */
static char **
list_directory (const char *dir, size_t *n, struct cab_diag *diag)
{
  DIR *stream = opendir (dir);
  char **list = NULL;
  *n = 0;
  if (!stream && (errno == ENOENT || errno == ENOTDIR))
    cab_refuse (dir, diag,
		"there is no profile: run a program that was compiled with -fplugin=cabprof, or "
		"name another directory by -d");
  else if (!stream)
    cab_refuse (dir, diag, "%s: check its permissions", strerror (errno));
  if (!stream)
    return NULL;
  for (struct dirent *entry; (entry = readdir (stream));)
    {
      size_t length = strlen (entry->d_name), suffix = strlen (CAB_PART_SUFFIX);
      if (length <= suffix || strcmp (entry->d_name + length - suffix, CAB_PART_SUFFIX))
	continue;
      list = XRESIZEVEC (char *, list, *n + 1);
      list[(*n)++] = concat (dir, "/", entry->d_name, NULL);
    }
  closedir (stream);
  if (!list)
    cab_refuse (
      dir, diag,
      "holds no part of a profile: run a program that was compiled with -fplugin=cabprof");
  else
    qsort (list, *n, sizeof *list, by_name);
  return list;
}

bool
cab_parts_is_one (const char *path)
{
  struct stat s;
  size_t length = strlen (path), suffix = strlen (CAB_PART_SUFFIX);
  return length > suffix && !strcmp (path + length - suffix, CAB_PART_SUFFIX)
      && stat (path, &s) == 0 && S_ISREG (s.st_mode);
}

char **
cab_parts_list (const char *path, size_t *n, struct cab_diag *diag)
{
  if (!cab_parts_is_one (path))
    return list_directory (path, n, diag);
  char **list = XNEWVEC (char *, 1);
  list[0] = xstrdup (path);
  *n = 1;
  return list;
}

pid_t
cab_parts_unborn (const char *name)
{
  char *end;
  long pid = strtol (name, &end, 10);
  const char *suffix = end + (*end == '-') + strspn (end + (*end == '-'), "0123456789abcdef");
  bool gone = pid > 0 && pid < INT32_MAX && kill (pid, 0) < 0 && errno == ESRCH;
  return *end == '-' && gone && !strcmp (suffix, CAB_PART_NEW_SUFFIX) ? pid : 0;
}

/* Return true if DIR holds trials. */
static bool
has_trials (const char *dir)
{
  DIR *stream = opendir (dir);
  bool holds = false;
  for (struct dirent *entry; stream && !holds && (entry = readdir (stream));)
    holds = !strncmp (entry->d_name, CAB_TRIALS_PREFIX, strlen (CAB_TRIALS_PREFIX));
  if (stream)
    closedir (stream);
  return holds;
}

bool
cab_parts_has_samples (const char *dir)
{
  static const char *const names[] = { "samples.json", "loops.json" };
  bool holds = has_trials (dir);
  for (int i = 0; i < 2 && !holds; i++)
    {
      char *path = concat (dir, "/", names[i], NULL);
      holds = cab_profile_json_is_there (path);
      free (path);
    }
  return holds;
}

void
cab_parts_forget (char **list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    free (list[i]);
  free (list);
}
