/* cmd_record_directory.c - the directory of a profile: made anew, an older one is moved aside.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/cmd_record.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "cabprof/profile.h"
#include "command.h"

/* What `cabprof tune' has here, and may go on with: no part of a profile. */
static const char *const of_tune[] = { "tune", "tune.old" };
#define N_OF_TUNE (sizeof of_tune / sizeof *of_tune)

/* Is NAME what a profile's directory holds? */
static bool
is_ours (const char *name)
{
  size_t n = strlen (name), suffix = strlen (CAB_PART_SUFFIX);
  for (size_t i = 0; i < N_OF_TUNE; i++)
    if (!strcmp (name, of_tune[i]))
      return true;
  return !strcmp (name, ".") || !strcmp (name, "..") || !strcmp (name, "modules") || !strcmp (name, "run") || !strncmp (name, "meta.json", 9)
	 || !strncmp (name, CAB_SAMPLES_FILE, strlen (CAB_SAMPLES_FILE)) || !strncmp (name, "loops.json", 10)
	 || (n > suffix && !strcmp (name + n - suffix, CAB_PART_SUFFIX));
}

/* 1: a profile (or empty), 0: not there, -1: something else, which must not be moved or removed. */
static int
holds_profile (const char *dir)
{
  DIR *stream = opendir (dir);
  int result = 1;
  if (!stream)
    return errno == ENOENT ? 0 : -1;
  for (struct dirent *entry; (entry = readdir (stream));)
    if (!is_ours (entry->d_name))
      result = -1;
  closedir (stream);
  return result;
}

static int
remove_one (const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
  (void) st, (void) kind, (void) ftw;
  return remove (path);
}

static int
fail (const char *path, const char *what)
{
  cab_say ("%s: %s: choose another directory with -d", path, what);
  return -1;
}

/* What `cabprof tune' has in FROM stays where that was: in DIR. */
static void
keep_of_tune (const char *from, const char *dir)
{
  for (size_t i = 0; i < N_OF_TUNE; i++)
    {
      char *there = concat (from, "/", of_tune[i], NULL), *here = concat (dir, "/", of_tune[i], NULL);
      (void) !rename (there, here);   /* where it is not there, or cannot be moved, it stays with the older profile */
      free (there);
      free (here);
    }
}

/* DIR is there, new, and empty but for what is of_tune; what was there is DIR.old. */
static int
rotate (const char *dir)
{
  char *old = concat (dir, ".old", NULL);
  int there = holds_profile (dir), result = 0;
  if (there < 0)
    result = fail (dir, "exists and is no profile");
  else if (there && holds_profile (old) < 0)
    result = fail (old, "exists and is no profile");
  else if (there && nftw (old, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
    result = fail (old, strerror (errno));
  else if (there && rename (dir, old) < 0)
    result = fail (dir, strerror (errno));
  else if (mkdir (dir, 0777) < 0)
    result = fail (dir, strerror (errno));
  else if (there)
    keep_of_tune (old, dir);
  free (old);
  return result;
}

int
cab_record_make_directory (struct cab_recording *run)
{
  for (size_t n = strlen (run->dir); n > 1 && run->dir[n - 1] == '/';)
    run->dir[--n] = 0;
  if (rotate (run->dir) < 0)
    return -1;
  run->path = realpath (run->dir, NULL);
  return run->path ? 0 : fail (run->dir, strerror (errno));
}

/* Could the process that left PATH not write all for lack of room?  It has told that itself. */
static bool
lacked_room (const char *path)
{
  struct cab_part_header *h = XCNEW (struct cab_part_header);
  const size_t front = offsetof (struct cab_part_header, arenas);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  bool whole = fd >= 0 && pread (fd, h, front, 0) == (ssize_t) front && !memcmp (h->magic, CAB_PART_MAGIC, sizeof h->magic) && h->version == CAB_PART_VERSION;
  bool lacked = whole && h->ledger.dropped[CAB_DROP_DISK];
  if (fd >= 0)
    close (fd);
  free (h);
  return lacked;
}

bool
cab_record_has_parts (const char *dir, bool *full)
{
  DIR *stream = opendir (dir);
  bool found = false;
  for (struct dirent *entry; stream && (entry = readdir (stream));)
    if (strstr (entry->d_name, CAB_PART_SUFFIX))
      {
	char *path = concat (dir, "/", entry->d_name, NULL);
	*full |= lacked_room (path);
	found = true;
	free (path);
      }
  if (stream)
    closedir (stream);
  return found;
}
